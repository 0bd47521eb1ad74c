// inkread._core: the C interface for Python. What it returns is tuples, which inkread/_results.py gives their types.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "inkread/inkread.h"
#include "reading_thread.h"
#include "status_error.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace inkread::python {
namespace {

void Check(inkread_status_code code, char* message) {
  if (code == INKREAD_OK) return;
  std::string text = message != nullptr ? message : "out of memory";
  inkread_message_free(message);
  throw StatusError(code, std::move(text));
}

class Cancel {
 public:
  // parent  is not cancelled by this one, but cancels it; may be null; outlives it
  explicit Cancel(Cancel* parent) : parent_(parent) {
    char* message = nullptr;
    Check(inkread_cancel_create(&cancel_, &message), message);
    if (parent_ != nullptr) parent_->Add(this);
  }
  ~Cancel() {
    if (parent_ != nullptr) parent_->Remove(this);
    inkread_cancel_free(cancel_);
  }
  Cancel(const Cancel&) = delete;
  Cancel& operator=(const Cancel&) = delete;

  void Set() {
    const std::lock_guard lock(mutex_);
    is_set_ = true;
    inkread_cancel_set(cancel_, nullptr);
    for (Cancel* child : children_) child->Set();
  }
  const inkread_cancel* get() const { return cancel_; }

 private:
  void Add(Cancel* child) {
    const std::lock_guard lock(mutex_);
    children_.push_back(child);
    if (is_set_) child->Set();
  }
  void Remove(Cancel* child) {
    const std::lock_guard lock(mutex_);
    children_.erase(std::find(children_.begin(), children_.end(), child));
  }

  Cancel* const parent_;
  inkread_cancel* cancel_ = nullptr;
  std::mutex mutex_;  // a parent's is locked before a child's
  bool is_set_ = false;
  std::vector<Cancel*> children_;
};

using Quad = std::array<std::array<int32_t, 2>, 4>;

struct ReadOptions {
  ReadOptions(bool detect, bool recognise, const std::vector<Quad>& given_boxes,
              const std::optional<std::array<int32_t, 4>>& region, double time_limit_ms, int profile, bool official,
              int order, bool use_classifier, float score_thresh, bool words, bool chars, int64_t max_pixels, int page,
              bool apply_exif_rotation, int alpha) {
    inkread_read_options_init(&options, sizeof options);
    for (const Quad& quad : given_boxes) {
      inkread_quad box;
      for (size_t i = 0; i < quad.size(); ++i) box.corners[i] = {quad[i][0], quad[i][1]};
      boxes.push_back(box);
    }
    options.detect = detect;
    options.recognise = recognise;
    options.boxes = boxes.data();
    options.num_boxes = boxes.size();
    if (region.has_value()) {
      options.region_x = (*region)[0];
      options.region_y = (*region)[1];
      options.region_width = (*region)[2];
      options.region_height = (*region)[3];
    }
    options.time_limit_ms = time_limit_ms;
    options.profile = profile;
    options.official = official;
    options.order = order;
    options.use_classifier = use_classifier;
    options.score_thresh = score_thresh;
    options.words = words;
    options.chars = chars;
    options.max_pixels = max_pixels;
    options.page = page;
    options.apply_exif_rotation = apply_exif_rotation;
    options.alpha = alpha;
  }
  ReadOptions(const ReadOptions&) = delete;
  ReadOptions& operator=(const ReadOptions&) = delete;

  std::vector<inkread_quad> boxes;
  inkread_read_options options;
};

nb::str Utf8(const char* text, size_t bytes) {
  PyObject* const decoded = PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(bytes), "replace");
  if (decoded == nullptr) nb::raise_python_error();
  return nb::steal<nb::str>(decoded);
}
nb::str Utf8(const char* text) { return Utf8(text, std::strlen(text)); }

nb::tuple QuadTuple(const inkread_quad& quad) {
  const inkread_point* c = quad.corners;
  return nb::make_tuple(nb::make_tuple(c[0].x, c[0].y), nb::make_tuple(c[1].x, c[1].y), nb::make_tuple(c[2].x, c[2].y),
                        nb::make_tuple(c[3].x, c[3].y));
}

