#include "models/sha256.h"

#include <openssl/evp.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace inkread::models {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  int64_t bytes = 0;
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  INKREAD_CHECK(state_->context != nullptr && EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1);
}
Sha256::~Sha256() = default;

void Sha256::Update(std::span<const char> bytes) {
  INKREAD_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
  state_->bytes += static_cast<int64_t>(bytes.size());
}

Form Sha256::Finish() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  INKREAD_CHECK(EVP_DigestFinal_ex(state_->context, digest, &length) == 1);
  std::string hex;
  for (unsigned int i = 0; i < length; ++i) {
    hex += "0123456789abcdef"[digest[i] >> 4];
    hex += "0123456789abcdef"[digest[i] & 15];
  }
  return {state_->bytes, hex};
}

Form FormOf(std::span<const char> bytes) {
  Sha256 sha256;
  sha256.Update(bytes);
  return sha256.Finish();
}

Result<Form> FormOfFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), &std::fclose);
  if (file == nullptr) return NotFound(path, ": cannot open: ", std::strerror(errno));
  Sha256 sha256;
  std::vector<char> buffer(1 << 18);
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    sha256.Update(std::span<const char>(buffer.data(), got));
  }
  if (std::ferror(file.get())) return NotFound(path, ": cannot read: ", std::strerror(errno));
  return sha256.Finish();
}

Status CheckForm(const std::string& what, const Form& expected, const Form& found) {
  if (expected == found) return Status();
  if (expected.bytes != found.bytes) {
    return CorruptModel(what, ": expected ", expected.bytes, " bytes, found ", found.bytes);
  }
  return CorruptModel(what, ": expected SHA-256 ", expected.sha256, ", found ", found.sha256);
}

}  // namespace inkread::models
