// The image of one read, as networks' inputs are made of it.
//
// A device makes the inputs of images up to DeviceCaps::max_image_bytes itself; the host makes all others. Which of the
// two it is, is decided once for a read, so callers hand rules in either case. Both give the same bits.
#ifndef INKREAD_RUNTIME_SOURCE_IMAGE_H_
#define INKREAD_RUNTIME_SOURCE_IMAGE_H_

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/cancellation.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "image/image_rule.h"
#include "runtime/fallback_chain.h"

namespace inkread {

class SourceImage {
 public:
  // view          must outlive this object
  // chain         of the models that read it; its active device decides who makes inputs
  // cancellation  of the read; must outlive this object. Null: never
  SourceImage(const ImageView& view, std::shared_ptr<const FallbackChain> chain,
              const Cancellation* cancellation = nullptr);

  const ImageView& view() const { return view_; }
  const std::shared_ptr<const FallbackChain>& chain() const { return chain_; }
  const Cancellation* cancellation() const { return cancellation_; }
  bool is_made_on_host() const { return is_made_on_host_; }

  // If the host makes inputs, cuts out the crops of these rules, on all threads. Every input made of such a crop then
  // reads the same pixels. May not run at the same time as another function of this object.
  void CutOutCrops(std::span<const ImageRule> rules, ThreadPool& pool);

  // Makes the input, or the part of one, that the rule describes, on the host.
  //
  // out     [rule.height, rule.row_width, 3]
  // Threads safe from several threads
  void Fill(const ImageRule& rule, ThreadPool& pool, float* out) const;

  // The image on a device of the chain, uploaded on the first call. Lives as long as this object. Safe from several
  // threads. Errors as Backend::UploadImage.
  Result<const DeviceImage*> On(int device);

 private:
  struct CutCrop {
    int quarter_turns = 0;
    BgrImage pixels;  // turned so often
  };

  const ImageView view_;
  const std::shared_ptr<const FallbackChain> chain_;
  const Cancellation* const cancellation_;
  const bool is_made_on_host_;
  std::map<CropRule, CutCrop> crops_;  // on the host
  std::mutex mutex_;
  std::vector<std::shared_ptr<const DeviceImage>> images_;  // by device
};

// A part of a network's input that is made of an image.
struct ImageInput {
  SourceImage* image = nullptr;
  ImageRule rule;
  uint64_t first_float = 0;  // where the part begins within the input
};

}  // namespace inkread

#endif  // INKREAD_RUNTIME_SOURCE_IMAGE_H_
