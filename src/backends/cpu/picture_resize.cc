// picture_resize: rows over threads, by image/'s vectors.
#include <algorithm>

#include "backends/cpu/kernels.h"
#include "backends/cpu/parallel.h"
#include "schedule/host_pictures.h"

namespace inkread::cpu {

void RunStep(const PictureResizeParams& p, const EpilogueParams&, const HostOperands& o, const Context& context) {
  BgrPicture turned;
  const ImageView picture = Turned(p, PictureOf(p, o.reads[0]), turned);
  const ResizePlan plan(picture.width_px, picture.height_px, static_cast<int>(p.ow), static_cast<int>(p.oh));
  const Normalisation normalisation = NormalisationOf(p);
  ParallelBlocks(*context.pool, p.oh, size_t{p.y_w} * 8, [&](size_t begin, size_t end) {
    ResizeNormalise(picture, plan, normalisation, static_cast<int>(begin), static_cast<int>(end),
                    static_cast<int>(p.y_w), o.writes[0]);
  });
}

}  // namespace inkread::cpu
