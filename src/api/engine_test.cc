// The engine as its users meet it: results that depend on nothing but the image, and clear answers to bad input.
// Needs the tiny models (`inkread models fetch tiny`); skips, saying so, where they are missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/mapped_file.h"
#include "base/model_folder.h"
#include "inkread/codec.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

namespace fs = std::filesystem;

std::string TinyFolder() {
  const Result<std::string> all = ModelFolder();
  return all.ok() ? ModelSizeFolder(*all, "tiny") : "";
}

// Everything of a reading that must be the same wherever and however it is made.
std::string Fingerprint(const Reading& reading) {
  std::ostringstream out;
  out << reading.width_px << "x" << reading.height_px << " dropped " << reading.dropped << std::hexfloat << " turned "
      << reading.turned_deg << "\n";
  for (const Line& line : reading.lines) {
    for (const Point& p : line.quad) out << p.x << "," << p.y << " ";
    out << line.text << " " << line.score << " " << line.det_score << " " << line.rotated_180 << "\n";
    for (const std::vector<Word>* parts : {&line.words, &line.chars}) {
      for (const Word& part : *parts) {
        out << " " << part.text << " " << part.score;
        for (const Point& p : part.quad) out << " " << p.x << "," << p.y;
      }
    }
  }
  for (const std::string& warning : reading.warnings) out << warning << "\n";
  return out.str();
}

class EngineTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(TinyFolder() + "/settings.txt")) GTEST_SKIP() << "no models at " << TinyFolder();
    const Result<MappedFile> file = MappedFile::Open(INKREAD_SOURCE_DIR "/samples/receipt.png");
    ASSERT_TRUE(file.ok()) << file.status().message();
    Result<DecodedImage> image = DecodeImage(file->bytes(), {});
    ASSERT_TRUE(image.ok()) << image.status().message();
    image_ = std::move(image).value();
    ASSERT_EQ(image_.format, PixelFormat::kBgr24);
  }

  static EngineOptions Options(int num_threads) {
    EngineOptions options;
    options.size = ModelSize::kTiny;
    options.num_threads = num_threads;
    return options;
  }
  static std::unique_ptr<Engine> Make(const EngineOptions& options) {
    Result<std::unique_ptr<Engine>> engine = Engine::Create(options);
    EXPECT_TRUE(engine.ok()) << engine.status().message();
    return engine.ok() ? std::move(engine).value() : nullptr;
  }
  static ReadOptions WithParts() {
    ReadOptions options;
    options.words = options.chars = true;
    return options;
  }
  static std::string ReadToString(const Engine& engine, const ImageView& view,
                                  const ReadOptions& options = WithParts()) {
    const Result<Reading> reading = engine.Read(view, options);
    return reading.ok() ? Fingerprint(*reading) : reading.status().message();
  }

  DecodedImage image_;
};

TEST_F(EngineTest, ReadsTheSampleAlikeOnAnyNumberOfThreadsAndFromManyCallers) {
  const std::string expected = ReadToString(*Make(Options(1)), image_.view());
  EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 5);
  for (int num_threads : {2, 4}) {
    const auto engine = Make(Options(num_threads));
    EXPECT_EQ(ReadToString(*engine, image_.view()), expected) << num_threads << " threads";
    std::vector<std::string> found(16);
    std::vector<std::thread> callers;
    for (std::string& result : found) callers.emplace_back([&] { result = ReadToString(*engine, image_.view()); });
    for (std::thread& caller : callers) caller.join();
    for (const std::string& result : found) EXPECT_EQ(result, expected) << num_threads << " threads, 16 callers";
  }
}

