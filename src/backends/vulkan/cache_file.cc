#include "backends/vulkan/cache_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "backends/vulkan/shaders.h"
#include "base/model_folder.h"
#include "base/status.h"

namespace inkread::vulkan {
namespace {

// FNV-1a over 64-bit words, the last one padded with zeros. Words rather than bytes, since some megabytes are hashed at
// each start.
uint64_t Hash(std::span<const std::byte> bytes, uint64_t hash = 0xcbf29ce484222325u) {
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<size_t>(8, bytes.size() - at));
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;  // so that high bits of a word reach low ones of the hash
  }
  return hash;
}

std::string Hex(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(value));
  return text;
}

uint64_t HashOfShaders() {
  uint64_t hash = Hash({});
  for (Arithmetic arithmetic :
       {Arithmetic::kF32, Arithmetic::kF16, Arithmetic::kMatrixUnits, Arithmetic::kEmulatedUnits}) {
#define INKREAD_STEP(kind, params, stem) hash = Hash(std::as_bytes(ShaderOf(StepKind::kind, arithmetic)), hash);
#include "schedule/steps.inc"
#undef INKREAD_STEP
  }
  return hash;
}

// Precedes the data in the file.
struct Header {
  char magic[8] = {'i', 'n', 'k', 'v', 'k', 'p', 'c', '2'};
  uint64_t size_bytes = 0;
  uint64_t hash = 0;
};

}  // namespace

std::string CachePath(const std::string& folder, const VkPhysicalDeviceProperties& device) {
  if (folder == "none" || (folder.empty() && UserCacheFolder().empty())) return "";
  const std::string where = folder.empty() ? UserCacheFolder() + "/vulkan" : folder;
  const uint64_t of_driver = Hash(std::as_bytes(std::span(device.pipelineCacheUUID)));
  return StrCat(where, "/", Hex(uint64_t{device.vendorID} << 32 | device.deviceID), "-",
                Hex(of_driver ^ device.driverVersion), "-", Hex(HashOfShaders()), ".bin");
}

std::vector<std::byte> ReadCacheFile(const std::string& path) {
  if (path.empty()) return {};
  std::ifstream file(path, std::ios::binary);
  Header header;
  const Header expected;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof(header))) return {};
  if (std::memcmp(header.magic, expected.magic, sizeof(header.magic)) != 0) return {};
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error || size != sizeof(header) + header.size_bytes) return {};
  std::vector<std::byte> data(header.size_bytes);
  if (!file.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(data.size()))) return {};
  if (Hash(data) != header.hash) return {};
  return data;
}

bool WriteCacheFile(const std::string& path, std::span<const std::byte> data) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  if (error) return false;
  Header header;
  header.size_bytes = data.size();
  header.hash = Hash(data);
  const std::string part = StrCat(path, ".", getpid(), ".part");
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(&header), sizeof(header));
    file.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
    file.close();
    if (!file) {
      std::filesystem::remove(part, error);
      return false;
    }
  }
  std::filesystem::rename(part, path, error);
  if (!error) return true;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  return false;
}

}  // namespace inkread::vulkan
