// The recogniser's classes: class 0 is CTC's blank, classes 1 to n are the dictionary's n entries, class n + 1 is a
// space.
#ifndef INKREAD_OCR_DICTIONARY_H_
#define INKREAD_OCR_DICTIONARY_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace inkread {

class Dictionary {
 public:
  // Reads a UTF-8 file with one entry per line. Lines end with LF or CRLF; the last line may end without.
  //
  // num_classes  of the recogniser
  // Errors  kNotFound; kCorruptModel (an empty entry, not UTF-8, or not num_classes - 2 entries), naming the file
  static Result<Dictionary> FromFile(const std::string& path, int num_classes);

  // The same from text, for example a model's metadata `character`. name is the source of the text in messages.
  static Result<Dictionary> FromText(std::string_view text, const std::string& name, int num_classes);

  int num_classes() const { return static_cast<int>(classes_.size()); }

  // The text of a class, index in [0, num_classes()); empty for the blank.
  const std::string& text(int index) const { return classes_[static_cast<size_t>(index)]; }

 private:
  std::vector<std::string> classes_;
};

}  // namespace inkread

#endif  // INKREAD_OCR_DICTIONARY_H_
