// Another program of somebody else's, with the two libraries beside the engine.
#include <inkread/codec.h>
#include <inkread/models.h>

#include <cstdio>

int main() {
  const auto image = inkread::DecodeImage({}, {});
  std::printf("%s; %zu sizes\n", image.status().message().c_str(), inkread::ModelSizes().size());
  return image.ok() || inkread::ModelSizes().size() != 3;
}