nb::list WordList(const inkread_reading* reading, size_t line, inkread_part part, size_t count) {
  nb::list words;
  for (size_t i = 0; i < count; ++i) {
    inkread_word word = {};
    word.struct_size = sizeof word;
    Check(inkread_reading_get_word(reading, line, part, i, &word, nullptr), nullptr);
    words.append(nb::make_tuple(Utf8(word.text, word.text_bytes), word.score, QuadTuple(word.quad)));
  }
  return words;
}

struct FreeReading {
  void operator()(inkread_reading* reading) const { inkread_reading_free(reading); }
};
using ReadingPtr = std::unique_ptr<inkread_reading, FreeReading>;

nb::tuple ReadingTuple(const inkread_reading* reading) {
  inkread_reading_info info = {};
  info.struct_size = sizeof info;
  Check(inkread_reading_get_info(reading, &info, nullptr), nullptr);
  nb::list lines;
  for (size_t i = 0; i < info.num_lines; ++i) {
    inkread_line line = {};
    line.struct_size = sizeof line;
    Check(inkread_reading_get_line(reading, i, &line, nullptr), nullptr);
    lines.append(nb::make_tuple(Utf8(line.text, line.text_bytes), line.score, line.det_score, QuadTuple(line.quad),
                                line.rotated_180 != 0, WordList(reading, i, INKREAD_PART_WORDS, line.num_words),
                                WordList(reading, i, INKREAD_PART_CHARS, line.num_chars)));
  }
  nb::list warnings;
  for (size_t i = 0; i < info.num_warnings; ++i) {
    const char* warning = nullptr;
    Check(inkread_reading_get_warning(reading, i, &warning, nullptr), nullptr);
    warnings.append(Utf8(warning));
  }
  const nb::tuple ms = nb::make_tuple(info.total_ms, info.detect_input_ms, info.detect_ms, info.boxes_ms, info.crop_ms,
                                      info.recognise_ms, info.decode_ms, info.load_ms);
  return nb::make_tuple(info.width_px, info.height_px, lines, info.turned_deg, info.backend, info.device, info.dropped,
                        warnings, ms, info.page, info.num_pages);
}

