// SHA-256 of bytes and files.
#ifndef INKREAD_MODELS_SHA256_H_
#define INKREAD_MODELS_SHA256_H_

#include <memory>
#include <span>
#include <string>

#include "base/status.h"
#include "models/manifest.h"

namespace inkread::models {

// Takes bytes piece by piece.
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

// Errors  kNotFound (cannot be read; says why)
Result<Form> FormOfFile(const std::string& path);

// Ok when they agree; else says of `what` which length or which SHA-256 was expected and found.
//
// Errors  kCorruptModel
Status CheckForm(const std::string& what, const Form& expected, const Form& found);

}  // namespace inkread::models

#endif  // INKREAD_MODELS_SHA256_H_
