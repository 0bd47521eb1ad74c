#include "apps/tesseract_command.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include "apps/engine_arguments.h"
#include "apps/file_bytes.h"
#include "inkread/document.h"
#include "inkread/formats.h"
#include "inkread/ocr.h"

namespace inkread {
namespace {

constexpr int kGood = 0, kFailed = 1;
// The version whose options and formats these are.
constexpr char kVersion[] = "5.3.0";

enum class Kind { kText, kHocr, kAlto, kTsv, kPdf, kBox, kOrientation };

struct KindRow {
  Kind kind;
  const char* config;    // as a config file
  const char* variable;  // of -c
  const char* ending;
};
constexpr KindRow kKinds[] = {
    {Kind::kText, "txt", "tessedit_create_txt", "txt"},
    {Kind::kHocr, "hocr", "tessedit_create_hocr", "hocr"},
    {Kind::kAlto, "alto", "tessedit_create_alto", "xml"},
    {Kind::kTsv, "tsv", "tessedit_create_tsv", "tsv"},
    {Kind::kPdf, "pdf", "tessedit_create_pdf", "pdf"},
    {Kind::kBox, "makebox", "tessedit_create_boxfile", "box"},
    {Kind::kOrientation, "", "", "osd"},
};

// The languages whose letters are all in the dictionaries; no model knows from the name which one it reads.
constexpr const char* kLanguages[] = {"ces", "chi_sim", "chi_tra", "dan", "deu", "eng", "fin", "fra", "hun",
                                      "ita", "nld",     "nor",     "osd", "pol", "por", "spa", "swe", "tur"};
constexpr const char* kLanguagesAboveTiny[] = {"jpn", "ron"};

struct Arguments {
  std::string input, output_base;
  std::vector<std::string> configs;
  std::string languages = "eng";
  int psm = 3;
  std::map<std::string, std::string> variables;
  bool lists_languages = false, prints_version = false, helps = false;
};

int Fail(const std::string& message) {
  std::cerr << message << '\n';
  return kFailed;
}

// What is wrong with the arguments; empty: nothing.
std::string Parse(const std::vector<std::string>& arguments, Arguments* parsed) {
  const std::vector<std::string> with_value = {
      "-l", "--psm", "-psm", "--oem", "-c", "--dpi", "--tessdata-dir", "--user-words", "--user-patterns", "--loglevel"};
  std::vector<std::string> names;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--list-langs") parsed->lists_languages = true;
    if (argument == "--version" || argument == "-v") parsed->prints_version = true;
    if (argument == "--help" || argument == "-h" || argument == "--help-extra") parsed->helps = true;
    if (argument.size() < 2 || argument[0] != '-') {
      names.push_back(argument);
      continue;
    }
    if (std::find(with_value.begin(), with_value.end(), argument) == with_value.end()) continue;
    if (i + 1 == arguments.size()) return "Error, " + argument + " requires a value";
    const std::string& value = arguments[++i];
    if (argument == "-l") parsed->languages = value;
    if (argument == "-c") {
      const size_t equals = value.find('=');
      if (equals == std::string::npos) return "Missing = in configvar assignment for '" + value + "'";
      parsed->variables[value.substr(0, equals)] = value.substr(equals + 1);
    }
    if (argument != "--psm" && argument != "-psm") continue;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed->psm);
    if (error != std::errc() || end != value.data() + value.size() || parsed->psm < 0 || parsed->psm > 13)
      return "Invalid page segmentation mode: " + value;
  }
  if (parsed->lists_languages || parsed->prints_version || parsed->helps) return "";
  if (names.size() < 2) return "Usage: tesseract imagename|stdin outputbase|stdout [options...] [configfile...]";
  parsed->input = names[0];
  parsed->output_base = names[1];
  parsed->configs.assign(names.begin() + 2, names.end());
  return "";
}

bool IsOn(const Arguments& arguments, const std::string& variable) {
  const auto found = arguments.variables.find(variable);
  return found != arguments.variables.end() &&
         (found->second == "1" || found->second == "true" || found->second == "T");
}

std::vector<KindRow> KindsOf(const Arguments& arguments) {
  std::vector<KindRow> kinds;
  for (const KindRow& row : kKinds) {
    if (row.kind == Kind::kOrientation
            ? arguments.psm == 0
            : arguments.psm != 0 && (IsOn(arguments, row.variable) ||
                                     std::count(arguments.configs.begin(), arguments.configs.end(), row.config) > 0))
      kinds.push_back(row);
  }
  if (kinds.empty()) kinds.push_back(kKinds[0]);
  return kinds;
}

