// Labelling by runs: each row is split into runs of foreground and background, and runs that touch are united. The hull
// of a component is made from the ends of its runs.
#include "image/components.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/status.h"
#include "image/min_area_rect.h"

namespace inkread {
namespace {

struct Run {
  int y, first, last;  // pixels first..last of row y
  uint32_t parent;     // index of an earlier run of the same component; its own index if it is the first (the root)
};

// Disjoint sets of runs; the root of a set is its first run.
class Runs {
 public:
  void Add(int y, int first, int last) { runs_.push_back({y, first, last, static_cast<uint32_t>(runs_.size())}); }
  size_t size() const { return runs_.size(); }
  const Run& operator[](size_t i) const { return runs_[i]; }

  uint32_t Root(uint32_t i) {
    while (runs_[i].parent != i) {
      runs_[i].parent = runs_[runs_[i].parent].parent;
      i = runs_[i].parent;
    }
    return i;
  }

  void Unite(uint32_t i, uint32_t j) {
    i = Root(i);
    j = Root(j);
    if (i < j) {
      runs_[j].parent = i;
    } else {
      runs_[i].parent = j;
    }
  }

  // Unites the runs of two rows, [above, row) and [row, end), that overlap if one of them is widened by `reach` pixels.
  void UniteRows(size_t above, size_t row, int reach) {
    size_t i = above, j = row;
    while (i < row && j < runs_.size()) {
      if (runs_[i].last + reach < runs_[j].first) {
        ++i;
      } else if (runs_[j].last + reach < runs_[i].first) {
        ++j;
      } else {
        Unite(static_cast<uint32_t>(i), static_cast<uint32_t>(j));
        runs_[i].last < runs_[j].last ? ++i : ++j;
      }
    }
  }

 private:
  std::vector<Run> runs_;
};

// The runs of the map, united: foreground is 8-connected, background 4-connected.
struct Labelled {
  Runs foreground, background;
};

Labelled Label(std::span<const float> map, int width, int height, float thresh) {
  Labelled out;
  std::vector<uint8_t> above(static_cast<size_t>(width));
  size_t foreground_above = 0, background_above = 0;
  for (int y = 0; y < height; ++y) {
    const float* row = map.data() + static_cast<ptrdiff_t>(y) * width;
    for (int x = 0; x < width; ++x) above[x] = row[x] > thresh;
    const size_t foreground_row = out.foreground.size(), background_row = out.background.size();
    for (int x = 0; x < width;) {
      const uint8_t value = above[x];
      const void* end = std::memchr(above.data() + x, 1 - value, static_cast<size_t>(width - x));
      const int next = end == nullptr ? width : static_cast<int>(static_cast<const uint8_t*>(end) - above.data());
      (value != 0 ? out.foreground : out.background).Add(y, x, next - 1);
      x = next;
    }
    out.foreground.UniteRows(foreground_above, foreground_row, 1);
    out.background.UniteRows(background_above, background_row, 0);
    foreground_above = foreground_row;
    background_above = background_row;
  }
  return out;
}

// The runs of the selected components in raster order, grouped by component.
class RunsByRoot {
 public:
  // is_wanted: indexed by the root of a component.
  RunsByRoot(Runs* runs, const std::vector<uint8_t>& is_wanted) : begin_(runs->size() + 1) {
    for (uint32_t i = 0; i < runs->size(); ++i) {
      const uint32_t root = runs->Root(i);
      if (is_wanted[root] != 0) ++begin_[root + 1];
    }
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    members_.resize(begin_.back());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (uint32_t i = 0; i < runs->size(); ++i) {
      const uint32_t root = runs->Root(i);
      if (is_wanted[root] != 0) members_[next[root]++] = i;
    }
  }

  std::span<const uint32_t> operator[](uint32_t root) const {
    return std::span(members_).subspan(begin_[root], begin_[root + 1] - begin_[root]);
  }

 private:
  std::vector<uint32_t> begin_, members_;
};

// The leftmost and the rightmost point of each row of a component. The corners of its hull are among them.
class RowEnds {
 public:
  void Reset(int first_row, int num_rows) {
    first_row_ = first_row;
    ends_.assign(static_cast<size_t>(num_rows), {INT32_MAX, INT32_MIN});
  }
  void Cover(int y, int first, int last) {
    Ends& ends = ends_[static_cast<size_t>(y - first_row_)];
    ends.first = std::min(ends.first, first);
    ends.last = std::max(ends.last, last);
  }
  std::vector<Point> Hull() {
    points_.clear();
    int y = first_row_;
    for (const Ends& ends : ends_) {
      points_.push_back({ends.first, y});
      points_.push_back({ends.last, y});
      ++y;
    }
    return ConvexHullOfSorted(points_);
  }

