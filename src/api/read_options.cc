#include "api/read_options.h"

namespace inkread {
namespace {

constexpr double kFarAwayMs = 1e12;  // thirty years

}  // namespace

Status CheckEnum(const char* option, int number, const std::string& name) {
  if (name != "unknown") return Status();
  return InvalidArgument(option, " is ", number, ", which is not a value of its enum");
}

Status CheckOptions(const ReadOptions& read) {
  INKREAD_RETURN_IF_ERROR(CheckEnum("ReadOptions::profile", static_cast<int>(read.profile), ProfileName(read.profile)));
  INKREAD_RETURN_IF_ERROR(CheckEnum("ReadOptions::order", static_cast<int>(read.order), LineOrderName(read.order)));
  if (!read.recognise && !read.boxes.empty())
    return InvalidArgument("ReadOptions::boxes are given, so nothing is detected, and recognise is false");
  if (!read.recognise && !read.detect) return InvalidArgument("ReadOptions::detect and recognise are both false");
  if (!(read.time_limit_ms >= 0))  // also for a NaN
    return InvalidArgument("ReadOptions::time_limit_ms is ", read.time_limit_ms, ", expected 0 or more");
  return Status();
}

Result<Rect> RegionOf(const ImageView& image, const ReadOptions& read) {
  const Rect& r = read.region;
  if (r == Rect()) return Rect{0, 0, image.width_px, image.height_px};
  const bool is_inside = r.x >= 0 && r.y >= 0 && r.width >= 1 && r.height >= 1 && r.width <= image.width_px - r.x &&
                         r.height <= image.height_px - r.y;
  if (is_inside) return r;
  return InvalidArgument("the region of ", r.width, " x ", r.height, " px at (", r.x, ", ", r.y,
                         ") is not inside the image, which is ", image.width_px, " x ", image.height_px);
}

Status CheckSize(const ImageView& image, int64_t max_pixels) {
  const int64_t pixels = int64_t{image.width_px} * image.height_px;
  if (pixels <= max_pixels) return Status();
  return InvalidArgument("the image is ", image.width_px, " x ", image.height_px, " = ", pixels,
                         " pixels, more than the limit of ", max_pixels);
}

ImageView PartOf(const ImageView& image, const Rect& region) {
  ImageView part = image;
  part.pixels = image.row(region.y) + ptrdiff_t{region.x} * BytesPerPixel(image.format);
  part.width_px = region.width;
  part.height_px = region.height;
  return part;
}

Result<std::vector<Quad>> BoxesIn(const Rect& region, const std::vector<Quad>& boxes) {
  std::vector<Quad> moved = boxes;
  for (size_t i = 0; i < boxes.size(); ++i) {
    for (Point& p : moved[i]) {
      const bool is_inside =
          p.x >= region.x && p.y >= region.y && p.x - region.x <= region.width && p.y - region.y <= region.height;
      if (!is_inside) {
        return InvalidArgument("ReadOptions::boxes[", i, "] has a corner at (", p.x, ", ", p.y, "), outside of the ",
                               region.width, " x ", region.height, " px at (", region.x, ", ", region.y, ")");
      }
      p.x -= region.x;
      p.y -= region.y;
    }
  }
  return moved;
}

void MoveBy(Point origin, PipelineResult& result) {
  const auto move = [origin](Quad& quad) {
    for (Point& p : quad) p = {p.x + origin.x, p.y + origin.y};
  };
  for (PipelineLine& line : result.lines) {
    move(line.quad);
    for (Word& word : line.parts.words) move(word.quad);
    for (Word& character : line.parts.chars) move(character.quad);
  }
}

std::optional<Cancellation::Clock::time_point> DeadlineOf(Cancellation::Clock::time_point start, double time_limit_ms) {
  if (time_limit_ms == 0 || time_limit_ms > kFarAwayMs) return std::nullopt;
  return start + std::chrono::duration_cast<Cancellation::Clock::duration>(
                     std::chrono::duration<double, std::milli>(time_limit_ms));
}

}  // namespace inkread
