// A program of somebody else's: says the version, and what is missing when there are no models.
#include <inkread/ocr.h>

#include <cstdio>

int main() {
  std::printf("inkread %s\n", inkread::VersionString().c_str());
  inkread::EngineOptions options;
  options.model_folder = "no/models/here";
  const auto engine = inkread::Engine::Create(options);
  std::printf("%s\n", engine.status().message().c_str());
  return engine.status().code() == inkread::StatusCode::kNotFound ? 0 : 1;
}
