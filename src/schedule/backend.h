// What a backend is: something that runs schedules. It knows no network, no fusion and no packing rule.
#ifndef INKREAD_SCHEDULE_BACKEND_H_
#define INKREAD_SCHEDULE_BACKEND_H_

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/cancellation.h"
#include "base/status.h"
#include "image/image.h"
#include "schedule/schedule.h"

namespace inkread {

// What the planner must know of a device, as plain data.
struct DeviceCaps {
  std::string device;                           // "cpu avx3", "NVIDIA H200"
  uint32_t conv_panel = 16;                     // columns that packed weights lay side by side
  uint32_t weights_form = INKREAD_WEIGHTS_F32;  // what conv, conv_transpose and ctc_head multiply (weights_form.h)
  uint32_t storage = INKREAD_ELEMENT_F32;       // what values are kept in between steps (steps/element.h)
  // Why weights_form is F32 although `fast` was asked for; empty otherwise.
  std::string fast_unavailable_reason;
  // Limit in bytes of a band's weights together with the rows that it has in use. 0: no bands.
  uint64_t band_bytes = 0;
  std::array<bool, kNumStepKinds> has_step{};  // by StepKind: whether there is a kernel
  bool softmax_widens = false;                 // softmax can read 16 bits and write F32 to the output
  bool prefers_batched_runs = false;           // one run of many jobs is faster than simultaneous runs of one job each
  // Largest image, in bytes, that the device resizes, crops and normalises itself. 0: the host always does it.
  uint64_t max_image_bytes = 0;
  bool compiles_ahead = false;  // Backend::Expect does something
};

// Packed weights on the device; shared by all programs of a model.
class DeviceWeights {
 public:
  virtual ~DeviceWeights() = default;
};

// An 8-bit image where a device reads it, its rows without gaps; may be used by many runs at once.
class DeviceImage {
 public:
  virtual ~DeviceImage() = default;
};

// A schedule made ready for a device. Immutable once compiled; used by many runs at once.
class Program {
 public:
  virtual ~Program() = default;
  virtual const Schedule& schedule() const = 0;
};

// A backend may read this many bytes past the end of an input on the host.
inline constexpr size_t kInputSlackBytes = 64;

// The output of another job of the same run, as one part of an input.
struct InputPart {
  size_t job = 0;            // index in the run's list of jobs
  uint64_t first_float = 0;  // where the part begins within the input
};

// What a job reads:
//   const void*             dense values in host memory, as schedule().input says, with kInputSlackBytes readable after
//                           them
//   const DeviceImage*      an image of the same backend, for a schedule that reads one
//   std::vector<InputPart>  outputs of other jobs, wherever these are in the list; together they give every float once
using JobInput = std::variant<const void*, const DeviceImage*, std::vector<InputPart>>;

// One run of one program.
struct Job {
  const Program* program = nullptr;
  JobInput input{};
  // schedule().output, dense 32-bit words. Null if the job is a part of another job's input: of exactly one, and then
  // its own input must not consist of parts.
  void* output = nullptr;
  // Once this is due a backend may leave out steps of the job. Its output is then worth nothing, and whoever runs it
  // asks again. Null: never.
  const Cancellation* cancellation = nullptr;

  // Null if the input is of another kind.
  const void* host_input() const {
    const auto* values = std::get_if<const void*>(&input);
    return values == nullptr ? nullptr : *values;
  }
  const DeviceImage* image() const {
    const auto* read = std::get_if<const DeviceImage*>(&input);
    return read == nullptr ? nullptr : *read;
  }
  std::span<const InputPart> parts() const {
    const auto* made = std::get_if<std::vector<InputPart>>(&input);
    return made == nullptr ? std::span<const InputPart>() : *made;
  }
};

// One row of what a device was measured to do.
struct ProbeResult {
  std::string name;
  double value = 0;
  std::string unit;         // "GMAC/s", "GB/s", "us"
  std::string unavailable;  // why there is no value; empty where there is one
};

// The row that the rates of steps are compared with: what the device's arithmetic can do at best, in GMAC/s. f32, or
// products of f16 with sums of f32 where a device has been asked for those.
inline constexpr const char* kProbePeakF32 = "f32, all threads";
inline constexpr const char* kProbePeakF16 = "f16, all threads";

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const DeviceCaps& Caps() const = 0;

  // Takes over a block of packed weights, 64-byte aligned, that `owner` keeps alive with kArenaSlackBytes behind it.
  virtual Result<std::shared_ptr<const DeviceWeights>> Upload(std::span<const std::byte> weights,
                                                              std::shared_ptr<const void> owner) = 0;
  // An image for Job::input. A device that reads host memory may read `image` in place, so `image` must outlive the
  // DeviceImage.
  // Errors  kOutOfMemory, kDeviceLost; kUnsupported (this backend runs no schedules that read images)
  virtual Result<std::shared_ptr<const DeviceImage>> UploadImage(const ImageView& /*image*/) {
    return Unsupported(Caps().device, ": does not read images");
  }
  virtual Result<std::unique_ptr<const Program>> Compile(std::shared_ptr<const Schedule> schedule,
                                                         std::shared_ptr<const DeviceWeights> weights) = 0;
  // Begins, in the background, with what makes Compile of such a schedule slow. Returns at once; never fails.
  virtual void Expect(const Schedule& /*schedule*/) {}
  // Runs all jobs and returns when they are done. Results do not depend on which jobs run together.
  // Threads  safe from several threads
  // Errors   kOutOfMemory, kDeviceLost
  virtual Status Run(std::span<const Job> jobs) = 0;

  // Runs one job and measures it: step_ms has one entry a step and receives its milliseconds. The results are Run's.
  // Errors   those of Run; kUnsupported (this backend cannot measure steps)
  virtual Status Profile(const Job& /*job*/, std::span<double> /*step_ms*/) {
    return Unsupported(Caps().device, ": does not measure steps");
  }
  // Milliseconds that the device has spent on runs since the backend was made, by the device's own clock. 0 if it is
  // not known. Safe from several threads.
  virtual double DeviceMs() const { return 0; }
  // Measures what the device can do, in a few seconds. Nothing else should be running.
  virtual std::vector<ProbeResult> Probe() { return {}; }
};

}  // namespace inkread

#endif  // INKREAD_SCHEDULE_BACKEND_H_
