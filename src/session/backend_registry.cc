// The one place that knows the backends by name.
#include <cstdlib>
#include <sstream>

#include "backends/cpu/cpu_backend.h"
#include "backends/reference/reference_backend.h"
#include "session/devices.h"

namespace inkread {
namespace {

// The instruction sets that are left, as a mask for MakeCpuBackend.
Result<int64_t> AllowedTargets() {
  int64_t allowed = -1;
  const char* variable = std::getenv("INKREAD_DISABLE");
  std::string known;
  for (const CpuTarget& target : CpuTargets()) known += StrCat(known.empty() ? "" : ", ", target.name);
  std::istringstream names(variable != nullptr ? variable : "");
  for (std::string name; std::getline(names, name, ',');) {
    int64_t bit = 0;
    for (const CpuTarget& target : CpuTargets()) {
      if (target.name == name) bit = target.bit;
    }
    if (bit == 0)
      return InvalidArgument("INKREAD_DISABLE names '", name, "', which this machine has not; it has: ", known);
    allowed &= ~bit;
  }
  for (const CpuTarget& target : CpuTargets()) {
    if (target.bit & allowed) return allowed;
  }
  return InvalidArgument("INKREAD_DISABLE leaves none of this machine's instruction sets: ", known);
}

}  // namespace

Result<std::unique_ptr<Backend>> OpenBackend(const std::string& name, ThreadPool* pool) {
  if (name == "cpu") {
    INKREAD_ASSIGN_OR_RETURN(const int64_t targets, AllowedTargets());
    return MakeCpuBackend(pool, targets);
  }
  if (name == "reference") return MakeReferenceBackend(16);
  return Unsupported("backend '", name, "' is not in this build, which has: cpu");
}

}  // namespace inkread