 private:
  struct Ends {
    int first, last;
  };
  int first_row_ = 0;
  std::vector<Ends> ends_;
  std::vector<Point> points_;
};

// Rotates the hull to begin with p if p is one of its corners.
void BeginAt(Point p, std::vector<Point>* hull) {
  const auto found = std::find(hull->begin(), hull->end(), p);
  if (found != hull->end()) std::rotate(hull->begin(), found, hull->end());
}

struct Candidate {
  int64_t key;  // raster position of the first pixel; of the pixel to its left for a hole
  uint32_t root;
  bool is_hole;
};

std::vector<Candidate> FindCandidates(Labelled* labelled, int width, int height) {
  std::vector<Candidate> out;
  const auto add = [&](const Run& run, uint32_t root, bool is_hole) {
    out.push_back({static_cast<int64_t>(run.y) * width + run.first - (is_hole ? 1 : 0), root, is_hole});
  };
  for (uint32_t i = 0; i < labelled->foreground.size(); ++i) {
    if (labelled->foreground[i].parent == i) add(labelled->foreground[i], i, false);
  }
  Runs& background = labelled->background;
  std::vector<uint8_t> is_outside(background.size());
  for (uint32_t i = 0; i < background.size(); ++i) {
    const Run& run = background[i];
    if (run.y == 0 || run.y == height - 1 || run.first == 0 || run.last == width - 1)
      is_outside[background.Root(i)] = 1;
  }
  for (uint32_t i = 0; i < background.size(); ++i) {
    if (background[i].parent == i && is_outside[i] == 0) add(background[i], i, true);
  }
  return out;
}

}  // namespace

Outlines FindOutlines(std::span<const float> map, int width, int height, float thresh, size_t max_outlines) {
  INKREAD_CHECK(width >= 1 && height >= 1 && map.size() == static_cast<size_t>(width) * static_cast<size_t>(height));
  Labelled labelled = Label(map, width, height, thresh);
  std::vector<Candidate> candidates = FindCandidates(&labelled, width, height);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.key > b.key; });
  Outlines out;
  out.num_found = candidates.size();
  if (candidates.size() > max_outlines) candidates.resize(max_outlines);

  std::vector<uint8_t> wanted_foreground(labelled.foreground.size()), wanted_background(labelled.background.size());
  for (const Candidate& c : candidates) (c.is_hole ? wanted_background : wanted_foreground)[c.root] = 1;
  const RunsByRoot components(&labelled.foreground, wanted_foreground);
  const RunsByRoot holes(&labelled.background, wanted_background);
  RowEnds ends;
  out.kept.reserve(candidates.size());
  for (const Candidate& c : candidates) {
    const Runs& runs = c.is_hole ? labelled.background : labelled.foreground;
    const std::span<const uint32_t> members = (c.is_hole ? holes : components)[c.root];
    const int top = runs[members.front()].y, bottom = runs[members.back()].y;
    if (c.is_hole) {
      // The pixels to the left and right of a run are foreground. Those above and below its ends are foreground or in
      // the same hole. In the latter case they are between the ends of their own row, so adding them does not change
      // the hull.
      ends.Reset(top - 1, bottom - top + 3);
      for (uint32_t i : members) {
        const Run& run = runs[i];
        ends.Cover(run.y - 1, run.first, run.last);
        ends.Cover(run.y, run.first - 1, run.last + 1);
        ends.Cover(run.y + 1, run.first, run.last);
      }
      out.kept.push_back({true, ends.Hull()});
      BeginAt({runs[members.front()].first - 1, top}, &out.kept.back().hull);
    } else {
      ends.Reset(top, bottom - top + 1);
      for (uint32_t i : members) ends.Cover(runs[i].y, runs[i].first, runs[i].last);
      out.kept.push_back({false, ends.Hull()});
      std::vector<Point>& hull = out.kept.back().hull;
      std::rotate(hull.begin(), hull.begin() + 1, hull.end());  // the first point is the first pixel of the component
    }
  }
  return out;
}

}  // namespace inkread
