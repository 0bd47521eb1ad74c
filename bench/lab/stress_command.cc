// inkread-lab stress: many callers read images at once. Each answer must be the one that a single thread gives.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include "base/mapped_file.h"
#include "base/usable_cpus.h"
#include "bench/lab/commands.h"
#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace inkread::lab {
namespace {

struct StressArguments {
  BackendArguments backend;
  std::string size = "small";
  std::string folder;
  int num_reads = 20;
};

struct Image {
  std::string file;
  DecodedImage image;
  std::string expected;  // AnswerText of the single-threaded read
};

// All images of the folder, ordered by name. Ignores other files.
Result<std::vector<Image>> LoadImages(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  if (error) return NotFound(folder, ": cannot be listed: ", error.message());
  std::sort(files.begin(), files.end());
  std::vector<Image> images;
  for (const std::string& file : files) {
    if (std::filesystem::file_size(file) == 0) continue;
    INKREAD_ASSIGN_OR_RETURN(const MappedFile mapped, MappedFile::Open(file));
    if (!LooksLikeImage({reinterpret_cast<const uint8_t*>(mapped.bytes().data()), mapped.bytes().size()})) continue;
    INKREAD_ASSIGN_OR_RETURN(DecodedImage image, DecodeFile(file));
    images.push_back({file, std::move(image), ""});
  }
  if (images.empty()) return NotFound(folder, ": holds no image");
  return images;
}

uint32_t Bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// All of a reading except its times, with numbers as their bits.
std::string AnswerText(const Result<Reading>& reading) {
  if (!reading.ok()) return reading.status().message();
  std::string text = StrCat(BackendName(reading->backend), " ", reading->dropped, "\n");
  for (const std::string& warning : reading->warnings) text += warning + "\n";
  for (const Line& line : reading->lines) {
    for (const Point& corner : line.quad) text += StrCat(Bits(corner.x), ",", Bits(corner.y), " ");
    text += StrCat(Bits(line.score), " ", Bits(line.det_score), " ", line.rotated_180, " ", line.text, "\n");
  }
  return text;
}

Result<int> RunStress(const StressArguments& arguments) {
  const int num_callers = arguments.backend.num_threads > 0 ? arguments.backend.num_threads : UsableCpus();
  INKREAD_ASSIGN_OR_RETURN(std::vector<Image> images, LoadImages(arguments.folder));
  INKREAD_ASSIGN_OR_RETURN(EngineOptions options, EngineOptionsFor(arguments.size, arguments.backend));
  options.num_threads = 1;
  {
    INKREAD_ASSIGN_OR_RETURN(const std::unique_ptr<Engine> single, Engine::Create(options));
    for (Image& image : images) {
      const Result<Reading> reading = single->Read(image.image.view());
      if (!reading.ok()) return Status(reading.status().code(), image.file + ": " + reading.status().message());
      image.expected = AnswerText(reading);
    }
  }

  options.num_threads = num_callers;
  INKREAD_ASSIGN_OR_RETURN(const std::unique_ptr<Engine> engine, Engine::Create(options));
  std::vector<std::atomic<int>> mismatches(images.size());
  const auto call = [&](int caller) {
    const auto check = [&](size_t i, const Result<Reading>& reading) {
      if (AnswerText(reading) != images[i].expected) ++mismatches[i];
    };
    for (int read = 0; read < arguments.num_reads; ++read) {
      // Each caller begins with another image, so that different images are read at the same time. Every second one
      // reads two at once, so that threads join loops and leave them all the time.
      const size_t i = static_cast<size_t>(caller + read) % images.size(), next = (i + 1) % images.size();
      if (caller % 2 == 0) {
        check(i, engine->Read(images[i].image.view()));
        continue;
      }
      const ImageView pair[] = {images[i].image.view(), images[next].image.view()};
      const std::vector<Result<Reading>> readings = engine->ReadMany(pair);
      check(i, readings[0]);
      check(next, readings[1]);
    }
  };
  std::vector<std::thread> callers;
  callers.reserve(static_cast<size_t>(num_callers));
  Status started;
  try {
    for (int caller = 0; caller < num_callers; ++caller) callers.emplace_back(call, caller);
  } catch (const std::system_error& error) {
    started = OutOfMemory("cannot start a thread: ", error.what());
  }
  for (std::thread& caller : callers) caller.join();
  INKREAD_RETURN_IF_ERROR(started);

  int num_mismatches = 0;
  for (size_t i = 0; i < images.size(); ++i) {
    num_mismatches += mismatches[i];
    if (mismatches[i] > 0) std::printf("%s: %d answers differ\n", images[i].file.c_str(), mismatches[i].load());
  }
  std::printf("%s, %s: %d callers x %d reads of %zu images: %d mismatches\n", arguments.size.c_str(),
              engine->Info().device.c_str(), num_callers, arguments.num_reads, images.size(), num_mismatches);
  return num_mismatches == 0 ? 0 : kExitDiffers;
}

}  // namespace

void AddStressCommand(CLI::App& app, int* exit_code) {
  auto arguments = std::make_shared<StressArguments>();
  CLI::App* command =
      app.add_subcommand("stress", "Read images from several threads at once; answers must be a single thread's");
  command->add_option("--input", arguments->folder, "Folder of images")->required()->type_name("DIR");
  command->add_option("--size", arguments->size, "Models to use: tiny, small (default) or medium")->type_name("SIZE");
  command->add_option("--reads", arguments->num_reads, "Reads of each caller (default 20)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  AddBackendArguments(command, &arguments->backend);
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunStress(*arguments)); });
}

}  // namespace inkread::lab
