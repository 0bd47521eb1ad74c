#include "ocr/detector_gate.h"

#include <functional>
#include <utility>

namespace inkread {
namespace {

// Blocks of idle workspaces are trimmed to this size: few images need more, and other images can use the memory.
constexpr size_t kKeptBytes = size_t{16} << 20;
// More idle workspaces than this are freed.
constexpr size_t kMaxIdle = 64;

}  // namespace

DetectorGate::DetectorGate(ThreadPool* pool)
    : pool_(pool), limit_bytes_(kBytes + kBytesPerThread * static_cast<uint64_t>(pool->num_threads())) {
  idle_.reserve(kMaxIdle);
}

DetectorGate::Stay DetectorGate::Enter(uint64_t bytes) {
  uint64_t ticket;
  {
    std::lock_guard lock(mutex_);
    ticket = next_ticket_++;
  }
  Workspace workspace;
  const auto enters = [&] {
    std::lock_guard lock(mutex_);
    if (ticket != next_to_enter_ || (num_inside_ > 0 && bytes_inside_ + bytes > limit_bytes_)) return false;
    ++next_to_enter_;
    ++num_inside_;
    bytes_inside_ += bytes;
    if (bytes > limit_bytes_) idle_.clear();  // they are too small for this image, which needs the memory
    if (!idle_.empty()) {
      workspace = std::move(idle_.back());
      idle_.pop_back();
    }
    return true;
  };
  // By reference: a copy could find no memory, and a ticket that is never used would block all later ones.
  pool_->WorkUntil(std::ref(enters));
  pool_->WakeWaiting();  // the next in the queue may fit too
  return Stay(this, bytes, std::move(workspace));
}

void DetectorGate::Leave(uint64_t bytes, Workspace workspace) {
  for (AlignedBuffer* block : {&workspace.input, &workspace.output, &workspace.whole_map}) block->Trim(kKeptBytes);
  {
    std::lock_guard lock(mutex_);
    --num_inside_;
    bytes_inside_ -= bytes;
    if (idle_.size() < kMaxIdle) idle_.push_back(std::move(workspace));
  }
  pool_->WakeWaiting();
}

}  // namespace inkread