TEST_F(EngineTest, ReadManyGivesWhatReadGives) {
  const auto engine = Make(Options(2));
  const ImageView whole = image_.view();
  ImageView top = whole;
  top.height_px /= 2;
  ImageView none;
  const std::vector<Result<Reading>> readings =
      engine->ReadMany(std::vector<ImageView>{whole, none, top, whole}, WithParts());
  ASSERT_EQ(readings.size(), 4u);
  ASSERT_TRUE(readings[0].ok() && readings[2].ok() && readings[3].ok());
  EXPECT_EQ(readings[1].status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Fingerprint(*readings[0]), ReadToString(*engine, whole));
  EXPECT_EQ(Fingerprint(*readings[2]), ReadToString(*engine, top));
  EXPECT_EQ(Fingerprint(*readings[3]), Fingerprint(*readings[0]));
  // Five good reads on the one device.
  const EngineInfo info = engine->Info();
  ASSERT_EQ(info.devices.size(), 1u);
  EXPECT_EQ(info.devices[0].name, info.device);
  EXPECT_EQ(info.devices[0].num_reads, 5u);
  EXPECT_EQ(readings[0]->device, 0);
}

// The sample in a format and with a stride, noise in whatever is not a pixel.
struct Repacked {
  std::vector<uint8_t> bytes;
  ImageView view;
};
Repacked Repack(const ImageView& bgr, PixelFormat format, int slack, bool bottom_up) {
  Repacked out;
  const int channels = BytesPerPixel(format);
  const ptrdiff_t row = static_cast<ptrdiff_t>(bgr.width_px) * channels + slack;
  out.bytes.assign(row * bgr.height_px, 0x5a);
  for (int y = 0; y < bgr.height_px; ++y) {
    uint8_t* to = out.bytes.data() + (bottom_up ? bgr.height_px - 1 - y : y) * row;
    for (int x = 0; x < bgr.width_px; ++x, to += channels) {
      const uint8_t* from = bgr.row(y) + 3 * x;
      const bool rgb = format == PixelFormat::kRgb24 || format == PixelFormat::kRgba32;
      to[0] = from[rgb ? 2 : 0];
      if (channels == 1) continue;
      to[1] = from[1];
      to[2] = from[rgb ? 0 : 2];
      if (channels == 4) to[3] = static_cast<uint8_t>(x * 7);
    }
  }
  const uint8_t* first = out.bytes.data() + (bottom_up ? (bgr.height_px - 1) * row : 0);
  out.view = {first, bgr.width_px, bgr.height_px, bottom_up ? -row : row, format};
  return out;
}

TEST_F(EngineTest, EveryPixelFormatAndStrideGivesTheSame) {
  const auto engine = Make(Options(2));
  // Grey in all channels, so that kGray8 holds the same image.
  for (size_t i = 0; i + 2 < image_.pixels.size(); i += 3)
    image_.pixels[i] = image_.pixels[i + 2] = image_.pixels[i + 1];
  const std::string expected = ReadToString(*engine, image_.view());
  for (PixelFormat format :
       {PixelFormat::kBgr24, PixelFormat::kRgb24, PixelFormat::kBgra32, PixelFormat::kRgba32, PixelFormat::kGray8}) {
    for (bool bottom_up : {false, true}) {
      const Repacked repacked = Repack(image_.view(), format, 13, bottom_up);
      EXPECT_EQ(ReadToString(*engine, repacked.view), expected) << static_cast<int>(format) << " " << bottom_up;
    }
  }
}

TEST_F(EngineTest, TheOfficialPipelineKeepsItsSizesAndAPageWithLargeTextIsLookedAtInASmallerOne) {
  const auto engine = Make(Options(1));
  // The sample at 2.5 times its size.
  constexpr int kTimes = 5, kDivisor = 2;
  std::vector<uint8_t> pixels;
  const int width = image_.width_px * kTimes / kDivisor, height = image_.height_px * kTimes / kDivisor;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const uint8_t* pixel = image_.view().row(y * kDivisor / kTimes) + x * kDivisor / kTimes * 3;
      pixels.insert(pixels.end(), pixel, pixel + 3);
    }
  }
  const ImageView large{pixels.data(), width, height, ptrdiff_t{3} * width, PixelFormat::kBgr24};
  const auto quads = [&](Profile profile, bool official) {
    ReadOptions options;
    options.profile = profile;
    options.official = official;
    options.recognise = false;
    options.order = LineOrder::kOfficial;
    std::vector<std::array<Point, 4>> found;
    const Result<Reading> reading = engine->Read(large, options);
    EXPECT_TRUE(reading.ok());
    for (const Line& line : reading->lines) found.push_back(line.quad);
    return found;
  };
  EXPECT_NE(quads(Profile::kAuto, false), quads(Profile::kPipeline, false));
  EXPECT_EQ(quads(Profile::kAuto, true), quads(Profile::kPipeline, true));
  EXPECT_EQ(quads(ReadOptions().profile, false), quads(Profile::kAuto, false));
}

