#include "interpreter/model/layout.h"

#include <gtest/gtest.h>

#include "interpreter/error.h"
#include "interpreter/model/buffer.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/testing/layout_case.h"

namespace hlo {
namespace {

using testing::kStar;
using testing::with_layout;

Layout tiled(std::vector<int64_t> minor_to_major,
             std::vector<std::vector<int64_t>> tiles) {
  Layout layout;
  layout.minor_to_major = std::move(minor_to_major);
  for (std::vector<int64_t>& tile : tiles) layout.tiles.push_back({tile});
  return layout;
}

std::vector<int64_t> whole_map(const Shape& shape) {
  std::vector<int64_t> map;
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    map.push_back(linear_index(shape, delinearize(i, shape.dims)));
  }
  return map;
}

std::string rule_of(const Shape& shape) {
  try {
    validate_layout(shape);
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

Literal counting(ElementType type, std::vector<int64_t> dims) {
  Literal literal(Shape::array(type, std::move(dims)));
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const auto bits = static_cast<uint64_t>(i + 1);
    literal.set(i, {type, {bits, bits * 7}});
  }
  return literal;
}

std::vector<int> bytes_of(const Buffer& buffer) {
  std::vector<int> bytes;
  for (const std::byte byte : buffer.bytes) {
    bytes.push_back(std::to_integer<int>(byte));
  }
  return bytes;
}

TEST(Layout, TilesOf2By2MapTheFirstExample) {
  const Shape shape =
      with_layout(ElementType::kF32, {3, 5}, tiled({1, 0}, {{2, 2}}));
  EXPECT_EQ(whole_map(shape), (std::vector<int64_t>{0, 1, 4, 5, 8, 2, 3, 6, 7,
                                                    10, 12, 13, 16, 17, 20}));
  EXPECT_EQ(buffer_elements(shape), 24);
  EXPECT_EQ(buffer_bytes(shape), 96);
}

TEST(Layout, RepeatedTilesMapFigure2) {
  const Shape shape =
      with_layout(ElementType::kBF16, {4, 8}, tiled({1, 0}, {{2, 4}, {2, 1}}));
  EXPECT_EQ(whole_map(shape),
            (std::vector<int64_t>{0,  2,  4,  6,  8,  10, 12, 14, 1,  3,  5,
                                  7,  9,  11, 13, 15, 16, 18, 20, 22, 24, 26,
                                  28, 30, 17, 19, 21, 23, 25, 27, 29, 31}));
}

TEST(Layout, RepeatedTilesMapLargeArrays) {
  const Shape shape = with_layout(ElementType::kBF16, {16, 256},
                                  tiled({1, 0}, {{8, 128}, {2, 1}}));
  EXPECT_EQ(linear_index(shape, Index{0, 1}), 2);
  EXPECT_EQ(linear_index(shape, Index{1, 0}), 1);
  EXPECT_EQ(linear_index(shape, Index{9, 130}), 3077);
}

TEST(Layout, StarsCombineDimensionsBeforeTiling) {
  const Shape shape =
      with_layout(ElementType::kF32, {2, 7, 8, 11, 10},
                  tiled({4, 3, 2, 1, 0}, {{kStar, kStar, 2, kStar, 3}}));
  EXPECT_EQ(linear_index(shape, Index{0, 0, 1, 0, 3}), 9);
  EXPECT_EQ(linear_index(shape, Index{1, 2, 3, 4, 5}), 8307);
  EXPECT_EQ(linear_index(shape, Index{1, 6, 7, 10, 9}), 12430);
  EXPECT_EQ(buffer_elements(shape), 12432);
}

TEST(Layout, ColumnMajorOrderIsADBECF) {
  const Shape shape = with_layout(ElementType::kU8, {2, 3}, tiled({0, 1}, {}));
  EXPECT_EQ(bytes_of(store(counting(ElementType::kU8, {2, 3}), shape)),
            (std::vector<int>{1, 4, 2, 5, 3, 6}));
}

// The old padded_dimensions [3,5] with padding value 0 in column-major order:
// one tile of (5,3) over the physical dimensions (3,2).
TEST(Layout, TilesExpressPaddedDimensions) {
  const Shape shape =
      with_layout(ElementType::kU8, {2, 3}, tiled({0, 1}, {{5, 3}}));
  const Buffer buffer =
      store(counting(ElementType::kU8, {2, 3}), shape, Padding::kZero);
  EXPECT_EQ(bytes_of(buffer),
            (std::vector<int>{1, 4, 0, 2, 5, 0, 3, 6, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Layout, PaddingIsPoisonedByDefault) {
  Layout layout = tiled({0}, {{2}});
  layout.tail_padding_alignment_in_elements = 6;
  const Shape shape = with_layout(ElementType::kU8, {3}, layout);
  EXPECT_EQ(bytes_of(store(counting(ElementType::kU8, {3}), shape)),
            (std::vector<int>{1, 2, 3, 0xa5, 0xa5, 0xa5}));
}

TEST(Layout, PackedElementsFillLowBitsFirst) {
  Layout layout = default_layout(1);
  layout.element_size_in_bits = 4;
  const Shape shape = with_layout(ElementType::kS4, {3}, layout);
  Literal literal(shape);
  literal.set(0, {ElementType::kS4, {1}});
  literal.set(1, {ElementType::kS4, {0xf}});
  literal.set(2, {ElementType::kS4, {7}});
  EXPECT_EQ(bytes_of(store(literal, shape)), (std::vector<int>{0xf1, 0xa7}));
}

TEST(Layout, PackedElementsMayStraddleBytes) {
  Layout layout = default_layout(1);
  layout.element_size_in_bits = 6;
  const Shape shape = with_layout(ElementType::kF6E3M2FN, {3}, layout);
  Literal literal(shape);
  literal.set(0, {ElementType::kF6E3M2FN, {0x01}});
  literal.set(1, {ElementType::kF6E3M2FN, {0x3e}});
  literal.set(2, {ElementType::kF6E3M2FN, {0x15}});
  // 010101 111110 000001 and six bits of poison above.
  EXPECT_EQ(bytes_of(store(literal, shape)),
            (std::vector<int>{0x81, 0x5f, 0xa5}));
}

TEST(Layout, WideElementsAreSignExtended) {
  Layout layout = default_layout(1);
  layout.element_size_in_bits = 16;
  const Shape shape = with_layout(ElementType::kS8, {2}, layout);
  Literal literal(shape);
  literal.set(0, {ElementType::kS8, {0xfe}});
  literal.set(1, {ElementType::kS8, {3}});
  EXPECT_EQ(bytes_of(store(literal, shape)),
            (std::vector<int>{0xfe, 0xff, 3, 0}));
}

TEST(Layout, LoadIgnoresTheUnusedBitsOfSubByteElements) {
  const Buffer buffer{Shape::array(ElementType::kS4, {2}),
                      {std::byte{0x78}, std::byte{0xf7}}};
  const Literal literal = load(buffer);
  EXPECT_EQ(literal.integer(0), -8);
  EXPECT_EQ(literal.integer(1), 7);
}

TEST(Layout, ThePrefixHoldsTheRunTimeSizes) {
  Layout layout = default_layout(1);
  layout.dynamic_shape_metadata_prefix_bytes = 8;
  Shape shape = with_layout(ElementType::kU8, {3}, layout);
  shape.set_dynamic(0, true);
  Literal literal = counting(ElementType::kU8, {3}).with_shape(shape);
  literal.set_dynamic_sizes({2});
  const Buffer buffer = store(literal, shape);
  EXPECT_EQ(bytes_of(buffer),
            (std::vector<int>{2, 0, 0, 0, 0xa5, 0xa5, 0xa5, 0xa5, 1, 2, 3}));
  EXPECT_EQ(load(buffer).dynamic_sizes(), std::vector<int64_t>{2});
}

TEST(Layout, LoadRefusesABufferOfAnotherSize) {
  const Buffer buffer{Shape::array(ElementType::kU8, {2}), {std::byte{0}}};
  EXPECT_THROW(load(buffer), Error);
}

TEST(Layout, EachRuleIsReportedByItsLabel) {
  const auto f32 = [](const Layout& layout) {
    return rule_of(with_layout(ElementType::kF32, {3, 5}, layout));
  };
  const auto changed = [](auto change) {
    Layout layout = default_layout(2);
    change(layout);
    return layout;
  };
  EXPECT_EQ(f32(tiled({1, 0}, {{8, 128}})), "");
  EXPECT_EQ(f32(tiled({0}, {})), "layout.C1");
  EXPECT_EQ(f32(tiled({0, 0}, {})), "layout.C1");
  EXPECT_EQ(f32(tiled({1, 2}, {})), "layout.C1");
  EXPECT_EQ(f32(tiled({1, 0}, {{}})), "layout.C2");
  EXPECT_EQ(f32(tiled({1, 0}, {{0, 2}})), "layout.C2");
  EXPECT_EQ(f32(tiled({1, 0}, {{2, kStar}})), "layout.C3");
  EXPECT_EQ(f32(changed([](Layout& l) { l.element_size_in_bits = 31; })),
            "layout.C4");
  EXPECT_EQ(
      f32(changed([](Layout& l) { l.tail_padding_alignment_in_elements = 0; })),
      "layout.C5");
  EXPECT_EQ(f32(changed([](Layout& l) { l.dim_level_types = "D,C"; })),
            "layout.C6");
  EXPECT_EQ(f32(changed([](Layout& l) {
              l.split_configs = {{1, {5}}};
            })),
            "layout.C7");
  EXPECT_EQ(f32(tiled({1, 0}, {{int64_t{1} << 32, int64_t{1} << 31}})),
            "layout.C8");
}

}  // namespace
}  // namespace hlo
