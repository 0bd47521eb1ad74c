// Names of the public enums, and the version.
#include "api/commit.h"
#include "base/status.h"
#include "inkread/ocr.h"
#include "inkread/version.h"
#include "runtime/fallback_chain.h"

namespace inkread {

const char* ModelSizeName(ModelSize size) {
  switch (size) {
    case ModelSize::kTiny:
      return "tiny";
    case ModelSize::kSmall:
      return "small";
    case ModelSize::kMedium:
      return "medium";
  }
  return "unknown";
}

const char* ProfileName(Profile profile) { return profile == Profile::kFast960 ? "fast960" : "pipeline"; }

const char* PrecisionName(Precision precision) {
  switch (precision) {
    case Precision::kAuto:
      return "auto";
    case Precision::kPrecise:
      return "precise";
    case Precision::kFast:
      return "fast";
  }
  return "unknown";
}

std::string VersionString() {
  ThreadPool pool(1);
  const Result<std::unique_ptr<Backend>> cpu = OpenBackend("cpu", &pool);
  return StrCat(INKREAD_VERSION " (commit " INKREAD_COMMIT ", ", cpu.ok() ? (*cpu)->Caps().device : "no cpu", ")");
}

}  // namespace inkread
