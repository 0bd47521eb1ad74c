// inkread: finds and reads the text in images, with the PP-OCRv6 networks.
//
//   auto engine = inkread::Engine::Create();
//   if (!engine) {
//     std::fprintf(stderr, "%s\n", engine.status().message().c_str());
//     return 1;
//   }
//   auto reading = (*engine)->Read({pixels, width, height, stride, inkread::PixelFormat::kBgr24});
//   if (!reading) {
//     std::fprintf(stderr, "%s\n", reading.status().message().c_str());
//     return 1;
//   }
//   for (const inkread::Line& line : reading->lines) std::puts(line.text.c_str());
//
// Model files are not part of the library: `inkread models fetch small` or inkread/models.h puts them where Create
// looks. examples/ has complete programs.
#ifndef INKREAD_OCR_H_
#define INKREAD_OCR_H_

#include "inkread/config.h"
// The standard's headers come second, so that an older C++ meets the line above first.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "inkread/image.h"
#include "inkread/status.h"

namespace inkread {

// tiny reads Chinese, English and Greek; small and medium add Japanese kana and rarer characters. None reads Hangul,
// Cyrillic, Arabic or Thai.
enum class ModelSize { kTiny, kSmall, kMedium };

enum class OcrBackend { kAuto, kCpu, kVulkan, kMetal };

// In which size text is looked for. kAuto shrinks the image as far as large text allows and looks again in full size
// where that shows small text or nothing; very long images are looked at in strips. kPipeline, the official size, is the
// image's own resolution up to a longer side of 4000 px; kFast960 first shrinks the longer side to 960 px.
enum class Profile { kAuto, kPipeline, kFast960 };

// kReader is the order in which people read: columns of prose one after another, tables and forms row by row, vertical
// writing from the right. kOfficial is the official pipeline's: from the top down, whatever the layout.
enum class LineOrder { kReader, kOfficial };

// kPrecise is 32-bit float throughout. kFast may store and multiply in 16 bits where the device has units for it.
// kAuto is kPrecise on the CPU and kFast on GPUs.
enum class Precision { kAuto, kPrecise, kFast };

// A word of a line, or one of its characters.
struct Word {
  std::array<Point, 4> quad;  // around its ink; corner i is the one towards corner i of the line's quad
  std::string text;           // UTF-8, without spaces
  float score = 0;            // mean confidence of its characters, [0, 1]
  friend bool operator==(const Word&, const Word&) = default;
};

struct Line {
  std::array<Point, 4> quad;  // px of the image as passed in; clockwise, from the top left corner of the text
  std::string text;           // UTF-8; may be empty where a region was found but nothing was read
  float score = 0;            // confidence of the recogniser, [0, 1]
  float det_score = 0;        // confidence of the detector, [0, 1]
  bool rotated_180 = false;   // the line is upside down against the rest of the page
  // Only where ReadOptions asks for them, in reading direction. They do not overlap and hold all of the text but its
  // spaces.
  std::vector<Word> words;
  std::vector<Word> chars;
};

// Wall-clock milliseconds of one Read. The times of images that ReadMany reads at once overlap.
struct StageTimes {
  double total = 0;
  double detect_input = 0;  // resize and normalise
  double detect = 0;        // detector network
  double boxes = 0;         // probability map to quads
  double crop = 0;          // line crops and, where it is on, the classifier
  double recognise = 0;     // input and network of the recogniser
  double decode = 0;        // classes to text
};

struct Reading {
  int width_px = 0, height_px = 0;
  std::vector<Line> lines;  // in the order of ReadOptions::order
  // By how many degrees the content is turned clockwise in the image, in (-45, 315]: close to 0, 90, 180 or 270 for a
  // page that lies almost straight, 2 for one that is askew by 2 degrees. Turned counter-clockwise by it, the page is
  // upright. A few short lines tell it to about 3 degrees only. 0 with ReadOptions::official, and if the lines have no
  // direction in common.
  float turned_deg = 0;
  OcrBackend backend = OcrBackend::kCpu;  // the one that ran
  int device = 0;                         // index into EngineInfo::devices
  StageTimes ms;
  int dropped = 0;                    // number of lines left out because of score_thresh
  std::vector<std::string> warnings;  // for people: "more than 3000 regions were found; ..."
};

inline constexpr char kAllDevices[] = "all";

struct EngineOptions {
  ModelSize size = ModelSize::kSmall;
  OcrBackend backend = OcrBackend::kAuto;  // kAuto follows the environment variable INKREAD_BACKEND where it is set
  // The GPUs to use, each by its index among the backend's devices in ListDevices() or by a part of its name in any
  // case. kAllDevices alone: every default device of the backend. Empty: the first default device.
  // Each device holds the networks, and a read goes to the one with the fewest in flight. A device that is named twice
  // counts as two. What a device was reading when it failed is finished on the CPU; later reads go to the other devices
  // while there are any.
  std::vector<std::string> devices;
  bool strict_backend = false;  // a device's fault is an error instead of a fallback to the CPU
  Precision precision = Precision::kAuto;
  // Threads of the whole engine. 0: as many as affinity and cgroup quota allow. If the system refuses a thread there
  // are fewer; EngineInfo::num_threads has their number. The kernels of a GPU are compiled, when
  // they are first used, by as many threads as those allow.
  int num_threads = 0;
  bool use_classifier = false;  // load the classifier for lines that are upside down, so that calls may use it
  // The folder with det.onnx, rec.onnx, dictionary.txt and settings.txt of the size, or the folder of all sizes, which
  // has a subfolder of that kind for each ("tiny", "small", "medium"). Empty: $INKREAD_MODELS, which follows the same
  // rule, else the user's cache folder and, for a size that it lacks, a folder for all users (inkread/models.h).
  std::string model_folder;
  // Files of your own, each in place of the size's; with both networks, no folder of models is needed. A DB detector and
  // a CTC recogniser of lines 48 px high, as ONNX files with free height and width; docs/own_models.md says which will
  // run. The dictionary is UTF-8 text with an entry a line; empty: the one in the recogniser's metadata.
  std::string det_file, rec_file, dictionary_file;
};

// Options of one call; they do not affect other calls.
struct ReadOptions {
  // Finds lines and reads them. Without `detect` the whole image is read as one line. Without `recognise` the lines have
  // no text and a score of 0, and pages that are turned by 90, 180 or 270 degrees are taken as they lie. One of the two
  // is needed.
  bool detect = true;
  bool recognise = true;
  // If there are any, each is read as one line, and nothing is detected: corners clockwise, from the top left corner of
  // the text, as Line::quad has them, inside the image (and the region). Reading::lines then has one line for each, in
  // this order, with det_score 1.
  std::vector<std::array<Point, 4>> boxes;
  // Nothing outside of it is looked at; the answer is that for the region cut out, with its points moved. All zeros: the
  // whole image.
  Rect region;
  // The read ends with kCancelled soon after this becomes true: on a CPU before the next step of a network, on a GPU
  // before its next run. Must outlive the call. Null: it is never cancelled.
  const std::atomic<bool>* cancel = nullptr;
  // Milliseconds, each image by itself, after which a read ends in the same way with kDeadlineExceeded. 0: no limit.
  double time_limit_ms = 0;
  Profile profile = Profile::kAuto;  // with `official`, kAuto is kPipeline
  // True: the official pipeline's results and order, except that each line is read alone. False: each line is resized to
  // a width that inkread chooses, which reads better, and a page that is turned or askew is read as if it were upright.
  bool official = false;
  LineOrder order = LineOrder::kReader;
  // Where the engine loaded one. Lines that it finds upside down are read both ways up, and the better reading counts;
  // with `official` it decides alone.
  bool use_classifier = true;
  float score_thresh = 0;  // lines with a lower score are left out and counted
  // Fill in Line::words and Line::chars. Words are separated by spaces; of Han, kana and their punctuation each
  // character is a word.
  bool words = false;
  bool chars = false;
  int64_t max_pixels = 100'000'000;  // a larger image (or region) is refused before memory is reserved for it
};

// One of the devices of an engine, and what it has done so far.
struct DeviceUse {
  OcrBackend backend = OcrBackend::kCpu;
  std::string name;        // "vulkan NVIDIA H200"
  uint64_t num_reads = 0;  // that ended on it
  std::string fault;       // why it gets no reads while another device can take them; empty until then
};

struct EngineInfo {
  OcrBackend backend = OcrBackend::kCpu;  // of the device that the next read goes to when none are in flight
  std::string device;                     // its name: "cpu avx3_dl"
  // The devices that were opened, in the order of EngineOptions::devices, and last the CPU as their fallback.
  std::vector<DeviceUse> devices;
  std::string fallback_reason;  // why some of the chosen devices are not in use; empty when all are
  Precision precision = Precision::kPrecise;
  std::string precision_reason;  // why the precision is not the requested one; empty when it is
  int num_threads = 1;
  ModelSize size = ModelSize::kSmall;
  bool has_classifier = false;
  uint64_t plan_cache_hits = 0, plan_cache_misses = 0;
};

class Engine {
 public:
  // Loads and checks the model files, packs their weights, starts threads.
  //
  // Errors  kInvalidArgument (an option or the variable INKREAD_BACKEND or INKREAD_DISABLE is out of range, or the model
  //         folder holds another size), kNotFound (a model file is missing: names it and the command that fetches it;
  //         or nothing says where models are), kCorruptModel (length, content or dictionary does not
  //         fit), kUnsupported (no device has the name that was asked for, or a network has an operator without a
  //         kernel; with strict_backend also: the build or the device lacks the backend or the precision),
  //         kDeviceLost (with strict_backend), kOutOfMemory
  INKREAD_API static Result<std::unique_ptr<Engine>> Create(const EngineOptions& options = {});
  INKREAD_API ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Finds and reads the text of one image.
  //
  // image    at least 1x1 px, with any stride whose absolute value is at least a row; not kept after the call
  // Returns  lines in the order of the options; none for an image without text
  // Errors   kInvalidArgument (null pixels, empty, stride too small, more than max_pixels; a format, profile or order
  //          out of range; a region or a box that is not inside; neither detect nor recognise, or no recognise with
  //          boxes; a time limit below 0), kOutOfMemory, kCancelled, kDeadlineExceeded, kDeviceLost and kUnsupported
  //          (with strict_backend)
  // Threads  safe from several threads; the result does not depend on threads, load or batching
  INKREAD_API Result<Reading> Read(const ImageView& image, const ReadOptions& options = {}) const;

