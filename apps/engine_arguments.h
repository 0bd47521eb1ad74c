// The options of every command that has an engine: which models, how to read, and on which devices.
#ifndef INKREAD_APPS_ENGINE_ARGUMENTS_H_
#define INKREAD_APPS_ENGINE_ARGUMENTS_H_

#include <CLI/CLI.hpp>

#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace inkread {

struct EngineArguments {
  EngineOptions engine;
  ReadOptions read;
};

// Adds --size, --profile, --official, --order, --cls, --words, --backend, --device, --strict, --precision, --threads,
// --models, --det, --rec and --dict, which write into `arguments`. It must outlive the parsing.
void AddEngineArguments(CLI::App* command, EngineArguments* arguments);

// Says on standard error which backend and precision were used in place of the requested ones. Called after the work,
// during which a device may have failed.
void WarnOfSubstitutes(const EngineInfo& info);

// The decoding options that belong to reading options.
DecodeOptions DecodeOptionsFor(const ReadOptions& read);

}  // namespace inkread

#endif  // INKREAD_APPS_ENGINE_ARGUMENTS_H_
