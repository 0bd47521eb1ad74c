#include "apps/shard.h"

#include <charconv>

namespace inkread {
namespace {

constexpr uint64_t kMaxShards = 1'000'000;

}  // namespace

uint64_t NameHash(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return hash ^ (hash >> 31);
}

Result<Shard> ParseShard(const std::string& text) {
  uint64_t number = 0, count = 0;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, number);
  const bool has_slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = has_slash ? std::from_chars(first.ptr + 1, end, count) : first;
  if (!has_slash || second.ec != std::errc() || second.ptr != end || number < 1 || number > count ||
      count > kMaxShards) {
    return Status(StatusCode::kInvalidArgument,
                  "'" + text + "' is not a part such as 2/8, the second of eight; parts count from 1 to 1000000");
  }
  return Shard{number - 1, count};
}

}  // namespace inkread