TEST_F(EngineTest, OptionsOfOneCallDoNotActOnTheNext) {
  const auto engine = Make(Options(1));
  const std::string expected = ReadToString(*engine, image_.view());
  ReadOptions strict;
  strict.score_thresh = 2;
  const Result<Reading> none = engine->Read(image_.view(), strict);
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->lines.empty());
  EXPECT_GT(none->dropped, 5);
  ReadOptions other;
  other.profile = Profile::kFast960;
  other.official = true;
  ASSERT_TRUE(engine->Read(image_.view(), other).ok());
  EXPECT_EQ(ReadToString(*engine, image_.view()), expected);
}

TEST_F(EngineTest, EveryStageHasATime) {
  const StageTimes ms = Make(Options(1))->Read(image_.view(), WithParts()).value().ms;
  double sum = 0;
  for (const double stage : {ms.detect_input, ms.detect, ms.boxes, ms.crop, ms.recognise, ms.decode}) {
    EXPECT_GT(stage, 0);
    sum += stage;
  }
  EXPECT_LE(sum, ms.total);
}

TEST_F(EngineTest, FindsThePartsThatAreAskedForAndChangesNothingElse) {
  const auto engine = Make(Options(2));
  Reading with = engine->Read(image_.view(), WithParts()).value();
  ReadOptions only_words;
  only_words.words = true;
  const Reading words = engine->Read(image_.view(), only_words).value();
  const Reading without = engine->Read(image_.view()).value();
  ASSERT_EQ(with.lines.size(), without.lines.size());
  for (size_t i = 0; i < with.lines.size(); ++i) {
    Line& line = with.lines[i];
    EXPECT_EQ(line.words.empty(), line.text.empty());
    EXPECT_GE(line.chars.size(), line.words.size());
    EXPECT_EQ(words.lines[i].words.size(), line.words.size());
    EXPECT_TRUE(words.lines[i].chars.empty());
    for (const std::vector<Word>* parts : {&line.words, &line.chars}) {
      std::string joined, text = line.text;
      for (const Word& part : *parts) joined += part.text;
      std::erase(text, ' ');
      EXPECT_EQ(joined, text);
    }
    line.words.clear();
    line.chars.clear();
  }
  EXPECT_EQ(Fingerprint(with), Fingerprint(without));
}

TEST_F(EngineTest, BadImagesAreRefusedWithTheReason) {
  const auto engine = Make(Options(1));
  const ImageView good = image_.view();
  struct Case {
    const char* name;
    ImageView view;
    const char* expected;
  };
  ImageView null = good, empty = good, flat = good, narrow = good;
  null.pixels = nullptr;
  empty.width_px = 0;
  flat.height_px = -3;
  narrow.stride_bytes = good.width_px * 3 - 1;
  for (const Case& c : {Case{"null", null, "pixels"}, Case{"empty", empty, "0"}, Case{"negative", flat, "-3"},
                        Case{"stride", narrow, "stride"}}) {
    const Result<Reading> reading = engine->Read(c.view);
    ASSERT_FALSE(reading.ok()) << c.name;
    EXPECT_EQ(reading.status().code(), StatusCode::kInvalidArgument) << c.name;
    EXPECT_NE(reading.status().message().find(c.expected), std::string::npos) << reading.status().message();
  }
  ReadOptions small;
  small.max_pixels = 100;
  const Result<Reading> reading = engine->Read(good, small);
  ASSERT_FALSE(reading.ok());
  EXPECT_NE(reading.status().message().find("limit of 100"), std::string::npos) << reading.status().message();
  EXPECT_TRUE(engine->Read(good).ok());
}

