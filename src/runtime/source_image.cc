#include "runtime/source_image.h"

#include <algorithm>
#include <utility>

#include "base/round.h"

namespace inkread {
namespace {

// Rows of an uncropped image that one thread fills at a time.
constexpr int kRowsPerTask = 32;

bool IsMadeOnHost(const ImageView& view, const FallbackChain& chain) {
  const uint64_t bytes = uint64_t{RowBytes(view)} * static_cast<uint64_t>(view.height_px);
  return bytes > chain.backend(chain.active()).Caps().max_image_bytes;
}

}  // namespace

SourceImage::SourceImage(const ImageView& view, std::shared_ptr<const FallbackChain> chain,
                         const Cancellation* cancellation)
    : view_(view),
      chain_(std::move(chain)),
      cancellation_(cancellation),
      is_made_on_host_(IsMadeOnHost(view, *chain_)),
      images_(chain_->size()) {}

void SourceImage::CutOutCrops(std::span<const ImageRule> rules, ThreadPool& pool) {
  if (!is_made_on_host_) return;
  std::vector<std::pair<const ImageRule*, CutCrop*>> missing;
  for (const ImageRule& rule : rules) {
    const auto [crop, is_new] = crops_.try_emplace(rule.crop.value());
    if (is_new) missing.emplace_back(&rule, &crop->second);
  }
  pool.ParallelFor(missing.size(), [&](size_t i) {
    const auto& [rule, crop] = missing[i];
    crop->pixels = CutOut(view_, *rule);
    crop->quarter_turns = rule->quarter_turns;
  });
}

void SourceImage::Fill(const ImageRule& rule, ThreadPool& pool, float* out) const {
  if (!rule.crop && rule.quarter_turns == 0) {
    const InputRows rows(view_, rule);
    pool.ParallelFor(DivideUp(rule.height, kRowsPerTask), [&](size_t i) {
      const int begin = static_cast<int>(i) * kRowsPerTask;
      rows.Fill(begin, std::min(begin + kRowsPerTask, rule.height), out);
    });
    return;
  }
  const auto known = rule.crop ? crops_.find(*rule.crop) : crops_.end();
  if (known == crops_.end()) {
    const BgrImage cut_out = CutOut(view_, rule);
    InputRows(cut_out.view(), rule).FillAll(out);
    return;
  }
  const CutCrop& crop = known->second;
  if (crop.quarter_turns == rule.quarter_turns) {
    InputRows(crop.pixels.view(), rule).FillAll(out);
    return;
  }
  const BgrImage turned = Turned(crop.pixels, (rule.quarter_turns - crop.quarter_turns + 4) % 4);
  InputRows(turned.view(), rule).FillAll(out);
}

Result<const DeviceImage*> SourceImage::On(int device) {
  std::lock_guard lock(mutex_);
  if (images_[device] == nullptr) {
    INKREAD_ASSIGN_OR_RETURN(images_[device], chain_->backend(device).UploadImage(view_));
  }
  return images_[device].get();
}

}  // namespace inkread