std::optional<ModelSize> SizeOf(const Arguments& arguments) {
  const auto found = arguments.variables.find("inkread_size");
  if (found == arguments.variables.end()) return ModelSize::kSmall;
  for (const ModelSize size : {ModelSize::kTiny, ModelSize::kSmall, ModelSize::kMedium}) {
    if (found->second == ModelSizeName(size)) return size;
  }
  return std::nullopt;
}

std::vector<std::string> LanguagesOf(ModelSize size) {
  std::vector<std::string> languages(std::begin(kLanguages), std::end(kLanguages));
  if (size != ModelSize::kTiny)
    languages.insert(languages.end(), std::begin(kLanguagesAboveTiny), std::end(kLanguagesAboveTiny));
  std::sort(languages.begin(), languages.end());
  return languages;
}

// "eng+chi_sim" and the vertical forms, which need no model of their own.
std::string UnknownLanguage(const std::string& languages, ModelSize size) {
  const std::vector<std::string> known = LanguagesOf(size);
  std::istringstream names(languages);
  for (std::string name; std::getline(names, name, '+');) {
    if (name.ends_with("_vert")) name.resize(name.size() - 5);
    if (name.starts_with("script/")) name.erase(0, 7);
    const bool is_script = name == "Latin" || name == "HanS" || name == "HanT";
    if (!is_script && std::find(known.begin(), known.end(), name) == known.end()) return name;
  }
  return "";
}

// tesseract's box files: characters, y from the bottom.
class BoxWriter : public PageWriter {
 public:
  explicit BoxWriter(std::ostream* out) : out_(*out) {}
  void Write(const Page& page) override {
    for (const Line& line : page.reading.lines) {
      for (const Word& symbol : line.chars) {
        const Bounds box = BoundsOf(symbol.quad);
        const int height = page.reading.height_px;
        out_ << symbol.text << ' ' << box.left << ' ' << height - box.bottom << ' ' << box.right << ' '
             << height - box.top << ' ' << page_ << '\n';
      }
    }
    ++page_;
  }

 private:
  std::ostream& out_;
  int page_ = 0;
};

// What --psm 0 prints. The confidence is the mean score of the lines; one script stands for all, since the models do not
// tell.
class OrientationWriter : public PageWriter {
 public:
  explicit OrientationWriter(std::ostream* out) : out_(*out) {}
  void Write(const Page& page) override {
    const int quarter = static_cast<int>((page.reading.turned_deg + 45) / 90) % 4;
    double score = 0;
    bool has_han = false;
    for (const Line& line : page.reading.lines) {
      score += line.score / static_cast<double>(page.reading.lines.size());
      // U+2E80 and above up to U+9FFF begin with these bytes.
      has_han |= std::any_of(line.text.begin(), line.text.end(), [](char c) { return c >= '\xE3' && c <= '\xE9'; });
    }
    out_ << "Page number: " << page_++ << "\nOrientation in degrees: " << quarter * 90
         << "\nRotate: " << (360 - quarter * 90) % 360 << "\nOrientation confidence: " << score * 15
         << "\nScript: " << (has_han ? "Han" : "Latin") << "\nScript confidence: " << score * 15 << '\n';
  }

 private:
  std::ostream& out_;
  int page_ = 0;
};

// Text, with a form feed between pages.
class TextWriter : public PageWriter {
 public:
  explicit TextWriter(std::ostream* out) : out_(*out), text_(MakeTextWriter(/*headed=*/false, out)) {}
  void Write(const Page& page) override {
    if (num_pages_++ > 0) out_ << '\f';
    text_->Write(page);
  }

 private:
  std::ostream& out_;
  std::unique_ptr<PageWriter> text_;
  int num_pages_ = 0;
};

std::unique_ptr<PageWriter> MakeWriter(Kind kind, const RunInfo& run, std::ostream* out) {
  switch (kind) {
    case Kind::kText:
      return std::make_unique<TextWriter>(out);
    case Kind::kHocr:
      return MakeHocrWriter(run, out);
    case Kind::kAlto:
      return MakeAltoWriter(run, out);
    case Kind::kTsv:
      return MakeTsvWriter(out);
    case Kind::kPdf:
      return MakePdfWriter(out);
    case Kind::kBox:
      return std::make_unique<BoxWriter>(out);
    case Kind::kOrientation:
      return std::make_unique<OrientationWriter>(out);
  }
  return nullptr;
}

struct Output {
  std::ofstream file;
  std::ostream* stream = nullptr;
  std::unique_ptr<PageWriter> writer;
};

std::string OpenOutputs(const Arguments& arguments, const RunInfo& run, std::vector<Output>* outputs) {
  const bool to_stdout = arguments.output_base == "stdout" || arguments.output_base == "-";
  for (const KindRow& row : KindsOf(arguments)) {
    Output& output = outputs->emplace_back();
    if (to_stdout) {
      output.stream = &std::cout;
    } else {
      const std::string path = arguments.output_base + "." + row.ending;
      output.file.open(path, std::ios::binary | std::ios::trunc);
      if (!output.file) return "Error, cannot create output file " + path;
      output.stream = &output.file;
    }
    output.writer = MakeWriter(row.kind, run, output.stream);
  }
  return "";
}