TEST_F(EngineTest, OddShapesGiveAnAnswer) {
  const auto engine = Make(Options(1));
  for (const auto& [width, height] : {std::pair(1, 1), {20000, 20}, {20, 20000}, {3, 200}, {31, 33}, {1, 5000}}) {
    const std::vector<uint8_t> white(static_cast<size_t>(width) * height, 255);
    const Result<Reading> reading = engine->Read({white.data(), width, height, width, PixelFormat::kGray8});
    ASSERT_TRUE(reading.ok()) << width << "x" << height << ": " << reading.status().message();
    EXPECT_TRUE(reading->lines.empty()) << width << "x" << height;
  }
}

// The pixels of an image, turned by quarters clockwise.
struct TurnedImage {
  TurnedImage(const ImageView& image, int quarters) : width(image.width_px), height(image.height_px) {
    if (quarters % 2 == 1) std::swap(width, height);
    pixels.resize(size_t{3} * width * height);
    for (int y = 0; y < image.height_px; ++y) {
      for (int x = 0; x < image.width_px; ++x) {
        // Of the pixel's top left corner: the other corner is on the far side after a turn.
        const Point from = Turned({x, y}, quarters), to = Turned({x + 1, y + 1}, quarters);
        const size_t at = size_t{1} * std::min(from.y, to.y) * width + std::min(from.x, to.x);
        std::copy_n(image.row(y) + x * 3, 3, &pixels[at * 3]);
      }
    }
  }
  // Where a corner of the image is after the turn.
  Point Turned(Point p, int quarters) const {
    if (quarters == 1) return {width - p.y, p.x};
    if (quarters == 2) return {width - p.x, height - p.y};
    if (quarters == 3) return {p.y, height - p.x};
    return p;
  }
  ImageView view() const { return {pixels.data(), width, height, ptrdiff_t{3} * width, PixelFormat::kBgr24}; }

  int width, height;
  std::vector<uint8_t> pixels;
};

TEST_F(EngineTest, ATurnedPageIsReadLikeAnUprightOne) {
  const auto engine = Make(Options(2));
  const Result<Reading> upright = engine->Read(image_.view());
  ASSERT_TRUE(upright.ok());
  EXPECT_NEAR(upright->turned_deg, 0, 1);
  for (const int quarters : {1, 2, 3}) {
    const TurnedImage turned(image_.view(), quarters);
    const Result<Reading> reading = engine->Read(turned.view());
    ASSERT_TRUE(reading.ok());
    Reading expected = *upright;
    expected.width_px = turned.width;
    expected.height_px = turned.height;
    for (Line& line : expected.lines) {
      for (Point& p : line.quad) p = turned.Turned(p, quarters);
    }
    EXPECT_FLOAT_EQ(reading->turned_deg, upright->turned_deg + 90 * static_cast<float>(quarters));
    expected.turned_deg = reading->turned_deg;
    EXPECT_EQ(Fingerprint(*reading), Fingerprint(expected));
  }
}

TEST_F(EngineTest, TheOfficialPipelineLeavesThePageAsItLies) {
  const auto engine = Make(Options(2));
  const TurnedImage turned(image_.view(), 2);
  ReadOptions options;
  options.official = true;
  const Result<Reading> reading = engine->Read(turned.view(), options);
  ASSERT_TRUE(reading.ok());
  EXPECT_EQ(reading->turned_deg, 0);
  for (const Line& line : reading->lines) EXPECT_LT(line.quad[0].y, line.quad[3].y);
}

