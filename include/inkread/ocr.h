// inkread: finds and reads the text in images, with the PP-OCRv6 networks.
//
//   inkread::Result<std::unique_ptr<inkread::Engine>> engine = inkread::Engine::Create({});
//   inkread::Result<inkread::Reading> reading = (*engine)->Read({pixels, width, height, stride,
//   inkread::PixelFormat::kBgr24}); for (const inkread::Line& line : reading->lines) puts(line.text.c_str());
//
// Model files are not part of the library: `inkread models fetch small` or inkread/models.h puts them where Create
// looks.
#ifndef INKREAD_OCR_H_
#define INKREAD_OCR_H_

#include <array>
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

// kPipeline finds text at the image's own resolution; kFast960 first shrinks its longer side to 960 px.
enum class Profile { kPipeline, kFast960 };

// kPrecise is 32-bit float throughout. kFast may store and multiply in 16 bits where the device has units for it.
// kAuto is kPrecise on the CPU and kFast on GPUs.
enum class Precision { kAuto, kPrecise, kFast };

struct Line {
  std::array<Point, 4> quad;  // clockwise, from the text's own top left
  std::string text;           // UTF-8; may be empty where a region was found but nothing was read
  float score = 0;            // recogniser's confidence, [0, 1]
  float det_score = 0;        // detector's confidence, [0, 1]
  bool rotated_180 = false;   // the classifier turned the line before it was read
};

// Wall-clock milliseconds of one Read. Within ReadMany they are each image's own, and overlap.
struct StageTimes {
  double total = 0;
  double detect_input = 0;  // resize and normalise
  double detect = 0;        // detector network
  double boxes = 0;         // probability map to quads
  double crop = 0;          // line crops and, where on, the classifier
  double recognise = 0;     // recogniser input and network
  double decode = 0;        // classes to text
};

struct Reading {
  int width_px = 0, height_px = 0;
  std::vector<Line> lines;                // in reading order
  OcrBackend backend = OcrBackend::kCpu;  // the one that really ran
  int device = 0;                         // its place in EngineInfo::devices
  StageTimes ms;
  int dropped = 0;                    // lines found but left out because of score_thresh
  std::vector<std::string> warnings;  // for people: "only the first 3000 of 4211 regions were looked at"
};

inline constexpr char kAllDevices[] = "all";

struct EngineOptions {
  ModelSize size = ModelSize::kSmall;
  OcrBackend backend = OcrBackend::kAuto;  // kAuto follows the environment variable INKREAD_BACKEND where it is set
  // The GPUs that backend is to use, each by its index among that backend's in ListDevices() or by a part of its name
  // in any case; kAllDevices alone: all that are taken unasked. Empty: the first of those.
  // Each holds the networks, and a read goes to the one with the fewest in flight. One that is named twice is two. What
  // a device was reading when it failed ends on the CPU; later reads go to the others while there are any.
  std::vector<std::string> devices;
  bool strict_backend = false;  // a device's fault is an error, not a reason to go on with the CPU
  Precision precision = Precision::kAuto;
  // For the whole engine; 0: what affinity and cgroup quota allow. A GPU's kernels are compiled by as many threads as
  // those allow, the first time that they are wanted.
  int num_threads = 0;
  bool use_classifier = false;  // load the 0/180 degree classifier, so that calls may use it
  // Folder with det.onnx, rec.onnx, dictionary.txt and settings.txt of the size. Empty: $INKREAD_MODELS/SIZE, else the
  // user's cache folder.
  std::string model_folder;
};

// Options of one call; they never act on another.
struct ReadOptions {
  Profile profile = Profile::kPipeline;
  // The official pipeline's results, but that each line is read alone. Without it lines get the better width of our
  // own.
  bool official = false;
  bool use_classifier = true;        // where the engine loaded one
  float score_thresh = 0;            // lines with a lower score are left out and counted
  int64_t max_pixels = 100'000'000;  // a larger image is refused before memory is taken for it
};

// One of the devices of an engine, and what it has done so far.
struct DeviceUse {
  OcrBackend backend = OcrBackend::kCpu;
  std::string name;        // "vulkan NVIDIA H200"
  uint64_t num_reads = 0;  // that ended on it
  std::string fault;       // why it gets no reads while another device can take them; empty until then
};

struct EngineInfo {
  OcrBackend backend = OcrBackend::kCpu;  // where the engine would read next if it were idle
  std::string device;                     // "cpu avx3_dl"
  // Those that were opened, in the order in which options name them, and last the CPU that stands in for them.
  std::vector<DeviceUse> devices;
  std::string fallback_reason;  // why not all devices are in use that were chosen; empty when they are
  Precision precision = Precision::kPrecise;
  std::string precision_reason;  // why the precision is not the one asked for; empty when it is
  int num_threads = 1;
  ModelSize size = ModelSize::kSmall;
  bool has_classifier = false;
  uint64_t plan_cache_hits = 0, plan_cache_misses = 0;
};

class Engine {
 public:
  // Loads and checks the model files, packs their weights, starts threads.
  //
  // Errors  kNotFound (a model file is missing: says which and how to fetch it), kCorruptModel (size, content or
  //         dictionary does not fit), kUnsupported (backend or precision not in this build, with strict_backend),
  //         kOutOfMemory
  static Result<std::unique_ptr<Engine>> Create(const EngineOptions& options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Finds and reads the text of one image.
  //
  // image    1x1 px and up, any stride whose size is at least a row; read in place, not kept after the call
  // Returns  lines in reading order; none for an image without text
  // Errors   kInvalidArgument (null pixels, empty, stride too small, more than max_pixels), kOutOfMemory, kDeviceLost
  // Threads  safe from several threads; the result does not depend on threads, load or batching
  Result<Reading> Read(const ImageView& image, const ReadOptions& options = {}) const;

  // Read for each image, spread over the engine's threads and devices. One entry an image, in order; one bad image
  // does not touch the others.
  std::vector<Result<Reading>> ReadMany(std::span<const ImageView> images, const ReadOptions& options = {}) const;

  EngineInfo Info() const;

 private:
  struct Impl;
  explicit Engine(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Something that a backend of this build can run on, or why there is nothing for it to run on.
struct DeviceInfo {
  OcrBackend backend = OcrBackend::kCpu;
  int index = -1;    // for EngineOptions::devices; -1 where the backend found no device: unusable_reason then says why
  std::string name;  // "NVIDIA H200"
  std::string details;             // for people: driver, memory, what it offers
  std::string unusable_reason;     // why it cannot be used; empty where it can
  std::string not_default_reason;  // why OcrBackend::kAuto passes it over; empty where it does not
};
std::vector<DeviceInfo> ListDevices();

const char* BackendName(OcrBackend backend);     // "cpu"
const char* ModelSizeName(ModelSize size);       // "small"
const char* ProfileName(Profile profile);        // "fast960"
const char* PrecisionName(Precision precision);  // "precise"

// "0.1.0 (commit 1a2b3c4, cpu avx3_dl)": version, commit and the CPU instruction set in use.
std::string VersionString();

}  // namespace inkread

#endif  // INKREAD_OCR_H_
