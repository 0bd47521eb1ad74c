// Runs schedules on the processor's vector units, by Highway kernels chosen for the machine at run time.
#ifndef INKREAD_BACKENDS_CPU_CPU_BACKEND_H_
#define INKREAD_BACKENDS_CPU_CPU_BACKEND_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/thread_pool.h"
#include "schedule/backend.h"

namespace inkread {

// An instruction set that this build has kernels for and this machine can run.
struct CpuTarget {
  int64_t bit;       // Highway's number for it
  std::string name;  // "avx3"
};

// Best first.
std::vector<CpuTarget> CpuTargets();

struct CpuOptions {
  int64_t targets = -1;  // which of CpuTargets() may be used, as a mask; the best of them is
  // What the rows that a band (schedule/step.h) has in use may take; 0: no bands.
  uint64_t band_rows_bytes = 640 << 10;
  bool fast = false;  // multiply in bf16 where the processor has a unit for it; Caps() says whether it has
  bool bf16 = true;   // such units may be used at all
  bool amx = true;    // they may be AMX
};

// pool     must outlive the backend; its budget is what a run uses
std::unique_ptr<Backend> MakeCpuBackend(ThreadPool* pool, const CpuOptions& options = {});

}  // namespace inkread

#endif  // INKREAD_BACKENDS_CPU_CPU_BACKEND_H_