  // Reads several images, spread over the engine's threads and devices. Returns one entry for each image, in order; a
  // bad image does not affect the others.
  INKREAD_API std::vector<Result<Reading>> ReadMany(std::span<const ImageView> images,
                                                    const ReadOptions& options = {}) const;

  INKREAD_API EngineInfo Info() const;

 private:
  struct Impl;
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A device of a backend in this build, or the reason why the backend has none.
struct DeviceInfo {
  OcrBackend backend = OcrBackend::kCpu;
  int index = -1;       // for EngineOptions::devices; -1 where the backend has no device: unusable_reason says why
  std::string name;     // "NVIDIA H200"
  std::string details;  // for people: driver, memory, features
  std::string unusable_reason;     // why it cannot be used; empty where it can
  std::string not_default_reason;  // why it is not a default device, which OcrBackend::kAuto may use; empty where it is
};
INKREAD_API std::vector<DeviceInfo> ListDevices();

// Every OcrBackend, kAuto first, whether or not this build has it.
INKREAD_API std::vector<OcrBackend> Backends();

// What a network of EngineOptions::det_file or rec_file can be. Classifiers are recognised, but only the size's are used.
enum class NetworkKind { kNone, kDetector, kRecogniser, kLineClassifier, kPageClassifier };

struct NetworkCheck {
  NetworkKind kind = NetworkKind::kNone;
  std::string problem;              // why an engine cannot use the file; empty where it can
  int num_classes = 0;              // of a recogniser, with the blank
  int height_px = 0, width_px = 0;  // of the input that was measured
  double ms = 0;                    // a run on the CPU took, in the median of five
};

// Loads an ONNX file, finds out what it is and how fast it runs. That an engine cannot use it is an answer, not an error.
//
// dictionary_file  of a recogniser; empty: the dictionary in its metadata
// num_threads      0: as many as affinity and cgroup quota allow
// Errors           kNotFound (no such file, or it cannot be read), kOutOfMemory
INKREAD_API Result<NetworkCheck> CheckNetwork(const std::string& file, const std::string& dictionary_file = "",
                                              int num_threads = 0);

// The names of values, as the command line and JSON spell them; "unknown" for a number that is not a value of the enum.
INKREAD_API const char* BackendName(OcrBackend backend);     // "cpu"
INKREAD_API const char* ModelSizeName(ModelSize size);       // "small"
INKREAD_API const char* ProfileName(Profile profile);        // "fast960"
INKREAD_API const char* LineOrderName(LineOrder order);      // "reader"
INKREAD_API const char* PrecisionName(Precision precision);  // "precise"
INKREAD_API const char* NetworkKindName(NetworkKind kind);   // "recogniser"

// "0.1.0 (commit 1a2b3c4, cpu avx3_dl)": version, commit and the CPU instruction set in use.
INKREAD_API std::string VersionString();

}  // namespace inkread

#endif  // INKREAD_OCR_H_
