// Limits the images that are in the detector at the same time: to as many as a bound on their memory admits, and to one
// at least.
//
// A detector's intermediate results take about 100 bytes per pixel, most of the memory of a process with many readers.
// A thread that waits for admission helps with work already admitted.
#ifndef INKREAD_OCR_DETECTOR_GATE_H_
#define INKREAD_OCR_DETECTOR_GATE_H_

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/thread_pool.h"

namespace inkread {

// Memory that images use one after another.
struct Workspace {
  AlignedBuffer input, output;
  AlignedBuffer whole_map;  // of an image in strips
};

class DetectorGate {
 public:
  // Enough for two pages of ordinary size, and for every third thread: of a page's time the detector takes a tenth
  // (small) to four tenths (tiny).
  static constexpr uint64_t kBytes = uint64_t{64} << 20, kBytesPerThread = uint64_t{20} << 20;

  explicit DetectorGate(ThreadPool* pool);

  // Admits one image while it lives.
  class Stay {
   public:
    Stay(Stay&& other) noexcept
        : gate_(std::exchange(other.gate_, nullptr)), bytes_(other.bytes_), workspace_(std::move(other.workspace_)) {}
    Stay& operator=(Stay&& other) = delete;
    ~Stay() {
      if (gate_ != nullptr) gate_->Leave(bytes_, std::move(workspace_));
    }
    Workspace& workspace() { return workspace_; }

   private:
    friend class DetectorGate;
    Stay(DetectorGate* gate, uint64_t bytes, Workspace workspace)
        : gate_(gate), bytes_(bytes), workspace_(std::move(workspace)) {}
    DetectorGate* gate_;
    uint64_t bytes_;
    Workspace workspace_;
  };

  // Waits until an image that takes `bytes` fits in addition to those inside, or is alone. First come, first served.
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
