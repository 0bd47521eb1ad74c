// What emulator.h's functions set, as the emulator's classes ask for it.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_STATE_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_STATE_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/metal_emulator/host/emulator.h"

namespace metal_emulator {

struct Instance;

struct DeviceList {
  std::vector<DeviceDescription> descriptions;
  uint64_t number_of_first = 0;  // the others follow; each call of SetDevices gives new numbers
};
DeviceList Devices();
NewContents ContentsOfNewBuffers();

// Each call that can fail asks one of these, once, whether it does.
bool CallFails();                                 // a queue, a command buffer, an encoder, a function
bool AllocationFails();                           // a buffer
std::optional<std::string> CompilationFails();    // a library: the compiler's message
bool PipelineFails(const std::string& kernel);    // a pipeline
std::optional<CommandBufferError> CommitFails();  // the commands of a commit

bool IsMissing(const std::string& kernel);  // of libraries
uint64_t StartDelayUs();

// Each such call asks once whether a bug is planted there.
bool IgnoresBarrier();
bool IgnoresBinding();
void MayKeepPipeline(Instance* pipeline);
bool FlipsConstant(uint32_t index);
std::optional<uint64_t> ClearedWord(const std::string& kernel);  // from 0, of its bytes
uint64_t WithheldBytes();

// Command buffers between commit and the moment when the queue's thread lets go of them.
void BeginFlight();
void EndFlight();
void WaitForFlights();

void Count(const std::function<void(Counts&)>& add);

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_STATE_H_
