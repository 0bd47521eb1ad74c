// The recogniser's classes: class 0 is CTC's blank, classes 1 to n are the dictionary's n entries, and class n + 1, if
// there is one, is a space.
#ifndef INKREAD_OCR_DICTIONARY_H_
#define INKREAD_OCR_DICTIONARY_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace inkread {

class Dictionary {
 public:
  // From UTF-8 text with one entry per line: a file, or a model's metadata `character`. Lines end with LF or CRLF; the
  // last line may end without.
  //
  // name            the source of the text in messages
  // num_classes     of the recogniser
  // may_lack_space  the last class may be the last entry instead of a space
  // Errors  kCorruptModel (an empty entry, not UTF-8, or not num_classes - 2 entries)
  static Result<Dictionary> FromText(std::string_view text, const std::string& name, int num_classes,
                                     bool may_lack_space = false);

  int num_classes() const { return static_cast<int>(classes_.size()); }

  // The text of a class, index in [0, num_classes()); empty for the blank.
  const std::string& text(int index) const { return classes_[static_cast<size_t>(index)]; }

 private:
  std::vector<std::string> classes_;
};

}  // namespace inkread

#endif  // INKREAD_OCR_DICTIONARY_H_
