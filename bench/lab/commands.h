// The verbs of inkread-lab, one file each, and the options that all of them have.
#ifndef INKREAD_BENCH_LAB_COMMANDS_H_
#define INKREAD_BENCH_LAB_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "base/thread_pool.h"
#include "inkread/codec.h"
#include "inkread/ocr.h"
#include "schedule/backend.h"

namespace inkread::lab {

inline constexpr int kExitDiffers = 1;  // answers that should be equal are not
inline constexpr int kExitUsage = 2;
inline constexpr int kExitEngine = 3;  // model, device or file at fault

struct BackendArguments {
  std::string backend = "cpu";
  int num_threads = 0;                // 0: what this process may use
  std::string precision = "precise";  // or "fast"
};
void AddBackendArguments(CLI::App* command, BackendArguments* arguments);

struct OpenedBackend {
  std::unique_ptr<ThreadPool> pool;
  std::unique_ptr<Backend> backend;
};
Result<OpenedBackend> OpenBackendFor(const BackendArguments& arguments);

// Options of an engine on one backend, strict, so that falling back does not hide a fault.
//
// size    "small"
// Errors  kInvalidArgument, kUnsupported (the engine has no such backend)
Result<EngineOptions> EngineOptionsFor(const std::string& size, const BackendArguments& arguments);

// The first image of a file.
Result<DecodedImage> DecodeFile(const std::string& path);

// Multiply-adds a second that the device's arithmetic can do (kProbePeakF32, kProbePeakF16); 0 where the backend cannot
// tell.
double ProbedPeak(Backend& backend);

// "cpu avx3, 2 threads"
std::string DeviceText(const OpenedBackend& opened);

// "2x48x320" -> {2, 48, 320}, each from 1 to 9999999. `form` is what a message says was expected: "NxHxW".
// Errors  kInvalidArgument
Result<std::array<uint32_t, 3>> ParseSizes(const std::string& text, const char* form);

// What a verb answers, as the program's exit code; an error is printed.
int ExitCode(const Result<int>& result);

// Each adds its subcommand, which sets *exit_code when it is chosen.
void AddPlanCommand(CLI::App& app, int* exit_code);
void AddProbeCommand(CLI::App& app, int* exit_code);
void AddGemmCommand(CLI::App& app, int* exit_code);
void AddProfileCommand(CLI::App& app, int* exit_code);
void AddRepeatCommand(CLI::App& app, int* exit_code);
void AddStressCommand(CLI::App& app, int* exit_code);
void AddTraceCommand(CLI::App& app, int* exit_code);

}  // namespace inkread::lab

#endif  // INKREAD_BENCH_LAB_COMMANDS_H_
