// Reading pixels, bytes and files.
#include <chrono>
#include <memory>
#include <utility>

#include "c_api/conventions.h"
#include "c_api/file_bytes.h"
#include "c_api/handles.h"

namespace inkread::c_api {
namespace {

inkread_read_options DefaultReadOptions() {
  const ReadOptions cpp;
  inkread_read_options options = {};
  options.struct_size = sizeof options;
  options.detect = options.recognise = 1;
  options.use_classifier = 1;
  options.max_pixels = cpp.max_pixels;
  options.apply_exif_rotation = 1;
  return options;
}

struct Options {
  ReadOptions read;
  DecodeOptions decode;
  int page = 0;
};

Result<Options> ToOptions(const inkread_read_options* given) {
  INKREAD_ASSIGN_OR_RETURN(const inkread_read_options from, Given(given, DefaultReadOptions(), "options"));
  if (from.num_boxes > 0 && from.boxes == nullptr) {
    return InvalidArgument("'boxes' is NULL, but num_boxes is ", from.num_boxes);
  }
  Options options;
  ReadOptions& read = options.read;
  read.detect = from.detect != 0;
  read.recognise = from.recognise != 0;
  for (size_t i = 0; i < from.num_boxes; ++i) {
    std::array<Point, 4> box;
    for (size_t k = 0; k < box.size(); ++k) box[k] = {from.boxes[i].corners[k].x, from.boxes[i].corners[k].y};
    read.boxes.push_back(box);
  }
  read.region = {from.region_x, from.region_y, from.region_width, from.region_height};
  read.cancel = from.cancel == nullptr ? nullptr : &from.cancel->is_set;
  read.time_limit_ms = from.time_limit_ms;
  read.profile = static_cast<Profile>(from.profile);
  read.official = from.official != 0;
  read.order = static_cast<LineOrder>(from.order);
  read.use_classifier = from.use_classifier != 0;
  read.score_thresh = from.score_thresh;
  read.words = from.words != 0;
  read.chars = from.chars != 0;
  read.max_pixels = from.max_pixels;
  options.page = from.page;
  options.decode.max_pixels = from.max_pixels;
  options.decode.apply_exif_rotation = from.apply_exif_rotation != 0;
  options.decode.alpha = static_cast<AlphaMode>(from.alpha);
  return options;
}

// What an image of so many pixels takes at most: four bytes each, and 16 MiB for all else that a file holds.
int64_t MaxFileBytes(int64_t max_pixels) {
  constexpr int64_t kElse = int64_t{16} << 20;
  return 4 * std::clamp<int64_t>(max_pixels, 0, (INT64_MAX - kElse) / 4) + kElse;
}

using Clock = std::chrono::steady_clock;

Status Read(const inkread_engine* engine, const ImageView& image, const ReadOptions& options,
            std::vector<std::string> warnings, std::unique_ptr<inkread_reading> handle, inkread_reading** reading) {
  INKREAD_ASSIGN_OR_RETURN(handle->reading, engine->engine->Read(image, options));
  std::vector<std::string>& all = handle->reading.warnings;
  all.insert(all.begin(), std::make_move_iterator(warnings.begin()), std::make_move_iterator(warnings.end()));
  for (const Line& line : handle->reading.lines) {
    if (&line != &handle->reading.lines.front()) handle->text += '\n';
    handle->text += line.text;
  }
  *reading = handle.release();
  return Status();
}

// start  when loading the file began
Status ReadBytes(const inkread_engine* engine, std::span<const uint8_t> bytes, const Options& options,
                 Clock::time_point start, inkread_reading** reading) {
  INKREAD_ASSIGN_OR_RETURN(const ImageFile file, ImageFile::Open(bytes));
  INKREAD_ASSIGN_OR_RETURN(DecodedImage image, file.Decode(options.page, options.decode));
  auto handle = std::make_unique<inkread_reading>();
  handle->page = options.page;
  handle->num_pages = file.num_pages();
  handle->load_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return Read(engine, image.view(), options.read, std::move(image.warnings), std::move(handle), reading);
}

Status CheckRead(const inkread_engine* engine, const void* input, const char* name, inkread_reading** reading) {
  INKREAD_RETURN_IF_ERROR(Clear(reading, "reading"));
  if (engine == nullptr) return InvalidArgument("'engine' is NULL; expected one from inkread_engine_create");
  if (input == nullptr) return InvalidArgument("'", name, "' is NULL");
  return Status();
}

Status WithFileName(const char* path, const Status& status) {
  return status.ok() ? status : Status(status.code(), StrCat(path, ": ", status.message()));
}

Status CountPages(std::span<const uint8_t> bytes, int32_t* num_pages) {
  INKREAD_ASSIGN_OR_RETURN(const ImageFile file, ImageFile::Open(bytes));
  *num_pages = file.num_pages();
  return Status();
}

}  // namespace
}  // namespace inkread::c_api