// What goes wrong; empty: nothing. A page that cannot be read fails all.
std::string ReadPages(const Arguments& arguments, const Engine& engine, const ReadOptions& read,
                      std::vector<Output>* outputs) {
  const bool is_stdin = arguments.input == "stdin" || arguments.input == "-";
  const Result<FileBytes> bytes = ReadImageBytes({arguments.input, is_stdin, Status()}, MaxBytesRead(read.max_pixels));
  if (!bytes.ok()) return "Error, cannot read input file " + arguments.input + ": " + bytes.status().message();
  const Result<std::unique_ptr<Document>> document = Document::Open(bytes->bytes(), is_stdin ? "" : arguments.input);
  if (!document.ok()) return "Error, cannot read input file " + arguments.input + ": " + document.status().message();
  DocumentOptions load;
  load.decode = DecodeOptionsFor(read);
  for (int number = 0; number < (*document)->num_pages(); ++number) {
    const Result<DecodedImage> image = (*document)->Decode(number, load);
    if (!image.ok()) return "Error during processing: " + image.status().message();
    Result<Reading> reading = engine.Read(image->view(), read);
    if (!reading.ok()) return "Error during processing: " + reading.status().message();
    Page page;
    page.file = arguments.input;
    page.page = number + 1;
    page.pages = (*document)->num_pages();
    page.reading = std::move(*reading);
    page.image = &*image;
    if (SniffImage(bytes->bytes()) == ImageKind::kJpeg) page.jpeg = bytes->bytes();
    for (Output& output : *outputs) output.writer->Write(page);
  }
  for (Output& output : *outputs) {
    output.writer->End();
    if (!output.stream->flush()) return "Error, the output could not be written";
  }
  return "";
}

int PrintLanguages(ModelSize size) {
  const std::vector<std::string> languages = LanguagesOf(size);
  std::cout << "List of available languages (" << languages.size() << "):\n";
  for (const std::string& language : languages) std::cout << language << '\n';
  return kGood;
}

}  // namespace

int RunTesseract(const std::vector<std::string>& arguments) {
  Arguments parsed;
  if (const std::string wrong = Parse(arguments, &parsed); !wrong.empty()) return Fail(wrong);
  const std::optional<ModelSize> size = SizeOf(parsed);
  if (!size) return Fail("inkread_size is tiny, small or medium");
  if (parsed.prints_version) {
    std::cout << "tesseract " << kVersion << "\n inkread " << VersionString()
              << ", with the command line of tesseract\n";
    return kGood;
  }
  if (parsed.helps) {
    std::cout << "Usage: tesseract imagename|stdin outputbase|stdout [-l LANG] [--psm N] [-c NAME=VALUE] "
                 "[txt hocr alto tsv pdf makebox]\n       tesseract --list-langs | --version\n"
                 "inkread, with the command line of tesseract; -c inkread_size=tiny|small|medium chooses the model.\n";
    return kGood;
  }
  if (parsed.lists_languages) return PrintLanguages(*size);
  if (const std::string unknown = UnknownLanguage(parsed.languages, *size); !unknown.empty())
    return Fail("Failed loading language '" + unknown +
                "'\nThe model has not all of its letters; --list-langs lists others.");

  EngineOptions options;
  options.size = *size;
  // Programs that start several at once set it.
  if (const char* const limit = std::getenv("OMP_THREAD_LIMIT"); limit != nullptr)
    options.num_threads = std::clamp(std::atoi(limit), 0, 1024);
  const Result<std::unique_ptr<Engine>> engine = Engine::Create(options);
  if (!engine.ok()) return Fail(engine.status().message());
  RunInfo run;
  run.version = VersionString();
  run.size = *size;
  run.precision = (*engine)->Info().precision;
  run.times = false;
  run.read.detect = parsed.psm != 7 && parsed.psm != 8 && parsed.psm != 10 && parsed.psm != 13;
  for (const KindRow& row : KindsOf(parsed)) {
    run.read.words |= row.kind != Kind::kText && row.kind != Kind::kOrientation;
    run.read.chars |= row.kind == Kind::kBox;
  }
  std::vector<Output> outputs;
  outputs.reserve(std::size(kKinds));  // writers point into them
  if (const std::string wrong = OpenOutputs(parsed, run, &outputs); !wrong.empty()) return Fail(wrong);
  const std::string wrong = ReadPages(parsed, **engine, run.read, &outputs);
  return wrong.empty() ? kGood : Fail(wrong);
}

}  // namespace inkread
