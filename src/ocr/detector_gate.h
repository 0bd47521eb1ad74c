// How many images are with the detector at once: as many as a bound on their memory admits, and always one.
//
// A detector's intermediate results take some 100 bytes a pixel, so it is here that a process with many readers would
// grow. Whoever waits for room works for those inside meanwhile.
#ifndef INKREAD_OCR_DETECTOR_GATE_H_
#define INKREAD_OCR_DETECTOR_GATE_H_

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/thread_pool.h"

namespace inkread {

// Memory that one image at a time uses and the next one uses again.
struct Workspace {
  AlignedBuffer input, output;
};

class DetectorGate {
 public:
  // Enough for one page of ordinary size a thread.
  static constexpr uint64_t kBytesPerThread = uint64_t{64} << 20;

  explicit DetectorGate(ThreadPool* pool);

  // One image's stay. Leaves at its end.
  class Stay {
   public:
    Stay(Stay&& other) noexcept
        : room_(std::exchange(other.room_, nullptr)), bytes_(other.bytes_), workspace_(std::move(other.workspace_)) {}
    Stay& operator=(Stay&& other) = delete;
    ~Stay() {
      if (room_ != nullptr) room_->Leave(bytes_, std::move(workspace_));
    }
    Workspace& workspace() { return workspace_; }

   private:
    friend class DetectorGate;
    Stay(DetectorGate* room, uint64_t bytes, Workspace workspace)
        : room_(room), bytes_(bytes), workspace_(std::move(workspace)) {}
    DetectorGate* room_;
    uint64_t bytes_;
    Workspace workspace_;
  };

  // Waits until an image that takes `bytes` fits beside those inside, or is alone. First come, first served.
  Stay Enter(uint64_t bytes);

  int num_waiting() const {
    std::lock_guard lock(mutex_);
    return static_cast<int>(next_ticket_ - next_to_enter_);
  }

 private:
  void Leave(uint64_t bytes, Workspace workspace);

  ThreadPool* const pool_;
  const uint64_t limit_bytes_;
  mutable std::mutex mutex_;
  uint64_t next_ticket_ = 0, next_to_enter_ = 0;
  uint64_t bytes_inside_ = 0;
  int num_inside_ = 0;
  std::vector<Workspace> idle_;
};

}  // namespace inkread

#endif  // INKREAD_OCR_DETECTOR_GATE_H_
