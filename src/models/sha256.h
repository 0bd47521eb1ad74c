// SHA-256 of bytes and files.
#ifndef INKREAD_MODELS_SHA256_H_
#define INKREAD_MODELS_SHA256_H_

#include <memory>
#include <span>
#include <string>

#include "base/status.h"
#include "models/manifest.h"

namespace inkread::models {

// Incremental hash.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void Update(std::span<const char> bytes);
  // Length and SHA-256 of all bytes so far. Call once.
  Form Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Form FormOf(std::span<const char> bytes);

// Errors  kNotFound (cannot be read; the message states the reason)
Result<Form> FormOfFile(const std::string& path);

// Checks that two forms agree. The error message begins with `what` and states the expected and the actual value.
//
// Errors  kCorruptModel
Status CheckForm(const std::string& what, const Form& expected, const Form& found);

}  // namespace inkread::models

#endif  // INKREAD_MODELS_SHA256_H_
