#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "interpreter/model/buffer.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/layout.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/testing/layout_case.h"

namespace hlo {
namespace {

using testing::kStar;
using testing::with_layout;

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

}  // namespace
}  // namespace hlo