// The buffer of a bytes-like object.
class Buffer {
 public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) nb::raise_python_error();
  }
  ~Buffer() { PyBuffer_Release(&view_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  const uint8_t* data() const { return static_cast<const uint8_t*>(view_.buf); }
  size_t size() const { return static_cast<size_t>(view_.len); }

 private:
  Py_buffer view_ = {};
};

std::string DtypeName(nb::dlpack::dtype dtype) {
  const std::string bits = std::to_string(dtype.bits);
  switch (static_cast<nb::dlpack::dtype_code>(dtype.code)) {
    case nb::dlpack::dtype_code::Int:
      return "int" + bits;
    case nb::dlpack::dtype_code::UInt:
      return "uint" + bits;
    case nb::dlpack::dtype_code::Float:
      return "float" + bits;
    case nb::dlpack::dtype_code::Bfloat:
      return "bfloat" + bits;
    case nb::dlpack::dtype_code::Complex:
      return "complex" + bits;
    case nb::dlpack::dtype_code::Bool:
      return "bool";
    default:
      return "another type";
  }
}

using Array = nb::ndarray<nb::ro>;

// An array as an image. `copy` takes the pixels where those of a row do not lie side by side.
inkread_image ImageOf(const Array& array, bool bgr, std::vector<uint8_t>* copy) {
  if (array.dtype() != nb::dtype<uint8_t>()) {
    throw nb::type_error(("an array of " + DtypeName(array.dtype()) +
                          "; expected uint8. Convert it: (array * 255).astype('uint8') for values in [0, 1]")
                             .c_str());
  }
  if (array.device_type() != nb::device::cpu::value) throw nb::type_error("an array on a GPU; expected one in memory");
  const size_t num_axes = array.ndim();
  const int64_t channels = num_axes == 3 ? static_cast<int64_t>(array.shape(2)) : 1;
  if ((num_axes != 2 && num_axes != 3) || (channels != 1 && channels != 3 && channels != 4)) {
    std::string shape;
    for (size_t i = 0; i < num_axes; ++i) shape += (i == 0 ? "" : ", ") + std::to_string(array.shape(i));
    throw StatusError(INKREAD_ERROR_INVALID_ARGUMENT, "an array of shape [" + shape +
                                                          "]; expected [height, width] or [height, width, channels] "
                                                          "with 1, 3 or 4 channels");
  }
  const auto height = static_cast<int64_t>(array.shape(0)), width = static_cast<int64_t>(array.shape(1));
  if (height > INT32_MAX || width > INT32_MAX) {
    throw StatusError(INKREAD_ERROR_INVALID_ARGUMENT, "an array with more than 2147483647 rows or columns");
  }
  const int64_t row = array.stride(0), column = array.stride(1);
  const int64_t channel = num_axes == 3 && channels > 1 ? array.stride(2) : 1;
  inkread_image image = {};
  image.struct_size = sizeof image;
  image.pixels = static_cast<const uint8_t*>(array.data());
  image.width_px = static_cast<int32_t>(width);
  image.height_px = static_cast<int32_t>(height);
  image.format = channels == 1   ? INKREAD_FORMAT_GRAY8
                 : channels == 3 ? (bgr ? INKREAD_FORMAT_BGR24 : INKREAD_FORMAT_RGB24)
                                 : (bgr ? INKREAD_FORMAT_BGRA32 : INKREAD_FORMAT_RGBA32);
  if (height == 0 || width == 0) return image;  // the read says that it is empty
  const int64_t row_bytes = width * channels;
  const bool rows_fit = height == 1 || row >= row_bytes || row <= -row_bytes;
  image.stride_bytes = height == 1 ? row_bytes : row;
  if (rows_fit && (column == channels || width == 1)) {
    if (channel == 1) return image;
    if (channels == 3 && channel == -1) {  // array[:, :, ::-1]: the same bytes, named the other way round
      image.pixels -= 2;
      image.format = bgr ? INKREAD_FORMAT_RGB24 : INKREAD_FORMAT_BGR24;
      return image;
    }
  }
  copy->resize(static_cast<size_t>(height * row_bytes));
  uint8_t* to = copy->data();
  for (int64_t y = 0; y < height; ++y) {
    for (int64_t x = 0; x < width; ++x) {
      const uint8_t* from = image.pixels + y * row + x * column;
      for (int64_t c = 0; c < channels; ++c) *to++ = from[c * channel];
    }
  }
  image.pixels = copy->data();
  image.stride_bytes = row_bytes;
  return image;
}

class Engine {
 public:
  Engine(int size, int backend, const std::vector<std::string>& devices, bool strict_backend, int precision,
         int num_threads, bool use_classifier, const std::string& model_folder, const std::string& det_file,
         const std::string& rec_file, const std::string& dictionary_file)
      : pid_(::getpid()) {
    std::vector<const char*> names;
    for (const std::string& device : devices) names.push_back(device.c_str());
    inkread_engine_options options;
    inkread_engine_options_init(&options, sizeof options);
    options.size = size;
    options.backend = backend;
    options.devices = names.data();
    options.num_devices = names.size();
    options.strict_backend = strict_backend;
    options.precision = precision;
    options.num_threads = num_threads;
    options.use_classifier = use_classifier;
    options.model_folder = model_folder.c_str();
    options.det_file = det_file.c_str();
    options.rec_file = rec_file.c_str();
    options.dictionary_file = dictionary_file.c_str();
    char* message = nullptr;
    inkread_status_code code;
    {
      const nb::gil_scoped_release released;
      code = inkread_engine_create(&options, &engine_, &message);
    }
    Check(code, message);
  }
  ~Engine() {
    if (::getpid() != pid_) return;  // after a fork the engine's threads are not there: joining them would never end
    const nb::gil_scoped_release released;
    inkread_engine_free(engine_);
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  nb::tuple ReadFile(const nb::bytes& path, const ReadOptions& options, Cancel* cancel, bool watch_signals) const {
    return Read(options, cancel, watch_signals,
                [&](const inkread_read_options* read, inkread_reading** reading, char** message) {
                  return inkread_read_file(engine_, path.c_str(), read, reading, message);
                });
  }
  nb::tuple ReadBytes(nb::handle bytes, const ReadOptions& options, Cancel* cancel, bool watch_signals) const {
    const Buffer buffer(bytes);
    static constexpr uint8_t kNothing = 0;
    const uint8_t* const data = buffer.size() == 0 ? &kNothing : buffer.data();
    return Read(options, cancel, watch_signals,
                [&](const inkread_read_options* read, inkread_reading** reading, char** message) {
                  return inkread_read_bytes(engine_, data, buffer.size(), read, reading, message);
                });
  }
  nb::tuple ReadArray(const nb::object& object, bool bgr, const ReadOptions& options, Cancel* cancel,
                      bool watch_signals) const {
    Array array;
    if (!nb::try_cast<Array>(object, array, false)) {
      const std::string name = nb::cast<std::string>(nb::str(object.type().attr("__name__")));
      throw nb::type_error(
          ("cannot read an object of type " + name + "; expected a path, bytes, an array of uint8 or a PIL image")
              .c_str());
    }
    std::vector<uint8_t> copy;
    const inkread_image image = ImageOf(array, bgr, &copy);
    return Read(options, cancel, watch_signals,
                [&](const inkread_read_options* read, inkread_reading** reading, char** message) {
                  return inkread_read_pixels(engine_, &image, read, reading, message);
                });
  }

  nb::tuple Info() const {
    Owned();
    inkread_engine_info info = {};
    info.struct_size = sizeof info;
    char* message = nullptr;
    Check(inkread_engine_get_info(engine_, &info, &message), message);
    return nb::make_tuple(info.size, info.backend, info.precision, info.num_threads, info.has_classifier != 0);
  }

 private:
  void Owned() const {
    if (::getpid() == pid_) return;
    throw StatusError(INKREAD_ERROR_INVALID_ARGUMENT,
                      "this engine was made before the process was forked; make one in the child");
  }

  // watch_signals  of the main thread: a signal whose handler raises, as Ctrl-C, ends the read
  template <typename F>
  nb::tuple Read(const ReadOptions& options, Cancel* cancel, bool watch_signals, const F& read) const {
    Owned();
    inkread_read_options with_cancel = options.options;
    if (cancel != nullptr) with_cancel.cancel = cancel->get();
    inkread_reading* reading = nullptr;
    char* message = nullptr;
    inkread_status_code code = INKREAD_OK;
    if (watch_signals) {
      Cancel by_signal(cancel);
      with_cancel.cancel = by_signal.get();
      const bool is_interrupted =
          !RunOnReadingThread([&] { code = read(&with_cancel, &reading, &message); }, [&] { by_signal.Set(); });
      if (is_interrupted) {
        inkread_reading_free(reading);
        inkread_message_free(message);
        nb::raise_python_error();
      }
    } else {
      const nb::gil_scoped_release released;
      code = read(&with_cancel, &reading, &message);
    }
    const ReadingPtr owned(reading);
    Check(code, message);
    return ReadingTuple(reading);
  }

  const pid_t pid_;
  inkread_engine* engine_ = nullptr;
};

nb::list Devices() {
  inkread_devices* devices = nullptr;
  char* message = nullptr;
  inkread_status_code code;
  {
    const nb::gil_scoped_release released;
    code = inkread_list_devices(&devices, &message);
  }
  Check(code, message);
  const std::unique_ptr<inkread_devices, decltype(&inkread_devices_free)> owned(devices, inkread_devices_free);
  size_t count = 0;
  Check(inkread_devices_count(devices, &count, nullptr), nullptr);
  nb::list list;
  for (size_t i = 0; i < count; ++i) {
    inkread_device device = {};
    device.struct_size = sizeof device;
    Check(inkread_devices_get(devices, i, &device, nullptr), nullptr);
    list.append(nb::make_tuple(device.backend, device.index, Utf8(device.name), Utf8(device.details),
                               Utf8(device.problem), Utf8(device.not_default_reason)));
  }
  return list;
}

int NumPagesOfFile(const nb::bytes& path) {
  int32_t num_pages = 0;
  char* message = nullptr;
  inkread_status_code code;
  {
    const nb::gil_scoped_release released;
    code = inkread_count_pages_of_file(path.c_str(), &num_pages, &message);
  }
  Check(code, message);
  return num_pages;
}

int NumPagesOfBytes(nb::handle bytes) {
  const Buffer buffer(bytes);
  int32_t num_pages = 0;
  char* message = nullptr;
  Check(inkread_count_pages_of_bytes(buffer.data(), buffer.size(), &num_pages, &message), message);
  return num_pages;
}

}  // namespace

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // an engine may live as long as the process
  RegisterStatusError();
  // The types are inkread/_results.py's, which the package's users see.
#define RAW_READING \
  "tuple[int, int, list[tuple[typing.Any, ...]], float, int, int, int, list[str], tuple[float, ...], int, int]"
  nb::class_<Cancel>(module, "Cancel",
                     "Ends reads early: they raise CancelledError soon after `cancel()`, its own or that of `parent`.")
      .def(nb::init<Cancel*>(), "parent"_a.none() = nb::none(), nb::keep_alive<1, 2>())
      .def("cancel", &Cancel::Set, "Ends every read that was or will be given this object. Any thread may call it.");
  nb::class_<ReadOptions>(module, "ReadOptions")
      .def(nb::init<bool, bool, const std::vector<Quad>&, const std::optional<std::array<int32_t, 4>>&, double, int,
                    bool, int, bool, float, bool, bool, int64_t, int, bool, int>(),
           "detect"_a, "recognise"_a, "boxes"_a, "region"_a.none(), "time_limit_ms"_a, "profile"_a, "official"_a,
           "order"_a, "use_classifier"_a, "score_thresh"_a, "words"_a, "chars"_a, "max_pixels"_a, "page"_a,
           "apply_exif_rotation"_a, "alpha"_a);
  nb::class_<Engine>(module, "Engine")
      .def(nb::init<int, int, const std::vector<std::string>&, bool, int, int, bool, const std::string&,
                    const std::string&, const std::string&, const std::string&>(),
           "size"_a, "backend"_a, "devices"_a, "strict_backend"_a, "precision"_a, "num_threads"_a, "use_classifier"_a,
           "model_folder"_a, "det_file"_a, "rec_file"_a, "dictionary_file"_a)
      .def("read_file", &Engine::ReadFile, "path"_a, "options"_a, "cancel"_a.none(), "watch_signals"_a,
           nb::sig("def read_file(self, path: bytes, options: ReadOptions, cancel: Cancel | None, "
                   "watch_signals: bool) -> " RAW_READING))
      .def("read_bytes", &Engine::ReadBytes, "data"_a, "options"_a, "cancel"_a.none(), "watch_signals"_a,
           nb::sig("def read_bytes(self, data: bytes | bytearray | memoryview, options: ReadOptions, "
                   "cancel: Cancel | None, watch_signals: bool) -> " RAW_READING))
      .def("read_array", &Engine::ReadArray, "array"_a.none(), "bgr"_a, "options"_a, "cancel"_a.none(),
           "watch_signals"_a,
           nb::sig("def read_array(self, array: object, bgr: bool, options: ReadOptions, cancel: Cancel | None, "
                   "watch_signals: bool) -> " RAW_READING))
      .def("info", &Engine::Info, nb::sig("def info(self) -> tuple[int, int, int, int, bool]"));
  module.def("devices", &Devices, nb::sig("def devices() -> list[tuple[int, int, str, str, str, str]]"));
  module.def("num_pages_of_file", &NumPagesOfFile, "path"_a);
  module.def("num_pages_of_bytes", &NumPagesOfBytes, "data"_a,
             nb::sig("def num_pages_of_bytes(data: bytes | bytearray | memoryview) -> int"));
  module.def(
      "status_name", [](int code) { return std::string(inkread_status_name(code)); }, "code"_a);
  module.def("version", [] { return std::string(inkread_version()); });
}

}  // namespace inkread::python
