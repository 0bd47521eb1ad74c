// From an image to its lines of text: stages that can be called alone, and ReadText, which calls them all.
#ifndef INKREAD_OCR_PIPELINE_H_
#define INKREAD_OCR_PIPELINE_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/thread_pool.h"
#include "image/image.h"
#include "ocr/cls_input.h"
#include "ocr/ctc.h"
#include "ocr/det_boxes.h"
#include "ocr/det_input.h"
#include "ocr/detector_gate.h"
#include "ocr/dictionary.h"
#include "ocr/line_crop.h"
#include "ocr/rec_input.h"
#include "ocr/words.h"
#include "runtime/model.h"
#include "runtime/source_image.h"

namespace inkread {

// What the stages run on; shared by all readers. All models have the same chain.
struct Networks {
  std::unique_ptr<Model> det, rec;
  std::unique_ptr<Model> cls;  // null without a classifier
  ClsKind cls_kind = ClsKind::kLegacy;
  std::unique_ptr<const Dictionary> dictionary;
  ThreadPool* pool = nullptr;
  std::unique_ptr<DetectorGate> detector_gate;
};

struct PipelineOptions {
  DetParams det;
  bool recognise = true;  // false: boxes only, in their order; no turn of a quarter or more is found
  RecParams rec;
  bool use_classifier = true;  // if there is one
  // Finds out which way up the page is and turns whole pages. False: the official pipeline, which turns the lines that
  // the classifier finds upside down and crops leaning columns as their corners happen to lie.
  bool find_turn = true;
  bool join_boxes = true;  // JoinOverlappingBoxes
  float score_thresh = 0;
  bool words = false, chars = false;  // which parts of the lines are found
  bool official_order = false;        // OfficialOrder instead of ReadingOrder
};

struct PipelineTimes {
  double detect_input = 0, detect = 0, boxes = 0, crop = 0, recognise = 0, decode = 0;  // ms
};

struct PipelineLine {
  Quad quad;  // begins at the top left corner of the text
  double det_score = 0;
  CtcText text;
  bool rotated_180 = false;  // against the page, by a second look or the classifier
  LineParts parts;
};

struct PipelineResult {
  std::vector<PipelineLine> lines;  // in the order that was asked for
  double turned_deg = 0;            // as TurnedDegrees
  int dropped = 0;
  std::vector<std::string> warnings;
  PipelineTimes ms;
};

// A recognised line before its classes become text.
struct RecognisedLine {
  RecWidth width;  // of the input that the steps are of
  std::vector<CtcStep> steps;
};

// The detector's probability map, [height, width], in the workspace.
struct ProbabilityMap {
  Size size;
  std::span<const float> values;
};

// The stages. Each takes the image as rules (image/image_rule.h): SourceImage decides whether the host or a device
// makes the networks' inputs of it.

// A map of this size, in strips where NeedsStrips says so.
Result<ProbabilityMap> DetectMap(SourceImage& image, const Size& size, const Networks& networks, Workspace& workspace,
                                 PipelineTimes& ms);

// The line of each box; removes the boxes that are too thin for a line. If the host makes inputs, cuts the lines out.
//
// tilt_deg  of the page (ShapeOfLine); nothing for the official crops
std::vector<LineShape> CropLines(SourceImage& image, std::optional<double> tilt_deg, std::vector<DetBox>& boxes,
                                 ThreadPool& pool);

// Turns the lines that the classifier finds upside down.
Status TurnLines(SourceImage& image, std::vector<LineShape>& lines, const Networks& networks);

// What the recogniser says of each step of each line.
Result<std::vector<RecognisedLine>> RecogniseLines(SourceImage& image, std::span<const LineShape> lines,
                                                   const RecParams& params, const Networks& networks);

// The parts of each line that the options ask for.
std::vector<LineParts> FindParts(const ImageView& image, std::span<const LineShape> lines,
                                 std::span<const RecognisedLine> recognised, const PipelineOptions& options,
                                 const Networks& networks);

// All stages in a row.
//
// image         has passed CheckImage
// cancellation  null: never
// Errors        kOutOfMemory, kDeviceLost, and those of Model::Run
Result<PipelineResult> ReadText(const ImageView& image, const PipelineOptions& options, const Networks& networks,
                                const Cancellation* cancellation = nullptr);

}  // namespace inkread

#endif  // INKREAD_OCR_PIPELINE_H_
