#include "schedule/host_images.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/status.h"

namespace inkread {
namespace {

class HostImage : public DeviceImage {
 public:
  explicit HostImage(const ImageView& image) {
    bytes_ = image.pixels;
    if (image.stride_bytes == static_cast<ptrdiff_t>(RowBytes(image))) return;
    copy_.resize(RowBytes(image) * image.height_px);
    CopyRows(image, copy_.data());
    bytes_ = copy_.data();
  }
  const uint8_t* bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> copy_;
  const uint8_t* bytes_;
};

template <typename P>
ImageView ViewOf(const P& p, const void* x) {
  const bool is_grey = p.pixel_bytes == 1, is_red_first = p.at[0] == 2;
  INKREAD_CHECK(is_grey || (p.at[1] == 1 && p.at[0] + p.at[2] == 2));
  ImageView view{static_cast<const uint8_t*>(x), static_cast<int>(p.iw), static_cast<int>(p.ih),
                 static_cast<ptrdiff_t>(p.iw) * p.pixel_bytes, PixelFormat::kGray8};
  if (p.pixel_bytes == 3) view.format = is_red_first ? PixelFormat::kRgb24 : PixelFormat::kBgr24;
  if (p.pixel_bytes == 4) view.format = is_red_first ? PixelFormat::kRgba32 : PixelFormat::kBgra32;
  return view;
}

}  // namespace

std::shared_ptr<const DeviceImage> ImageOnHost(const ImageView& image) { return std::make_shared<HostImage>(image); }

ImageView ImageOf(const ImageResizeParams& p, const void* x) { return ViewOf(p, x); }
ImageView ImageOf(const ImageWarpParams& p, const void* x) { return ViewOf(p, x); }

ImageView Turned(const ImageResizeParams& p, const ImageView& image, BgrImage& turned) {
  if (p.quarter_turns == 0) return image;
  turned = BgrImage(image.width_px, image.height_px);
  CopyBgr(image, 0, 0, image.width_px, image.height_px, turned.pixels.data(),
          static_cast<ptrdiff_t>(image.width_px) * 3);
  for (uint i = 0; i < p.quarter_turns; ++i) turned = RotatedCounterClockwise(turned);
  return turned.view();
}

Normalisation NormalisationOf(const ImageResizeParams& p) {
  Normalisation n;
  for (int c = 0; c < 3; ++c) {
    n.high[c] = p.high[c];
    n.low[c] = p.low;
    n.shift[c] = p.shift[c];
  }
  n.gain = p.gain;
  return n;
}

Homography HomographyOf(const ImageWarpParams& p) {
  Homography m;
  for (size_t i = 0; i < m.size(); ++i)
    m[i] = std::bit_cast<double>(uint64_t{p.m[2 * i]} | uint64_t{p.m[2 * i + 1]} << 32);
  return m;
}

bool HostJobs::AreNeeded(std::span<const Job> jobs) {
  return std::any_of(jobs.begin(), jobs.end(),
                     [](const Job& job) { return !std::holds_alternative<const void*>(job.input); });
}

Result<HostJobs> HostJobs::Make(std::span<const Job> jobs) {
  HostJobs host;
  std::vector<const void*> inputs(jobs.size(), nullptr);
  std::vector<void*> outputs(jobs.size(), nullptr);  // of the sources, within the inputs that they are parts of
  for (size_t i = 0; i < jobs.size(); ++i) {
    inputs[i] = jobs[i].host_input();
    if (const DeviceImage* image = jobs[i].image()) {
      const auto* on_host = dynamic_cast<const HostImage*>(image);
      INKREAD_CHECK(on_host != nullptr);
      inputs[i] = on_host->bytes();
    }
    const std::span<const InputPart> parts = jobs[i].parts();
    if (parts.empty()) continue;
    const Shape& shape = jobs[i].program->schedule().input;
    AlignedBuffer& buffer = host.inputs_.emplace_back();
    INKREAD_RETURN_IF_ERROR(buffer.Reserve(shape.num_pixels() * shape.c * sizeof(float) + kInputSlackBytes));
    inputs[i] = buffer.data();
    for (const InputPart& part : parts) {
      INKREAD_CHECK(part.job < jobs.size() && outputs[part.job] == nullptr && jobs[part.job].parts().empty());
      outputs[part.job] = reinterpret_cast<float*>(buffer.data()) + part.first_float;
    }
  }
  for (size_t i = 0; i < jobs.size(); ++i) {
    const bool is_source = outputs[i] != nullptr;
    (is_source ? host.sources_ : host.rest_)
        .push_back({jobs[i].program, inputs[i], is_source ? outputs[i] : jobs[i].output});
  }
  return host;
}

}  // namespace inkread
