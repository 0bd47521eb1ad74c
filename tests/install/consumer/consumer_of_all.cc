// Another program of somebody else's, with the libraries beside the engine.
#include <inkread/codec.h>
#include <inkread/document.h>
#include <inkread/formats.h>
#include <inkread/models.h>
#include <inkread/server.h>

#include <cstdio>
#include <sstream>

int main() {
  const auto image = inkread::DecodeImage({}, {});
  std::ostringstream document;
  const auto writer = inkread::MakeJsonWriter({}, &document);
  writer->Write({});
  writer->End();
  const auto start = &inkread::Server::Start;  // without models there is no engine to call it with
  std::printf("%s; %zu sizes; %s\n", image.status().message().c_str(), inkread::ModelSizes().size(),
              document.str().c_str());
  return image.ok() || start == nullptr || inkread::ModelSizes().size() != 3;
}
