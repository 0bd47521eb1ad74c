// What tests say to the emulator: which devices there are, which calls shall fail, and what was used wrongly.
//
// Code under test never sees this header: it talks to Metal. All functions are safe from several threads.
#ifndef INKREAD_TESTS_METAL_EMULATOR_HOST_EMULATOR_H_
#define INKREAD_TESTS_METAL_EMULATOR_HOST_EMULATOR_H_

#include <cstdint>
#include <string>
#include <vector>

namespace metal_emulator {

// A use of Metal that Apple's documentation rules out, or that its hardware would answer with anything.
enum class Misuse {
  kUnknownMessage,     // an object was sent a message that the emulator does not know for its class
  kUseAfterRelease,    // a message to an object that is gone, or such an object as an argument
  kOverRelease,        // a release, or a pool's drain, of an object that is gone
  kNoPool,             // an object was autoreleased on a thread that has no pool
  kLeak,               // objects that live when the process ends
  kReleasedInUse,      // a buffer was given up while a command buffer with unretained references needs it
  kBadArgument,        // out of range, misaligned, of the wrong class, nil where an object is asked for
  kUnsupported,        // Metal has it, the emulator has not
  kEncodeAfterEnd,     // an encoder was used after endEncoding, or its command buffer was committed
  kEncoderOpen,        // commit, a second encoder, or an encoder's end of life, without endEncoding
  kCommittedTwice,     //
  kWrongOrder,         // wait before commit, a handler after it, a pool drained before those made later
  kNoPipeline,         // a dispatch before setComputePipelineState
  kMissingBinding,     // a dispatch of a kernel that has a buffer argument with nothing bound
  kThreadgroupSize,    // more threads than the pipeline or the device allows, or none
  kThreadgroupMemory,  // more than the device has, a missing length, or no multiple of 16 bytes
  kRace,               // two dispatches, or two threadgroups of one, touch a cell that one of them writes
  kKernel,             // what a kernel did: out of bounds, a barrier that not all threads reach
  kHostOverrun,        // the host wrote past the end of a buffer's contents
};
const char* NameOf(Misuse misuse);

struct Report {
  Misuse misuse;
  std::string text;
};

// Misuse ends the process with its text, unless one of these lives: it collects the reports of all threads.
// Reports that nobody has taken by the end of its life end the process after all.
class CollectReports {
 public:
  CollectReports();
  ~CollectReports();
  CollectReports(const CollectReports&) = delete;
  CollectReports& operator=(const CollectReports&) = delete;
  std::vector<Report> Take();
};

// Objects that live once what was committed is done, one line each: class, label, retain count. At the end of the
// process there must be none.
std::vector<std::string> LiveObjects();

// All that there is of Objective-C's world: each class, then its messages, those to the class itself with a "+".
// host/surface.txt has it for readers.
std::string Surface();

struct DeviceDescription {
  std::string name = "Emulated Apple GPU";
  int apple_family = 8;        // N: supportsFamily(Apple1) to (AppleN); 0: none of them
  bool mac_family = true;      // Mac2
  bool unified_memory = true;  // false: contents of managed buffers are apart on host and device
  uint32_t simdgroup_width = 32;
  uint64_t threadgroup_memory_bytes = 32768;
  uint64_t max_threads_per_threadgroup = 1024;
  uint64_t max_buffer_bytes = uint64_t{8} << 30;
  uint64_t working_set_bytes = uint64_t{16} << 30;
  bool low_power = false;
  bool headless = false;
  bool removable = false;
};

// The devices of this machine from now on, the system's default first. To begin with it is one as described above.
// Device objects that exist keep what they were.
void SetDevices(std::vector<DeviceDescription> devices);

// Numbers of the errors with which a command buffer ends (MTLCommandBufferError).
enum class CommandBufferError : int64_t {
  kInternal = 1,
  kTimeout = 2,
  kPageFault = 3,
  kNotPermitted = 7,
  kOutOfMemory = 8,
  kDeviceRemoved = 11,
};

// Which calls fail. Counts begin at 1 with the call of Inject; 0 means never.
struct Injection {
  std::string compile_error;               // every newLibrary fails with this text
  std::string missing_kernel;              // libraries have no kernel of this name
  std::string failing_kernel;              // no pipeline can be made of the kernel of this name; "*": of any
  uint64_t failing_allocation = 0;         // this newBuffer gives nil ...
  bool all_later_allocations = false;      // ... and so do those after it
  uint64_t failing_command_buffer = 0;     // this commit's commands do not run and end with `error` ...
  bool all_later_command_buffers = false;  // ... and so do those after it
  CommandBufferError error = CommandBufferError::kInternal;
  uint64_t failing_call = 0;    // whichever call this is among all that can fail: what it makes is nil, or its commands
                                // end with `error`
  uint64_t start_delay_us = 0;  // command buffers begin this long after commit
};
void Inject(Injection injection);
// How many calls that can fail there were since Inject.
uint64_t FallibleCalls();

// Bugs put between a program and Metal, to see whether its tests find them. Counts begin at 1 with the call of Plant; 0
// means none.
struct PlantedBugs {
  uint64_t ignored_barrier = 0;   // this memoryBarrier does nothing
  uint64_t ignored_binding = 0;   // this setBuffer does nothing
  uint64_t kept_pipeline = 0;     // this pipeline is never released; until the next call of Plant
  int64_t flipped_constant = -1;  // new functions have the lowest bit of this bool or uint flipped, by its index
  std::string cleared_kernel;     // kernels of this name get 0 ...
  uint64_t cleared_word = 0;      // ... for this word of four bytes, from 0, of what setBytes gives them
  uint64_t withheld_bytes = 0;    // kernels may touch so much less at the end of each buffer that is larger
};
void Plant(const PlantedBugs& bugs);

// How new buffers look whose contents nobody gave. Apple documents zeros; a pooled block has old contents, so what
// needs zeros is wrong on its second run. Poison is the rule here: every byte 0xff, NaN in f16 and f32.
enum class NewContents { kPoison, kZero };
void SetNewContents(NewContents contents);

// What was done since the process began.
struct Counts {
  uint64_t buffers = 0;
  uint64_t buffer_bytes = 0;
  uint64_t libraries = 0;
  uint64_t pipelines = 0;
  uint64_t command_buffers = 0;  // committed
  uint64_t compute_encoders = 0;
  uint64_t blit_encoders = 0;
  uint64_t dispatches = 0;
  uint64_t barriers = 0;
  uint64_t bindings = 0;  // setBuffer
  uint64_t waits = 0;
};
Counts CountsSoFar();

}  // namespace metal_emulator

#endif  // INKREAD_TESTS_METAL_EMULATOR_HOST_EMULATOR_H_
