#include "interpreter/model/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "interpreter/error.h"
#include "interpreter/model/literal.h"

namespace hlo {
namespace {

constexpr int64_t kStar = Tile::kCombine;

Shape with_layout(ElementType type, std::vector<int64_t> dims, Layout layout) {
  Shape shape = Shape::array(type, std::move(dims));
  shape.layout = std::move(layout);
  return shape;
}

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

// The definition of a layout as operations on whole arrays: transpose to the
// physical order, then for every tile merge, pad, reshape and transpose. What
// is left is the buffer: an element's number, or -1 for padding.
struct Labels {
  std::vector<int64_t> dims;
  std::vector<int64_t> values;
};

Labels transpose(const Labels& in, const std::vector<size_t>& order) {
  Labels out;
  for (const size_t d : order) out.dims.push_back(in.dims[d]);
  out.values.resize(in.values.size());
  for (size_t i = 0; i < out.values.size(); ++i) {
    const Index to = delinearize(static_cast<int64_t>(i), out.dims);
    Index from(to.size());
    for (size_t d = 0; d < to.size(); ++d) from[order[d]] = to[d];
    out.values[i] = in.values[static_cast<size_t>(linearize(from, in.dims))];
  }
  return out;
}

Labels pad_to_multiples(const Labels& in, const std::vector<int64_t>& sizes) {
  Labels out;
  int64_t count = 1;
  for (size_t d = 0; d < sizes.size(); ++d) {
    out.dims.push_back((in.dims[d] + sizes[d] - 1) / sizes[d] * sizes[d]);
    count *= out.dims.back();
  }
  out.values.assign(static_cast<size_t>(count), -1);
  for (size_t i = 0; i < in.values.size(); ++i) {
    const Index index = delinearize(static_cast<int64_t>(i), in.dims);
    out.values[static_cast<size_t>(linearize(index, out.dims))] = in.values[i];
  }
  return out;
}

Labels apply_tile(Labels array, std::vector<int64_t> tile) {
  while (array.dims.size() < tile.size()) {
    array.dims.insert(array.dims.begin(), 1);
  }
  while (tile.size() < array.dims.size()) tile.insert(tile.begin(), 0);
  for (size_t d = 0; d < tile.size();) {
    if (tile[d] != kStar) {
      ++d;
      continue;
    }
    array.dims[d + 1] *= array.dims[d];
    array.dims.erase(array.dims.begin() + static_cast<int64_t>(d));
    tile.erase(tile.begin() + static_cast<int64_t>(d));
  }
  const auto untiled =
      static_cast<size_t>(std::ranges::count(tile, int64_t{0}));
  std::ranges::replace(tile, int64_t{0}, int64_t{1});
  array = pad_to_multiples(array, tile);
  Labels split{{}, array.values};
  std::vector<size_t> outer;
  std::vector<size_t> inner;
  for (size_t d = 0; d < tile.size(); ++d) {
    outer.push_back(split.dims.size());
    split.dims.push_back(array.dims[d] / tile[d]);
    if (d < untiled) continue;
    inner.push_back(split.dims.size());
    split.dims.push_back(tile[d]);
  }
  outer.insert(outer.end(), inner.begin(), inner.end());
  return transpose(split, outer);
}

std::vector<int64_t> buffer_by_definition(const Shape& shape) {
  const Layout& layout = *shape.layout;
  Labels array{shape.dims, {}};
  array.values.resize(static_cast<size_t>(shape.element_count()));
  std::iota(array.values.begin(), array.values.end(), 0);
  std::vector<size_t> order;
  for (size_t k = layout.minor_to_major.size(); k-- > 0;) {
    order.push_back(static_cast<size_t>(layout.minor_to_major[k]));
  }
  array = transpose(array, order);
  for (const Tile& tile : layout.tiles) array = apply_tile(array, tile.dims);
  const auto alignment =
      static_cast<size_t>(layout.tail_padding_alignment_in_elements);
  const size_t slots = array.values.size();
  array.values.resize((slots + alignment - 1) / alignment * alignment, -1);
  return array.values;
}

class RandomLayouts {
 public:
  Shape next() {
    std::vector<int64_t> dims;
    for (int64_t d = below(6); d-- > 0;) {
      dims.push_back(below(12) == 0 ? 0 : 1 + below(4));
    }
    Layout layout = default_layout(static_cast<int64_t>(dims.size()));
    std::ranges::shuffle(layout.minor_to_major, engine_);
    for (int64_t t = below(4); t-- > 0;) layout.tiles.push_back(tile(dims));
    if (below(4) == 0) layout.tail_padding_alignment_in_elements = 1 + below(9);
    if (below(4) == 0) layout.dynamic_shape_metadata_prefix_bytes = below(40);
    if (below(3) == 0) layout.memory_space = below(6);
    const std::vector<std::pair<ElementType, std::vector<int64_t>>> types = {
        {ElementType::kS32, {0, 32, 64}}, {ElementType::kU8, {0, 8, 16}},
        {ElementType::kS4, {0, 4, 5, 8}}, {ElementType::kU2, {0, 2, 3}},
        {ElementType::kPred, {0, 1, 32}}, {ElementType::kC64, {0, 64}},
        {ElementType::kF6E2M3FN, {0, 6}}, {ElementType::kBF16, {0, 16, 24}},
        {ElementType::kC128, {0, 128}},   {ElementType::kS64, {0, 72}},
    };
    const auto& [type, widths] =
        types[static_cast<size_t>(below(static_cast<int64_t>(types.size())))];
    layout.element_size_in_bits =
        widths[static_cast<size_t>(below(static_cast<int64_t>(widths.size())))];
    return with_layout(type, dims, layout);
  }

