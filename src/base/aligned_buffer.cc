// Small blocks come from the heap. Large ones are mapped, so that releasing one returns its memory to the system.
#include "base/aligned_buffer.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

#include "base/round.h"

namespace inkread {
namespace {

constexpr size_t kLargePage = size_t{2} << 20;  // of x86-64 and aarch64 alike

bool IsLarge(size_t size) { return size >= kLargePage; }

// Address space of a large block of `size` bytes. Pages that are not touched take no memory.
size_t MappedSize(size_t size) { return RoundUp(size, kLargePage); }

// Null when there is no memory.
void* Map(size_t size) {
  // One large page more than needed, so that the block can begin at a large page's boundary. The rest is unmapped.
  const size_t kept = MappedSize(size), mapped = kept + kLargePage;
  if (mapped < size) return nullptr;
  void* const block = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return nullptr;
  auto* const from = static_cast<std::byte*>(block);
  const size_t before = RoundUp(reinterpret_cast<uintptr_t>(from), kLargePage) - reinterpret_cast<uintptr_t>(from);
  if (before > 0) ::munmap(from, before);
  ::munmap(from + before + kept, kLargePage - before);
#ifdef MADV_HUGEPAGE
  // A hint: its failure does no harm. The end of the block, less than a large page, stays in small pages.
  ::madvise(from + before, size / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
  return from + before;
}

void Unmap(void* data, size_t size) { ::munmap(data, MappedSize(size)); }

}  // namespace

Status AlignedBuffer::Reserve(size_t size) {
  if (size <= size_bytes_) return Status();
  Release();
  const size_t rounded = RoundUp(size, kAlignment);
  if (rounded < size) return OutOfMemory("a block of ", size, " bytes is too large");
  data_ = static_cast<std::byte*>(
      IsLarge(rounded) ? Map(rounded) : operator new(rounded, std::align_val_t(kAlignment), std::nothrow));
  if (data_ == nullptr) return OutOfMemory("no memory for a block of ", size, " bytes");
  size_bytes_ = rounded;
  return Status();
}

void AlignedBuffer::Trim(size_t size) {
  const size_t kept = RoundUp(size, kLargePage);
  if (IsLarge(size_bytes_) && kept < size_bytes_) ::madvise(data_ + kept, size_bytes_ - kept, MADV_DONTNEED);
}

void AlignedBuffer::Release() {
  if (IsLarge(size_bytes_)) {
    Unmap(data_, size_bytes_);
  } else {
    operator delete(data_, std::align_val_t(kAlignment));
  }
  data_ = nullptr;
  size_bytes_ = 0;
}

}  // namespace inkread