TEST_F(EngineTest, TheOfficialClassifierTurnsLinesThatStandOnTheirHead) {
  EngineOptions options = Options(2);
  options.use_classifier = true;
  const auto engine = Make(options);
  EXPECT_TRUE(engine->Info().has_classifier);
  const TurnedImage turned(image_.view(), 2);
  ReadOptions with;
  with.official = true;
  const Result<Reading> looked = engine->Read(turned.view(), with);
  ASSERT_TRUE(looked.ok());
  const auto num_turned =
      std::count_if(looked->lines.begin(), looked->lines.end(), [](const Line& l) { return l.rotated_180; });
  EXPECT_GT(num_turned, static_cast<long>(looked->lines.size()) / 2);
  ReadOptions without = with;
  without.use_classifier = false;
  const Result<Reading> plain = engine->Read(turned.view(), without);
  ASSERT_TRUE(plain.ok());
  for (const Line& line : plain->lines) EXPECT_FALSE(line.rotated_180);
}

TEST_F(EngineTest, TheClassifierTurnsALineAgainstThePage) {
  EngineOptions options = Options(2);
  options.use_classifier = true;
  const auto engine = Make(options);
  const Result<Reading> upright = engine->Read(image_.view());
  ASSERT_TRUE(upright.ok());
  for (const Line& line : upright->lines) EXPECT_FALSE(line.rotated_180);
  // The widest line on its head.
  const auto widest = std::max_element(upright->lines.begin(), upright->lines.end(), [](const Line& a, const Line& b) {
    return a.quad[1].x - a.quad[0].x < b.quad[1].x - b.quad[0].x;
  });
  const auto [top_left, top_right, bottom_right, bottom_left] = widest->quad;
  const int left = std::min(top_left.x, bottom_left.x), right = std::max(top_right.x, bottom_right.x);
  const int top = std::min(top_left.y, top_right.y), bottom = std::max(bottom_left.y, bottom_right.y);
  std::vector<uint8_t> pixels = image_.pixels;
  const auto at = [&](int x, int y) { return (size_t{1} * y * image_.width_px + x) * 3; };
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x)
      std::copy_n(&image_.pixels[at(left + right - 1 - x, top + bottom - 1 - y)], 3, &pixels[at(x, y)]);
  }
  ImageView view = image_.view();
  view.pixels = pixels.data();
  const Result<Reading> with = engine->Read(view);
  ASSERT_TRUE(with.ok());
  ASSERT_EQ(with->lines.size(), upright->lines.size());
  const size_t line = static_cast<size_t>(widest - upright->lines.begin());
  for (size_t i = 0; i < with->lines.size(); ++i) {
    EXPECT_EQ(with->lines[i].rotated_180, i == line) << i;
    EXPECT_TRUE(i == line || with->lines[i].text == upright->lines[i].text) << with->lines[i].text;
  }
  EXPECT_GT(with->lines[line].score, 0.9f);
  EXPECT_GT(with->lines[line].quad[0].x, with->lines[line].quad[1].x);
}

// A copy of the tiny folder that a test may damage.
class ModelFolderTest : public EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    if (IsSkipped()) return;
    folder_ = fs::path(testing::TempDir()) / ("inkread_models_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::copy(TinyFolder(), folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  Status Create() {
    EngineOptions options = Options(1);
    options.model_folder = folder_;
    options.use_classifier = true;
    const Result<std::unique_ptr<Engine>> engine = Engine::Create(options);
    return engine.status();
  }
  void ExpectError(StatusCode code, const std::string& file, const std::string& reason) {
    const Status status = Create();
    EXPECT_EQ(status.code(), code) << status.message();
    EXPECT_NE(status.message().find(file), std::string::npos) << status.message();
    EXPECT_NE(status.message().find(reason), std::string::npos) << status.message();
  }
  fs::path folder_;
};

TEST_F(ModelFolderTest, AWholeFolderLoads) { EXPECT_TRUE(Create().ok()) << Create().message(); }

