// Which of several machines reads a file.
#ifndef INKREAD_APPS_SHARD_H_
#define INKREAD_APPS_SHARD_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "inkread/status.h"

namespace inkread {

// A number that depends on the bytes alone and is the same on every machine and in every version: FNV-1a of 64 bits,
// whose bits are then mixed by the last step of SplitMix64, because a remainder looks at the low bits only.
uint64_t NameHash(std::string_view name);

// One of `count` parts of the files.
struct Shard {
  uint64_t index = 0;  // from 0
  uint64_t count = 1;

  // name  of the file, relative to the argument that it was found by, so that it does not matter where each machine
  //       has the folder
  bool Has(std::string_view name) const { return count == 1 || NameHash(name) % count == index; }
};

// text    "2/8", the second of eight
// Errors  kInvalidArgument
Result<Shard> ParseShard(const std::string& text);

}  // namespace inkread

#endif  // INKREAD_APPS_SHARD_H_
