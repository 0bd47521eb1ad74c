#include "tests/conformance/backends.h"

#include "backends/cpu/cpu_backend.h"

namespace inkread::conformance {

std::vector<BackendRow> Backends() {
  std::vector<BackendRow> rows;
  for (const CpuTarget& target : CpuTargets()) {
    rows.push_back({"cpu " + target.name, [target](ThreadPool* pool) { return MakeCpuBackend(pool, target.bit); }});
  }
  return rows;
}

}  // namespace inkread::conformance
