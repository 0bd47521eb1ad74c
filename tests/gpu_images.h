// What the tests of GPU backends share about images: drawing one, and making a network's input of it.
#ifndef INKREAD_TESTS_GPU_IMAGES_H_
#define INKREAD_TESTS_GPU_IMAGES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "backends/reference/reference_backend.h"
#include "image/warp.h"
#include "planner/image_input.h"
#include "schedule/backend.h"

namespace inkread {

struct DrawnImage {
  DrawnImage(int width, int height, ptrdiff_t gap) {
    const ptrdiff_t stride = ptrdiff_t{width} * 3 + gap;
    bytes.resize(static_cast<size_t>(stride * height));
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * i / 7 + i);
    view = {bytes.data(), width, height, stride, PixelFormat::kBgr24};
  }
  std::vector<uint8_t> bytes;
  ImageView view;
};

enum class ImagePart { kWhole, kLine };

// The image, or a line of it, made into the input of a program that copies it.
inline Result<std::vector<float>> ReadImage(Backend& backend, const ImageView& view, ImagePart part) {
  ImageRule rule;
  rule.source_width = view.width_px;
  rule.source_height = view.height_px;
  rule.format = view.format;
  const auto w = static_cast<float>(view.width_px), h = static_cast<float>(view.height_px);
  const QuadF quad = {PointF{1, 0}, PointF{w, h / 3}, PointF{w - 1, h}, PointF{0, h / 2}};
  if (part == ImagePart::kLine) rule.crop = {quad, 40, 20};
  rule.width = rule.row_width = 90;
  rule.height = 48;
  rule.normalisation = {{1, 1, 1}, {0, 0, 0}, {-0.5f, -0.5f, -0.5f}, 2};
  constexpr uint32_t kFloats = 90 * 48 * 3;
  auto copy = std::make_shared<Schedule>();
  copy->input = copy->output = {1, 48, 90, 3};
  Step& step = copy->steps.emplace_back();
  step.params = CopyParams{{1, 1, 1, 1, kFloats}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}};
  step.reads[0] = {Space::kInput, 0, {1, 1, 1, kFloats}, kFloats};
  step.writes[0] = {Space::kOutput, 0, {1, 1, 1, kFloats}, kFloats};

  INKREAD_ASSIGN_OR_RETURN(const auto weights, backend.Upload(std::as_bytes(CubicWarpWeights()), nullptr));
  INKREAD_ASSIGN_OR_RETURN(const auto line,
                           backend.Compile(std::make_shared<const Schedule>(PlanImageInput(rule)), weights));
  INKREAD_ASSIGN_OR_RETURN(const auto copied, backend.Compile(copy, weights));
  INKREAD_ASSIGN_OR_RETURN(const auto image, backend.UploadImage(view));
  std::vector<float> y(kFloats, -9);
  const Job jobs[] = {{line.get(), image.get()}, {copied.get(), std::vector<InputPart>{{0, 0}}, y.data()}};
  INKREAD_RETURN_IF_ERROR(backend.Run(jobs));
  return y;
}

// The result of the reference backend.
inline std::vector<float> ExpectedImage(const ImageView& view, ImagePart part) {
  return ReadImage(*MakeReferenceBackend(16), view, part).value();
}

}  // namespace inkread

#endif  // INKREAD_TESTS_GPU_IMAGES_H_
