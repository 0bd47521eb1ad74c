// The libraries of the program, and who touched which cell.
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "tests/metal_emulator/kernels/emulated_library.h"

namespace metal_emulator {
namespace {

std::vector<const Library*>& Registered() {
  static std::vector<const Library*> libraries;
  return libraries;
}

int32_t* NewCells(size_t num_cells) {
  void* memory = mmap(nullptr, num_cells * sizeof(int32_t) + 1, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("metal emulator: no memory to record accesses in");
    std::abort();
  }
  return static_cast<int32_t*>(memory);
}

// Numbers of threadgroups and barriers, rising through the program's life.
std::atomic<int64_t> last_number{0};

}  // namespace

Library InOrder(Library library) {
  const auto by_index = [](const auto& a, const auto& b) { return a.index < b.index; };
  for (KernelInfo& kernel : library.kernels) {
    std::sort(kernel.buffers.begin(), kernel.buffers.end(), by_index);
    std::sort(kernel.constants.begin(), kernel.constants.end(), by_index);
    std::sort(kernel.threadgroup_arguments.begin(), kernel.threadgroup_arguments.end());
  }
  return library;
}

RegisterLibrary::RegisterLibrary(const Library* library) { Registered().push_back(library); }

const std::vector<const Library*>& Libraries() { return Registered(); }

const Library* FindLibrary(const char* source, size_t length) {
  for (const Library* library : Registered()) {
    if (library->source.size() == length && std::memcmp(library->source.data(), source, length) == 0) return library;
  }
  return nullptr;
}

const KernelInfo* FindKernel(const Library& library, const std::string& name) {
  for (const KernelInfo& kernel : library.kernels) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

BufferAccess::BufferAccess(size_t size_bytes)
    : num_cells_((size_bytes + 1) / 2), writers_(NewCells(num_cells_)), readers_(NewCells(num_cells_)) {}

BufferAccess::~BufferAccess() {
  munmap(writers_, num_cells_ * sizeof(int32_t) + 1);
  munmap(readers_, num_cells_ * sizeof(int32_t) + 1);
}

void AccessRecorder::Barrier() {
  before_ = static_cast<int32_t>(++last_number);
  ranges_.clear();
}

int32_t AccessRecorder::Begin(const std::string& kernel, uint64_t dispatch, size_t num_groups) {
  const int64_t first = last_number.fetch_add(static_cast<int64_t>(num_groups)) + 1;
  if (first + static_cast<int64_t>(num_groups) >= std::numeric_limits<int32_t>::max()) return 0;
  ranges_.push_back({static_cast<int32_t>(first), num_groups, kernel, dispatch});
  return static_cast<int32_t>(first);
}

std::string AccessRecorder::Describe(int32_t number) const {
  if (number == before_) return "several threadgroups";
  for (const Range& range : ranges_) {
    if (number >= range.first && static_cast<size_t>(number - range.first) < range.num_groups) {
      return "kernel '" + range.kernel + "' (dispatch " + std::to_string(range.dispatch) + "), threadgroup " +
             std::to_string(number - range.first) + " of " + std::to_string(range.num_groups);
    }
  }
  return "work of another encoder that is not known to be complete";
}

}  // namespace metal_emulator
