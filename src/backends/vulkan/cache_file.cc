#include "backends/vulkan/cache_file.h"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "backends/vulkan/shaders.h"
#include "base/model_folder.h"
#include "base/status.h"

namespace inkread::vulkan {
namespace {

// FNV-1a.
uint64_t Hash(std::span<const std::byte> bytes, uint64_t hash = 0xcbf29ce484222325u) {
  for (std::byte b : bytes) hash = (hash ^ static_cast<uint64_t>(b)) * 0x100000001b3u;
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

// Stands before the data.
struct Header {
  char magic[8] = {'i', 'n', 'k', 'v', 'k', 'p', 'c', '1'};
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
  std::ifstream file(path, std::ios::binary);
  if (path.empty() || !file) return {};
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Header header;
  if (text.size() < sizeof(header)) return {};
  const Header expected;
  std::memcpy(&header, text.data(), sizeof(header));
  if (std::memcmp(header.magic, expected.magic, sizeof(header.magic)) != 0) return {};
  const std::span data = std::as_bytes(std::span(text)).subspan(sizeof(header));
  if (data.size() != header.size_bytes || Hash(data) != header.hash) return {};
  return {data.begin(), data.end()};
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
