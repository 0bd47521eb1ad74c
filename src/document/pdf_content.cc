#include "document/pdf_content.h"

#include <array>
#include <qpdf/Pipeline.hh>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace inkread {
namespace {

constexpr size_t kMaxContentBytes = size_t{8}
                                    << 20;  // a page of a scan has some hundred bytes, one of a map may have more
constexpr int kMaxFormDepth = 4;

// Collects bytes, and throws once there are too many: what a few kilobytes unpack to may not fit in memory.
class LimitedPipeline : public Pipeline {
 public:
  struct TooLong : std::runtime_error {
    TooLong() : std::runtime_error("a stream is longer than it may be") {}
  };
  explicit LimitedPipeline(size_t max_bytes) : Pipeline("limited", nullptr), max_bytes_(max_bytes) {}
  void write(unsigned char const* data, size_t count) override {
    if (count > max_bytes_ - data_.size()) throw TooLong();
    data_.append(reinterpret_cast<const char*>(data), count);
  }
  void finish() override {}
  std::string Take() { return std::move(data_); }

 private:
  const size_t max_bytes_;
  std::string data_;
};

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view one : names) {
    if (one == name) return true;
  }
  return false;
}

class ContentReader : public QPDFObjectHandle::ParserCallbacks {
 public:
  void handleObject(QPDFObjectHandle object, size_t, size_t) override {
    if (object.isInlineImage()) {
      draws_more_ = true;
    } else if (object.isOperator()) {
      Operate(object.getOperatorValue());
      operands_.clear();
    } else if (operands_.size() < 6) {
      operands_.push_back(object);
    }
  }
  void handleEOF() override {}

  bool draws_more() const { return draws_more_; }
  bool has_text() const { return has_text_; }
  const std::vector<std::pair<std::string, QPDFMatrix>>& drawn() const { return drawn_; }

 private:
  void Operate(const std::string& name) {
    if (name == "q") {
      if (saved_.size() < 1000) saved_.push_back({matrix_, text_mode_});
    } else if (name == "Q") {
      if (saved_.empty()) return;
      std::tie(matrix_, text_mode_) = saved_.back();
      saved_.pop_back();
    } else if (name == "cm") {
      Transform();
    } else if (name == "Do") {
      if (operands_.size() == 1 && operands_[0].isName()) drawn_.emplace_back(operands_[0].getName(), matrix_);
    } else if (name == "Tr") {
      if (operands_.size() == 1 && operands_[0].isInteger()) text_mode_ = operands_[0].getIntValueAsInt();
    } else if (IsOneOf(name, {"Tj", "TJ", "'", "\""})) {
      has_text_ = true;
      draws_more_ |= text_mode_ != 3;  // 3: invisible, as recognised text under a scan is
    } else if (IsOneOf(name, {"f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "sh", "W", "W*", "gs", "BDC", "BI"})) {
      draws_more_ = true;  // paths, shadings, clipping, transparency, layers that may be switched off
    }
  }
  void Transform() {
    std::array<double, 6> m{};
    if (operands_.size() != 6) return;
    for (size_t i = 0; i < 6; ++i) {
      if (!operands_[i].isNumber()) return;
      m[i] = operands_[i].getNumericValue();
    }
    matrix_.concat(QPDFMatrix(m[0], m[1], m[2], m[3], m[4], m[5]));
  }

  std::vector<QPDFObjectHandle> operands_;
  QPDFMatrix matrix_;
  int text_mode_ = 0;
  std::vector<std::pair<QPDFMatrix, int>> saved_;
  std::vector<std::pair<std::string, QPDFMatrix>> drawn_;
  bool draws_more_ = false, has_text_ = false;
};

void Parse(QPDF& pdf, const std::string& content, ContentReader* reader) {
  QPDFObjectHandle::parseContentStream(QPDFObjectHandle::newStream(&pdf, content), reader);
}

QPDFObjectHandle XObject(QPDFObjectHandle resources, const std::string& name) {
  const QPDFObjectHandle objects = resources.isDictionary() ? resources.getKey("/XObject") : QPDFObjectHandle();
  if (!objects.isInitialized() || !QPDFObjectHandle(objects).isDictionary()) return QPDFObjectHandle::newNull();
  return QPDFObjectHandle(objects).getKey(name);
}

bool IsForm(QPDFObjectHandle object) {
  return object.isStream() && object.getDict().getKey("/Subtype").isNameAndEquals("/Form");
}

bool FormHasText(QPDF& pdf, QPDFObjectHandle form, int depth) {
  const std::optional<std::string> content = StreamData(form, kMaxContentBytes);
  if (!content) return false;
  ContentReader reader;
  Parse(pdf, *content, &reader);
  if (reader.has_text()) return true;
  if (depth == kMaxFormDepth) return false;
  for (const auto& [name, place] : reader.drawn()) {
    const QPDFObjectHandle inner = XObject(form.getDict().getKey("/Resources"), name);
    if (IsForm(inner) && FormHasText(pdf, inner, depth + 1)) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> StreamData(QPDFObjectHandle stream, size_t max_bytes) {
  LimitedPipeline pipeline(max_bytes);
  try {
    bool is_filtered = false;
    if (!stream.pipeStreamData(&pipeline, &is_filtered, 0, qpdf_dl_specialized, true) || !is_filtered)
      return std::nullopt;
  } catch (const LimitedPipeline::TooLong&) {
    return std::nullopt;
  }
  return pipeline.Take();
}

PageContent ReadPageContent(QPDF& pdf, QPDFPageObjectHelper& page) {
  PageContent out;
  LimitedPipeline pipeline(kMaxContentBytes);
  try {
    page.pipeContents(&pipeline);
  } catch (const LimitedPipeline::TooLong&) {
    return out;
  }
  ContentReader reader;
  Parse(pdf, pipeline.Take(), &reader);
  const QPDFObjectHandle resources = page.getAttribute("/Resources", false);
  out.has_text = reader.has_text();
  for (const auto& [name, place] : reader.drawn()) {
    const QPDFObjectHandle drawn = XObject(resources, name);
    if (!out.has_text && IsForm(drawn)) out.has_text = FormHasText(pdf, drawn, 1);
  }
  if (!reader.draws_more() && reader.drawn().size() == 1) {
    std::tie(out.sole_image, out.place) = reader.drawn()[0];
  }
  return out;
}

}  // namespace inkread
