// How users name a device: by its index, or by a part of its name in any case.
#ifndef INKREAD_BASE_DEVICE_NAME_H_
#define INKREAD_BASE_DEVICE_NAME_H_

#include <algorithm>
#include <cctype>
#include <string>

namespace inkread {

// Whether `wanted`, which is not empty, names this device. Digits alone are an index.
inline bool IsNamed(int index, const std::string& name, const std::string& wanted) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (std::all_of(wanted.begin(), wanted.end(), is_digit)) return wanted == std::to_string(index);
  const auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(name.begin(), name.end(), wanted.begin(), wanted.end(), same) != name.end();
}

}  // namespace inkread

#endif  // INKREAD_BASE_DEVICE_NAME_H_
