// Runs schedules on the processor's vector units, by Highway kernels that are chosen for the machine at run time.
#ifndef INKREAD_BACKENDS_CPU_CPU_BACKEND_H_
#define INKREAD_BACKENDS_CPU_CPU_BACKEND_H_

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "schedule/backend.h"

namespace inkread {

namespace cpu {
struct Kernel;  // backends/cpu/kernels.h
}

// An instruction set that this build has kernels for and this machine can run.
struct CpuTarget {
  int64_t bit;       // Highway's number for it
  std::string name;  // "avx3"
};

// Best first.
std::vector<CpuTarget> CpuTargets();

// For people: the processor's units for products of 8-bit integers, "AVX-512 VNNI, AMX"; "none".
std::string CpuInt8Units();

struct CpuOptions {
  int64_t targets = -1;  // mask of the CpuTargets() that may be used; the best of them is
  // Memory for the rows that a band (schedule/step.h) has in use. 0: no bands.
  uint64_t band_rows_bytes = 640 << 10;
  bool fast = false;  // multiply in bf16 if the processor has a unit for it; Caps() says whether it has
  bool bf16 = true;   // such units may be used at all
  bool amx = true;    // they may be AMX
  // Kernels to use instead of cpu::Kernels(), for tests. Must outlive the backend.
  const std::array<cpu::Kernel, kNumStepKinds>* kernels = nullptr;
};

// pool  must outlive the backend; a run uses its threads
std::unique_ptr<Backend> MakeCpuBackend(ThreadPool* pool, const CpuOptions& options = {});

}  // namespace inkread

#endif  // INKREAD_BACKENDS_CPU_CPU_BACKEND_H_
