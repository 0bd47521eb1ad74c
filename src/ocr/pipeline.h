// From an image to its lines of text: the stages, each callable alone, and ReadText, which is all of them in a row.
#ifndef INKREAD_OCR_PIPELINE_H_
#define INKREAD_OCR_PIPELINE_H_

#include <memory>
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
#include "runtime/model.h"

namespace inkread {

// What the stages run on. Shared by all readings.
struct Networks {
  std::unique_ptr<Model> det, rec;
  std::unique_ptr<Model> cls;  // may be absent
  ClsKind cls_kind = ClsKind::kLegacy;
  std::unique_ptr<const Dictionary> dictionary;
  ThreadPool* pool = nullptr;
  std::unique_ptr<DetectorGate> detector_gate;
};

struct PipelineOptions {
  DetParams det;
  RecWidthRule width_rule = RecWidthRule::kMeasured;
  bool use_classifier = true;  // where there is one
  float score_thresh = 0;
};

struct PipelineTimes {
  double detect_input = 0, detect = 0, boxes = 0, crop = 0, recognise = 0, decode = 0;  // ms
};

struct PipelineLine {
  Quad quad;
  double det_score = 0;
  CtcText text;
  bool rotated_180 = false;
};

struct PipelineResult {
  std::vector<PipelineLine> lines;  // in reading order
  int dropped = 0;
  std::vector<std::string> warnings;
  PipelineTimes ms;
};

// A recognised line before its classes become text; tests look at the classes.
struct RecognisedLine {
  std::vector<CtcStep> steps;
};

// The detector's probability map, [height, width], somewhere in the workspace.
struct ProbabilityMap {
  Size size;
  std::span<const float> values;
};
// on_device  here and below: where not null, devices make the networks' inputs of it, to the same bits; it is `image`
Result<ProbabilityMap> DetectMap(const ImageView& image, const DetParams& params, const Networks& networks,
                                 Workspace& workspace, PipelineTimes& ms, ImageOnDevices* on_device = nullptr);

// One crop a box; the boxes whose crop is empty go. Without pixels where devices will cut them out.
std::vector<LineCrop> CropLines(const ImageView& image, std::vector<DetBox>& boxes, ThreadPool& pool,
                                bool without_pixels = false);

// Turns the crops that the classifier finds upside down.
Status TurnLines(std::vector<LineCrop>& crops, const Networks& networks, ImageOnDevices* on_device = nullptr);

// The best class and its probability for each step of each crop.
Result<std::vector<RecognisedLine>> RecogniseLines(std::span<const LineCrop> crops, RecWidthRule rule,
                                                   const Networks& networks, ImageOnDevices* on_device = nullptr);

// image  has passed CheckImage
// Errors   kOutOfMemory, kDeviceLost, and what the networks answer
Result<PipelineResult> ReadText(const ImageView& image, const PipelineOptions& options, const Networks& networks);

}  // namespace inkread

#endif  // INKREAD_OCR_PIPELINE_H_
