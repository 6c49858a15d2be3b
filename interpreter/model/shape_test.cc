#include "interpreter/model/shape.h"

#include <gtest/gtest.h>

#include <limits>

namespace hlo {
namespace {

Shape f32(std::vector<int64_t> dims) {
  return Shape::array(ElementType::kF32, std::move(dims));
}

TEST(Shape, ContainsIndicesWithinTheDimensionsOnly) {
  EXPECT_TRUE(f32({2, 3}).contains(Index{1, 2}));
  EXPECT_FALSE(f32({2, 3}).contains(Index{2, 0}));
  EXPECT_FALSE(f32({2, 3}).contains(Index{-1, 0}));
  EXPECT_FALSE(f32({2, 3}).contains(Index{1}));
  EXPECT_TRUE(f32({}).contains(Index{}));
}

TEST(Shape, ElementCountIsTheProductOfTheDimensions) {
  EXPECT_EQ(f32({}).element_count(), 1);
  EXPECT_EQ(f32({4, 5, 6}).element_count(), 120);
}

TEST(Shape, ElementCountOfAZeroSizedArrayIsZeroHoweverLargeTheRest) {
  EXPECT_EQ(f32({int64_t{1} << 40, 0, int64_t{1} << 40}).element_count(), 0);
}

TEST(Shape, ElementCountSaturates) {
  EXPECT_EQ(f32({int64_t{1} << 40, int64_t{1} << 40}).element_count(),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(f32({2, kUnbounded}).element_count(),
            std::numeric_limits<int64_t>::max());
}

TEST(Shape, TheLastDynamicMarkTakesTheListAway) {
  Shape shape = f32({2, 3});
  shape.set_dynamic(1, true);
  EXPECT_TRUE(shape.is_dynamic(1));
  EXPECT_FALSE(shape.is_dynamic(0));
  shape.set_dynamic(1, false);
  EXPECT_EQ(shape, f32({2, 3}));
}

TEST(Shape, TuplesHaveTheDynamicDimensionsOfTheirElements) {
  Shape shape = f32({2});
  shape.set_dynamic(0, true);
  EXPECT_TRUE(Shape::tuple({f32({2}), shape}).has_dynamic_dimensions());
  EXPECT_FALSE(Shape::tuple({f32({2})}).has_dynamic_dimensions());
}

TEST(Shape, CompatibilityIgnoresLayoutsAndEqualityDoesNot) {
  Shape column = f32({2, 3});
  column.layout = default_layout(2);
  column.layout->minor_to_major = {0, 1};
  EXPECT_TRUE(compatible(column, f32({2, 3})));
  EXPECT_FALSE(column == f32({2, 3}));
}

TEST(Shape, CompatibilityMindsTypesDimensionsAndMarks) {
  Shape dynamic = f32({2});
  dynamic.set_dynamic(0, true);
  EXPECT_FALSE(compatible(f32({2}), Shape::array(ElementType::kF64, {2})));
  EXPECT_FALSE(compatible(f32({2}), f32({3})));
  EXPECT_FALSE(compatible(f32({2}), dynamic));
  EXPECT_TRUE(compatible(f32({2}), dynamic, /*ignore_dynamic=*/true));
  EXPECT_FALSE(compatible(f32({2}), Shape::tuple({f32({2})})));
}

TEST(Shape, LeavesOfNestedTuplesComeFromLeftToRight) {
  const Shape shape =
      Shape::tuple({f32({1}), Shape::tuple({Shape::token(), f32({2})})});
  const std::vector<const Shape*> found = leaves(shape);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(*found[0], f32({1}));
  EXPECT_TRUE(found[1]->is_token());
  EXPECT_EQ(*found[2], f32({2}));
}

TEST(Shape, StridesBeyond64BitsAreZero) {
  const int64_t large = int64_t{1} << 40;
  EXPECT_EQ(row_major_strides(std::vector<int64_t>{0, large, large, 2}),
            (std::vector<int64_t>{0, 2 * large, 2, 1}));
}

TEST(Shape, StridesAreRowMajor) {
  EXPECT_EQ(row_major_strides(std::vector<int64_t>{2, 3, 4}),
            (std::vector<int64_t>{12, 4, 1}));
}

TEST(Shape, DelinearizeUndoesLinearize) {
  const std::vector<int64_t> dims = {2, 3, 4};
  EXPECT_EQ(delinearize(17, dims), (Index{1, 1, 1}));
  for (int64_t i = 0; i < 24; ++i) {
    EXPECT_EQ(linearize(delinearize(i, dims), dims), i);
  }
}

TEST(Shape, TextHasDynamicAndUnboundedDimensions) {
  Shape shape = f32({2, 3, kUnbounded});
  shape.set_dynamic(1, true);
  shape.set_dynamic(2, true);
  EXPECT_EQ(to_string(shape), "f32[2,<=3,?]");
}

TEST(Shape, TextHasEveryPartOfALayoutInOrder) {
  Shape shape = f32({4, 8});
  shape.layout = default_layout(2);
  shape.layout->tiles = {{{Tile::kCombine, 4}}, {{2, 1}}};
  shape.layout->tail_padding_alignment_in_elements = 128;
  shape.layout->element_size_in_bits = 32;
  shape.layout->memory_space = 1;
  shape.layout->split_configs = {{0, {2}}};
  shape.layout->dynamic_shape_metadata_prefix_bytes = 16;
  EXPECT_EQ(to_string(shape),
            "f32[4,8]{1,0:T(*,4)(2,1)L(128)E(32)S(1)SC(0:2)M(16)}");
  EXPECT_EQ(to_string(shape, /*with_layout=*/false), "f32[4,8]");
}

TEST(Shape, TextOfLongTuplesCountsTheElements) {
  const Shape shape = Shape::tuple(std::vector<Shape>(6, f32({})));
  EXPECT_EQ(to_string(shape),
            "(f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[])");
}

}  // namespace
}  // namespace hlo