TEST_F(ModelFolderTest, AMissingFileIsNamedWithTheCommandThatFetchesIt) {
  for (const char* name : {"det.onnx", "rec.onnx", "cls.onnx", "dictionary.txt"}) {
    fs::rename(folder_ / name, folder_ / "away");
    ExpectError(StatusCode::kNotFound, name, "inkread models fetch tiny");
    fs::rename(folder_ / "away", folder_ / name);
  }
}

TEST_F(ModelFolderTest, ACutFileIsNamedWithItsLengths) {
  fs::resize_file(folder_ / "rec.onnx", 1000);
  ExpectError(StatusCode::kCorruptModel, "rec.onnx", "expected 4462639 bytes, found 1000");
  fs::remove(folder_ / "settings.txt");  // nothing says how long it should be: the parser finds out
  ExpectError(StatusCode::kCorruptModel, "rec.onnx", "truncated");
}

TEST_F(ModelFolderTest, AnotherNetworkInAFilesPlaceIsFound) {
  fs::remove(folder_ / "settings.txt");
  fs::copy_file(folder_ / "rec.onnx", folder_ / "det.onnx", fs::copy_options::overwrite_existing);
  ExpectError(StatusCode::kCorruptModel, "det.onnx", "not a detector");
}

TEST_F(ModelFolderTest, ADictionaryThatDoesNotFitIsFound) {
  std::ofstream(folder_ / "dictionary.txt", std::ios::app) << "x\n";
  ExpectError(StatusCode::kCorruptModel, "dictionary.txt", "6904");
}

TEST_F(ModelFolderTest, DamagedSettingsAreFound) {
  std::ofstream(folder_ / "settings.txt", std::ios::app) << "det_thresh many\n";
  ExpectError(StatusCode::kCorruptModel, "settings.txt", "det_thresh many");
}

TEST_F(ModelFolderTest, TheFolderOfAllSizesIsTakenAsWell) {
  const fs::path all = folder_;
  fs::rename(folder_, all.string() + "_tiny");
  fs::create_directories(all);
  fs::rename(all.string() + "_tiny", all / "tiny");
  EXPECT_TRUE(Create().ok()) << Create().message();
}

TEST_F(ModelFolderTest, AnotherSizeThanAskedForIsNoticed) {
  EngineOptions options = Options(1);
  options.size = ModelSize::kSmall;
  options.model_folder = folder_;
  const Status status = Engine::Create(options).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), folder_.string() + ": holds the models of size tiny, expected small");
}

TEST(NamesTest, ANumberThatIsNoValueIsUnknown) {
  EXPECT_STREQ(BackendName(static_cast<OcrBackend>(99)), "unknown");
  EXPECT_STREQ(ModelSizeName(static_cast<ModelSize>(-1)), "unknown");
  EXPECT_STREQ(ProfileName(static_cast<Profile>(99)), "unknown");
  EXPECT_STREQ(ProfileName(Profile::kAuto), "auto");
  EXPECT_STREQ(LineOrderName(static_cast<LineOrder>(99)), "unknown");
  EXPECT_STREQ(PrecisionName(static_cast<Precision>(99)), "unknown");
  EXPECT_STREQ(ImageKindName(static_cast<ImageKind>(99)), "no image");
}

