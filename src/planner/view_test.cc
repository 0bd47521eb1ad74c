// Views against a list of the offset of each element.
#include "planner/view.h"

#include <gtest/gtest.h>

#include <random>

namespace inkread {
namespace {

// The offsets of a view's elements in logical order.
std::vector<int64_t> OffsetsOf(const View& view) {
  std::vector<int64_t> offsets = {static_cast<int64_t>(view.offset)};
  for (int axis = 0; axis < view.rank; ++axis) {
    std::vector<int64_t> next;
    for (int64_t base : offsets) {
      for (int64_t i = 0; i < view.dims[axis]; ++i) next.push_back(base + i * view.strides[axis]);
    }
    offsets = std::move(next);
  }
  return offsets;
}

View Random(std::mt19937& random) {
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  const Shape shape{static_cast<uint32_t>(1 + below(3)), static_cast<uint32_t>(1 + below(4)),
                    static_cast<uint32_t>(1 + below(4)), static_cast<uint32_t>(1 + below(6))};
  const Pixels pixels{0, static_cast<uint64_t>(below(5)), shape, static_cast<uint32_t>(shape.c + below(2) * 3)};
  View view = ViewOfPixels(pixels, std::vector<int64_t>{shape.n, shape.c, shape.h, shape.w}, 1);
  for (int step = static_cast<int>(below(3)); step > 0; --step) {
    if (below(2) == 0) {
      std::vector<int64_t> perm(view.rank);
      for (int i = 0; i < view.rank; ++i) perm[i] = i;
      std::shuffle(perm.begin(), perm.end(), random);
      view = Transposed(view, perm);
    } else {
      const int axis = static_cast<int>(below(view.rank));
      const int64_t start = below(view.dims[axis]);
      view = Sliced(view, axis, start, 1 + below(view.dims[axis] - start));
    }
  }
  return view;
}

std::vector<int64_t> RandomFactors(int64_t count, std::mt19937& random) {
  std::vector<int64_t> dims;
  while (dims.size() < 5) {
    std::vector<int64_t> factors;
    for (int64_t f = 1; f <= count; ++f) {
      if (count % f == 0) factors.push_back(f);
    }
    dims.push_back(factors[random() % factors.size()]);
    count /= dims.back();
  }
  dims.push_back(count);
  return dims;
}

TEST(ViewTest, AReshapedViewHasTheSameElementsInTheSameOrder) {
  std::mt19937 random(1);
  int num_views = 0;
  for (int i = 0; i < 20000; ++i) {
    const View view = Random(random);
    const std::vector<int64_t> expected = OffsetsOf(view);
    const auto dims = RandomFactors(static_cast<int64_t>(expected.size()), random);
    const auto reshaped = Reshaped(view, dims);
    if (!reshaped) continue;
    ++num_views;
    ASSERT_EQ(OffsetsOf(*reshaped), expected);
  }
  EXPECT_GT(num_views, 2000);
}

// Whether strides exist at all follows from the offsets: each new axis must step evenly.
TEST(ViewTest, AReshapeIsRefusedOnlyWhereNoStridesFit) {
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    const View view = Random(random);
    const std::vector<int64_t> offsets = OffsetsOf(view);
    const auto dims = RandomFactors(static_cast<int64_t>(offsets.size()), random);
    bool fits = true;
    int64_t inner = static_cast<int64_t>(offsets.size());
    std::vector<int64_t> strides;
    for (int64_t d : dims) {
      inner /= d;
      strides.push_back(d > 1 ? offsets[inner] - offsets[0] : 0);
    }
    for (size_t at = 0; at < offsets.size(); ++at) {
      int64_t rest = static_cast<int64_t>(at), expected = offsets[0];
      for (size_t axis = dims.size(); axis-- > 0;) {
        expected += rest % dims[axis] * strides[axis];
        rest /= dims[axis];
      }
      fits = fits && expected == offsets[at];
    }
    ASSERT_EQ(Reshaped(view, dims).has_value(), fits);
  }
}

TEST(ViewTest, PixelsAreFoundExactlyWhereTheyAre) {
  std::mt19937 random(3);
  int num_found = 0;
  for (int i = 0; i < 20000; ++i) {
    const View view = Random(random);
    for (int axis : {1, 3}) {
      const auto pixels = PixelsOfView(view, axis);
      if (!pixels) continue;
      ++num_found;
      const std::vector<int64_t> dims(view.dims.begin(), view.dims.begin() + view.rank);
      ASSERT_EQ(OffsetsOf(ViewOfPixels(*pixels, dims, axis)), OffsetsOf(view));
      ASSERT_GE(pixels->ld, pixels->shape.c);
    }
  }
  EXPECT_GT(num_found, 5000);
}

TEST(ViewTest, PixelsSurviveTheWayThereAndBack) {
  const Shape shape{2, 3, 4, 5};
  const Pixels pixels{7, 11, shape, 9};
  const auto back = PixelsOfView(ViewOfPixels(pixels, std::vector<int64_t>{2, 5, 3, 4}, 1), 1);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->offset, 11u);
  EXPECT_EQ(back->shape, shape);
  EXPECT_EQ(back->ld, 9u);
}

TEST(ViewTest, ASelectedElementLosesItsAxis) {
  const View view = ViewOfPixels({0, 0, {2, 3, 4, 5}, 5}, std::vector<int64_t>{2, 5, 3, 4}, 1);
  const View selected = Selected(view, 1, 2);
  EXPECT_EQ(selected.rank, 3);
  EXPECT_EQ(selected.offset, 2u);
  EXPECT_EQ(OffsetsOf(selected), OffsetsOf(Sliced(view, 1, 2, 1)));
}

TEST(ViewTest, RanksWithoutALayoutHaveNoShape) {
  EXPECT_FALSE(ShapeOf(std::vector<int64_t>{3}, 0));
  EXPECT_FALSE(ShapeOf(std::vector<int64_t>{1, 2, 3, 4, 5}, 1));
  EXPECT_FALSE(ShapeOf(std::vector<int64_t>{1, 2, 3, 4}, 2));
}

}  // namespace
}  // namespace inkread
