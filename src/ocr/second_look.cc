// Which lines are read again, and what follows from it.
#include "ocr/second_look.h"

#include <utility>

namespace inkread {
namespace {

constexpr double kLowScore = 0.9;  // of a standing line, below which it is read again
constexpr double kVerticalScore = 0.45;
constexpr double kClearGain = 0.1;  // of the score of a single line, from which the second reading counts

std::vector<CtcText> Decode(std::span<const RecognisedLine> recognised, const Dictionary& dictionary) {
  std::vector<CtcText> texts;
  for (const RecognisedLine& line : recognised) texts.push_back(DecodeCtc(line.steps, dictionary));
  return texts;
}

// Some lines of a page, with what was read.
struct ReadLines {
  std::vector<LineShape> shapes;
  std::vector<RecognisedLine> recognised;
  std::vector<CtcText> texts;
};

Result<ReadLines> ReadAgain(SourceImage& image, std::vector<LineShape> shapes, const RecParams& params,
                            const Networks& networks) {
  ReadLines read;
  INKREAD_ASSIGN_OR_RETURN(read.recognised, RecogniseLines(image, shapes, params, networks));
  read.texts = Decode(read.recognised, *networks.dictionary);
  read.shapes = std::move(shapes);
  return read;
}

// Whether the lines are vertical writing: characters that were cut out are the same when they are read by themselves,
// the way up that they have in a column. The recogniser also knows characters that are turned by 90 degrees to the
// left, so only this way up tells columns (mean score 0.5 and more) from lines that lie on their side (0.4 and less).
Result<bool> IsVerticalWriting(SourceImage& image, const ReadLines& lines, const RecParams& params,
                               const Networks& networks) {
  std::string all;
  for (const CtcText& text : lines.texts) all += text.text;
  if (!IsVerticalScript(all)) return false;
  std::vector<CharacterCell> cells;
  for (size_t i = 0; i < lines.shapes.size() && cells.empty(); ++i) {
    cells = CutCells(lines.shapes[i], lines.recognised[i].width, lines.recognised[i].steps, *networks.dictionary);
  }
  if (cells.empty()) return false;
  std::vector<LineShape> shapes;
  for (const CharacterCell& cell : cells) shapes.push_back(cell.shape);
  INKREAD_ASSIGN_OR_RETURN(const ReadLines alone, ReadAgain(image, std::move(shapes), params, networks));
  double score = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (alone.texts[i].text == networks.dictionary->text(cells[i].index)) score += alone.texts[i].score;
  }
  return score >= kVerticalScore * static_cast<double>(cells.size());
}

}  // namespace

Result<int> FindPageTurn(SourceImage& image, const PageAxis& axis, std::span<const LineShape> lines,
                         std::span<const RecognisedLine> recognised, std::span<const CtcText> texts,
                         const RecParams& params, const Networks& networks) {
  const bool is_doubtful = MayBeUpsideDown(axis, lines, texts);
  if (axis.kind != PageAxis::Kind::kStanding && !is_doubtful) return 0;
  ReadLines judges;
  for (size_t i : LinesToJudgeBy(axis, lines)) {
    judges.shapes.push_back(lines[i]);
    judges.recognised.push_back(recognised[i]);
    judges.texts.push_back(texts[i]);
  }
  int direction = axis.kind == PageAxis::Kind::kStanding ? 1 : 0;  // of the lines, in quarter turns
  if (is_doubtful) {
    ReadLines turned;
    for (const LineShape& line : judges.shapes) {
      INKREAD_ASSIGN_OR_RETURN(ReadLines one, ReadAgain(image, {TurnedBy(line, 2)}, params, networks));
      turned.shapes.push_back(one.shapes[0]);
      turned.recognised.push_back(std::move(one.recognised[0]));
      turned.texts.push_back(std::move(one.texts[0]));
      if (direction == 0 && !MayStillBeTurned(judges.shapes, judges.texts, turned.texts)) return 0;
    }
    const Verdict verdict = CompareReadings(judges.shapes, judges.texts, turned.texts);
    if (verdict == Verdict::kOpen) return 0;
    if (verdict == Verdict::kTurned) {
      direction += 2;
      judges = std::move(turned);
    }
  }
  if (direction == 0 || !HasEvidence(judges.texts)) return 0;
  INKREAD_ASSIGN_OR_RETURN(const bool is_vertical, IsVerticalWriting(image, judges, params, networks));
  return is_vertical ? direction - 1 : direction;
}

Result<std::vector<size_t>> TurnSingleLines(SourceImage& image, const PageAxis& axis, bool use_classifier,
                                            const RecParams& params, const Networks& networks,
                                            std::vector<LineShape>& lines, std::vector<RecognisedLine>& recognised,
                                            std::vector<CtcText>& texts) {
  std::vector<LineShape> looked_at = lines;
  if (use_classifier) INKREAD_RETURN_IF_ERROR(TurnLines(image, looked_at, networks));
  std::vector<size_t> indices;
  std::vector<LineShape> shapes;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool is_across = axis.kind != PageAxis::Kind::kStanding && IsStanding(lines[i], axis.tilt_deg);
    const bool is_marked = looked_at[i].is_upside_down != lines[i].is_upside_down;
    if (!is_marked && !(is_across && texts[i].score < kLowScore)) continue;
    indices.push_back(i);
    shapes.push_back(TurnedBy(lines[i], 2));
  }
  std::vector<size_t> turned;
  if (indices.empty()) return turned;
  INKREAD_ASSIGN_OR_RETURN(ReadLines again, ReadAgain(image, std::move(shapes), params, networks));
  for (size_t k = 0; k < indices.size(); ++k) {
    const size_t i = indices[k];
    if (again.texts[k].score < texts[i].score + kClearGain) continue;
    lines[i] = again.shapes[k];
    recognised[i] = std::move(again.recognised[k]);
    texts[i] = std::move(again.texts[k]);
    turned.push_back(i);
  }
  return turned;
}

}  // namespace inkread
