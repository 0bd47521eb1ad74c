// The one place that knows the backends by name.
#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#include "session/devices.h"

namespace inkread {

Result<std::unique_ptr<Backend>> OpenBackend(const std::string& name, ThreadPool* pool) {
  if (name == "cpu") return MakeCpuBackend(pool);
  if (name == "reference") return MakeReferenceBackend(16);
  return Unsupported("backend '", name, "' is not in this build, which has: cpu");
}

}  // namespace inkread