TEST_F(EngineTest, ANumberThatIsNoValueOfAnEnumIsAnInvalidArgument) {
  const auto refused = [](auto change) {
    EngineOptions options = Options(1);
    change(options);
    const Status status = Engine::Create(options).status();
    EXPECT_NE(status.message().find("99"), std::string::npos) << status.message();
    return status.code();
  };
  EXPECT_EQ(refused([](EngineOptions& o) { o.size = static_cast<ModelSize>(99); }), StatusCode::kInvalidArgument);
  EXPECT_EQ(refused([](EngineOptions& o) { o.backend = static_cast<OcrBackend>(99); }), StatusCode::kInvalidArgument);
  EXPECT_EQ(refused([](EngineOptions& o) { o.precision = static_cast<Precision>(99); }), StatusCode::kInvalidArgument);
  const auto engine = Make(Options(1));
  ReadOptions read;
  read.profile = static_cast<Profile>(99);
  EXPECT_EQ(engine->Read(image_.view(), read).status().code(), StatusCode::kInvalidArgument);
  read = {};
  read.order = static_cast<LineOrder>(99);
  EXPECT_EQ(engine->Read(image_.view(), read).status().code(), StatusCode::kInvalidArgument);
  ImageView view = image_.view();
  view.format = static_cast<PixelFormat>(99);
  EXPECT_EQ(engine->Read(view).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(EncodePng(view).status().code(), StatusCode::kInvalidArgument);
  DecodeOptions decode;
  decode.alpha = static_cast<AlphaMode>(99);
  const std::vector<uint8_t> png = EncodePng(image_.view()).value();
  EXPECT_EQ(DecodeImage(png, decode).status().code(), StatusCode::kInvalidArgument);
}

TEST_F(EngineTest, ABackendThatIsNotInTheBuildIsPassedOverInTheOpenOrRefused) {
  EngineOptions options = Options(1);
  options.backend = OcrBackend::kMetal;
  const auto engine = Make(options);
  EXPECT_EQ(engine->Info().backend, OcrBackend::kCpu);
  EXPECT_NE(engine->Info().fallback_reason.find("metal"), std::string::npos);
  options.strict_backend = true;
  EXPECT_EQ(Engine::Create(options).status().code(), StatusCode::kUnsupported);

  // The environment speaks only where the options say auto.
  ::setenv("INKREAD_BACKEND", "metal", 1);
  options.backend = OcrBackend::kAuto;
  EXPECT_EQ(Engine::Create(options).status().code(), StatusCode::kUnsupported);
  options.backend = OcrBackend::kCpu;
  EXPECT_TRUE(Engine::Create(options).ok());
  ::setenv("INKREAD_BACKEND", "abacus", 1);
  options.backend = OcrBackend::kAuto;
  EXPECT_EQ(Engine::Create(options).status().code(), StatusCode::kInvalidArgument);
  ::unsetenv("INKREAD_BACKEND");
}

TEST_F(EngineTest, APrecisionThatTheDeviceLacksIsSaidInEveryReadingOrRefused) {
  ::setenv("INKREAD_DISABLE", "bf16", 1);
  EngineOptions options = Options(1);
  options.precision = Precision::kFast;
  options.strict_backend = true;
  EXPECT_EQ(Engine::Create(options).status().code(), StatusCode::kUnsupported);
  options.strict_backend = false;
  const auto engine = Make(options);
  ::unsetenv("INKREAD_DISABLE");
  const std::string reason = "precision fast is not in the cpu backend: bf16 is switched off; precise was used";
  EXPECT_EQ(engine->Info().precision, Precision::kPrecise);
  EXPECT_EQ(engine->Info().precision_reason, reason);
  const Result<Reading> reading = engine->Read(image_.view(), {});
  ASSERT_TRUE(reading.ok());
  EXPECT_EQ(reading->warnings, std::vector<std::string>{reason});

  options.precision = Precision::kPrecise;
  const auto precise = Make(options);
  EXPECT_EQ(precise->Info().precision_reason, "");
  EXPECT_TRUE(precise->Read(image_.view(), {})->warnings.empty());
}

// Whether this machine has units for it or not, what is said and what is done agree.
TEST_F(EngineTest, FastRunsOrSaysWhyNot) {
  EngineOptions options = Options(1);
  options.precision = Precision::kFast;
  const auto engine = Make(options);
  const EngineInfo info = engine->Info();
  EXPECT_EQ(info.precision == Precision::kFast, info.precision_reason.empty());
  const Result<Reading> reading = engine->Read(image_.view(), {});
  ASSERT_TRUE(reading.ok());
  EXPECT_EQ(reading->warnings.empty(), info.precision_reason.empty());
  options.strict_backend = true;
  EXPECT_EQ(Engine::Create(options).ok(), info.precision == Precision::kFast);
}

}  // namespace
}  // namespace inkread