  Literal value(const Shape& shape) {
    Literal literal(shape);
    for (int64_t i = 0; i < literal.element_count(); ++i) {
      const bool two = is_complex(shape.element_type);
      const uint64_t mask =
          shape.element_type == ElementType::kC64 ? 0xffffffff : ~uint64_t{0};
      literal.set(i, {shape.element_type,
                      {engine_() & mask, two ? engine_() & mask : 0}});
    }
    return literal;
  }

 private:
  int64_t below(int64_t n) {
    return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n));
  }

  Tile tile(const std::vector<int64_t>& dims) {
    Tile tile;
    const int64_t length = 1 + below(static_cast<int64_t>(dims.size()) + 2);
    for (int64_t k = 1; k < length; ++k) {
      tile.dims.push_back(below(5) == 0 ? kStar : 1 + below(4));
    }
    tile.dims.push_back(1 + below(4));
    return tile;
  }

  std::mt19937_64 engine_{20260817};
};

void expect_definition(const Shape& shape) {
  const std::vector<int64_t> definition = buffer_by_definition(shape);
  ASSERT_EQ(buffer_elements(shape), std::ssize(definition));
  std::set<int64_t> taken;
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    const int64_t slot = linear_index(shape, delinearize(i, shape.dims));
    ASSERT_GE(slot, 0);
    ASSERT_LT(slot, buffer_elements(shape));
    ASSERT_TRUE(taken.insert(slot).second);
    ASSERT_EQ(definition[static_cast<size_t>(slot)], i);
  }
}

// Every bit of the buffer that belongs to no element is poison.
void expect_poison(const Buffer& buffer) {
  const Shape& shape = buffer.shape;
  const std::vector<int64_t> definition = buffer_by_definition(shape);
  const int64_t given = shape.layout->element_size_in_bits;
  const int64_t width =
      given != 0 ? given : storage_bytes(shape.element_type) * 8;
  const int64_t prefix = 8 * shape.layout->dynamic_shape_metadata_prefix_bytes;
  for (int64_t bit = 0; bit < 8 * std::ssize(buffer.bytes); ++bit) {
    const int64_t slot = bit < prefix ? -1 : (bit - prefix) / width;
    const bool is_element = slot >= 0 && slot < std::ssize(definition) &&
                            definition[static_cast<size_t>(slot)] >= 0;
    if (is_element) continue;
    const auto byte =
        std::to_integer<unsigned>(buffer.bytes[static_cast<size_t>(bit / 8)]);
    ASSERT_EQ(byte >> (bit % 8) & 1U, 0xa5U >> (bit % 8) & 1U) << bit;
  }
}

TEST(Layout, RandomPairsAgreeWithTheDefinitionByPadReshapeTranspose) {
  RandomLayouts random;
  for (int i = 0; i < 12000; ++i) {
    const Shape shape = random.next();
    SCOPED_TRACE(to_string(shape));
    expect_definition(shape);
    if (HasFatalFailure()) return;
  }
}

TEST(Layout, LoadUndoesStoreAndPaddingIsPoisonForRandomPairs) {
  RandomLayouts random;
  for (int i = 0; i < 12000; ++i) {
    const Shape shape = random.next();
    const Literal literal = random.value(shape);
    SCOPED_TRACE(to_string(shape));
    const Buffer buffer = store(literal, shape);
    ASSERT_EQ(std::ssize(buffer.bytes), buffer_bytes(shape));
    ASSERT_TRUE(identical(load(buffer), literal));
    expect_poison(buffer);
    if (HasFatalFailure()) return;
  }
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
  EXPECT_EQ(f32(changed([](Layout& l) { l.memory_space = -1; })), "layout.C6");
  EXPECT_EQ(f32(changed([](Layout& l) { l.dim_level_types = "D,C"; })),
            "layout.C7");
  EXPECT_EQ(f32(changed([](Layout& l) {
              l.split_configs = {{1, {5}}};
            })),
            "layout.C8");
  EXPECT_EQ(f32(tiled({1, 0}, {{int64_t{1} << 32, int64_t{1} << 31}})),
            "layout.C9");
}

}  // namespace
}  // namespace hlo