using namespace inkread;         // NOLINT: what follows is in no namespace, since its names are C's
using namespace inkread::c_api;  // NOLINT

inkread_status_code inkread_read_options_init(inkread_read_options* options, size_t struct_size) {
  return Init(options, struct_size, DefaultReadOptions());
}

inkread_status_code inkread_read_pixels(const inkread_engine* engine, const inkread_image* image,
                                        const inkread_read_options* options, inkread_reading** reading,
                                        char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(CheckRead(engine, image, "image", reading));
    INKREAD_ASSIGN_OR_RETURN(const inkread_image from, Given(image, inkread_image{}, "image"));
    INKREAD_ASSIGN_OR_RETURN(const Options cpp_options, ToOptions(options));
    const ImageView view = {from.pixels, from.width_px, from.height_px, from.stride_bytes,
                            static_cast<PixelFormat>(from.format)};
    return Read(engine, view, cpp_options.read, {}, std::make_unique<inkread_reading>(), reading);
  });
}

inkread_status_code inkread_read_bytes(const inkread_engine* engine, const void* bytes, size_t num_bytes,
                                       const inkread_read_options* options, inkread_reading** reading, char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(CheckRead(engine, bytes, "bytes", reading));
    INKREAD_ASSIGN_OR_RETURN(const Options cpp_options, ToOptions(options));
    return ReadBytes(engine, {static_cast<const uint8_t*>(bytes), num_bytes}, cpp_options, Clock::now(), reading);
  });
}

inkread_status_code inkread_read_file(const inkread_engine* engine, const char* path,
                                      const inkread_read_options* options, inkread_reading** reading, char** message) {
  return Try(message, [&]() -> Status {
    INKREAD_RETURN_IF_ERROR(CheckRead(engine, path, "path", reading));
    INKREAD_ASSIGN_OR_RETURN(const Options cpp_options, ToOptions(options));
    const Clock::time_point start = Clock::now();
    INKREAD_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes,
                             ReadImageFile(path, MaxFileBytes(cpp_options.decode.max_pixels)));
    return WithFileName(path, ReadBytes(engine, bytes, cpp_options, start, reading));
  });
}

inkread_status_code inkread_count_pages_of_bytes(const void* bytes, size_t num_bytes, int32_t* num_pages,
                                                 char** message) {
  return Try(message, [&]() -> Status {
    if (bytes == nullptr || num_pages == nullptr) return InvalidArgument("'bytes' or 'num_pages' is NULL");
    return CountPages({static_cast<const uint8_t*>(bytes), num_bytes}, num_pages);
  });
}

inkread_status_code inkread_count_pages_of_file(const char* path, int32_t* num_pages, char** message) {
  return Try(message, [&]() -> Status {
    if (path == nullptr || num_pages == nullptr) return InvalidArgument("'path' or 'num_pages' is NULL");
    INKREAD_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes,
                             ReadImageFile(path, MaxFileBytes(DecodeOptions().max_pixels)));
    return WithFileName(path, CountPages(bytes, num_pages));
  });
}
