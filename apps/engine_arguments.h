// The options that every command with an engine has: which models, how to read, and with what.
#ifndef INKREAD_APPS_ENGINE_ARGUMENTS_H_
#define INKREAD_APPS_ENGINE_ARGUMENTS_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace inkread {

struct EngineArguments {
  EngineOptions engine;
  ReadOptions read;
  std::string models_folder;  // of one size, or of all of them; empty: where models are kept
};

// Adds --size, --profile, --official, --cls, --backend, --device, --strict, --precision, --threads and --models, which
// write into `arguments`; it must outlive the parsing.
void AddEngineArguments(CLI::App* command, EngineArguments* arguments);

// Errors  as Engine::Create
Result<std::unique_ptr<Engine>> CreateEngine(const EngineArguments& arguments);

// Says on standard error what was used in place of what was asked for. After the work: a backend may have been given up
// meanwhile.
void WarnOfSubstitutes(const EngineInfo& info);

// How files are decoded for such a reading.
DecodeOptions DecodeOptionsFor(const ReadOptions& read);

}  // namespace inkread

#endif  // INKREAD_APPS_ENGINE_ARGUMENTS_H_
