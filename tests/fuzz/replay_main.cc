// Runs a fuzz target without a fuzzer: over every file of a corpus, and over a fixed number of damaged copies of each.
// The same inputs every time, so that a failure can be repeated.
//
//   x_fuzz [--mutations N] [--write-failing FILE] FILE|FOLDER...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Bytes = std::vector<uint8_t>;

std::vector<std::filesystem::path> FilesOf(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

// One to eight of the damages that break parsers.
Bytes Damage(Bytes bytes, std::mt19937* random) {
  const auto below = [&](size_t n) { return n == 0 ? 0 : (*random)() % n; };
  constexpr uint32_t kNumbers[] = {0,      1,      2,      0x7F,       0x80,       0xFF,      0x100,
                                   0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  for (size_t rounds = 1 + below(8); rounds > 0 && !bytes.empty(); --rounds) {
    const size_t at = below(bytes.size());
    switch (below(6)) {
      case 0:  // a bit
        bytes[at] ^= static_cast<uint8_t>(1u << below(8));
        break;
      case 1:  // a byte
        bytes[at] = static_cast<uint8_t>((*random)());
        break;
      case 2: {  // a number on an edge, 1, 2 or 4 bytes, either order
        const uint32_t number = kNumbers[below(std::size(kNumbers))];
        const size_t width = size_t{1} << below(3);
        const bool little = below(2) == 0;
        for (size_t i = 0; i < width && at + i < bytes.size(); ++i) {
          bytes[at + i] = static_cast<uint8_t>(number >> 8 * (little ? i : width - 1 - i));
        }
        break;
      }
      case 3:  // cut
        bytes.resize(at);
        break;
      case 4: {  // a piece taken out
        const size_t end = std::min(bytes.size(), at + 1 + below(16));
        bytes.erase(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin() + static_cast<ptrdiff_t>(end));
        break;
      }
      default: {  // a piece doubled
        const size_t end = std::min(bytes.size(), at + 1 + below(16));
        const Bytes piece(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin() + static_cast<ptrdiff_t>(end));
        bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(end), piece.begin(), piece.end());
        break;
      }
    }
  }
  return bytes;
}

// Left on the disk when the target does not come back.
void Run(const Bytes& bytes, const std::string& failing_path) {
  if (!failing_path.empty()) {
    std::ofstream out(failing_path, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  // An exact copy on the heap, so that a sanitizer sees every byte read beyond it.
  const Bytes exact(bytes);
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

}  // namespace

int main(int argc, char** argv) {
  int num_mutations = 0;
  std::string failing_path;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--mutations") == 0 && i + 1 < argc) {
      num_mutations = std::atoi(argv[++i]);
    } else if (std::strcmp(argv[i], "--write-failing") == 0 && i + 1 < argc) {
      failing_path = argv[++i];
    } else {
      paths.emplace_back(argv[i]);
    }
  }
  const auto files = FilesOf(paths);
  if (files.empty()) {
    std::fprintf(stderr, "usage: %s [--mutations N] [--write-failing FILE] FILE|FOLDER...\n", argv[0]);
    return 2;
  }
  std::mt19937 random(20240607);
  int num_runs = 0;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const Bytes bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    Run(bytes, failing_path);
    for (int i = 0; i < num_mutations; ++i) Run(Damage(bytes, &random), failing_path);
    num_runs += 1 + num_mutations;
  }
  if (!failing_path.empty()) std::filesystem::remove(failing_path);
  std::printf("%d inputs from %zu files\n", num_runs, files.size());
  return 0;
}
