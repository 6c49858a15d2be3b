#include "interpreter/plans/movement/movement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "interpreter/rules/dimensions/start_indices.h"

namespace hlo {
namespace {

using Random = std::mt19937_64;

int64_t between(Random& random, int64_t low, int64_t high) {
  return low +
         static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

Literal random_bytes(Random& random, const Shape& shape) {
  Literal literal(shape);
  for (std::byte& byte : literal.mutable_bytes()) {
    byte = static_cast<std::byte>(random());
  }
  return literal;
}

/// A transposed, reversed, strided, repeated view of an array of `type`.
struct Case {
  Movement movement;
  Literal operand;
  Shape shape;
};

Case random_case(Random& random, ElementType type) {
  const int64_t rank = between(random, 0, 4);
  Index dims, operand_dims;
  for (int64_t d = 0; d < rank; ++d) {
    dims.push_back(between(random, 1, 37) / between(random, 1, 6));
    const bool repeated = random() % 5 == 0;
    operand_dims.push_back(repeated ? 1 : dims.back() * 2);
  }
  std::vector<size_t> order(dims.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::shuffle(order, random);
  Index shuffled;
  for (const size_t d : order) shuffled.push_back(operand_dims[d]);
  const Index strides = row_major_strides(shuffled);
  Block block;
  Index source_strides(dims.size());
  for (size_t i = 0; i < order.size(); ++i) {
    const size_t d = order[i];
    if (operand_dims[d] == 1) continue;
    source_strides[d] = strides[i] * between(random, 1, 2);
    if (random() % 4 == 0 && dims[d] > 0) {
      block.source_offset += source_strides[d] * (dims[d] - 1);
      source_strides[d] = -source_strides[d];
    }
  }
  block.axes = make_axes(dims, source_strides, row_major_strides(dims));
  return {{.blocks = {block}},
          random_bytes(random, Shape::array(type, shuffled)),
          Shape::array(type, dims)};
}

Literal by_source(const Case& c) {
  const Block& block = c.movement.blocks[0];
  Literal result(c.shape);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    const Index index = delinearize(i, c.shape.dims);
    int64_t source = block.source_offset;
    for (size_t d = 0; d < index.size(); ++d) {
      source += index[d] * block.axes[d].source_stride;
    }
    result.set(i, c.operand.at(source));
  }
  return result;
}

class EveryWidth : public testing::TestWithParam<ElementType> {};

TEST_P(EveryWidth, MovesEachElementFromItsSource) {
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    const Case c = random_case(random, GetParam());
    const Literal result = apply(c.movement, c.shape, {&c.operand, 1});
    ASSERT_TRUE(identical(result, by_source(c))) << to_string(c.shape);
  }
}

INSTANTIATE_TEST_SUITE_P(Movement, EveryWidth,
                         testing::Values(ElementType::kU8, ElementType::kU16,
                                         ElementType::kF32, ElementType::kF64,
                                         ElementType::kC128),
                         [](const auto& test) {
                           return std::string(name(test.param));
                         });

Movement transposition(int64_t rows, int64_t columns) {
  Movement movement;
  movement.blocks.push_back(
      {0, 0, 0, make_axes({columns, rows}, {1, columns}, {rows, 1})});
  return movement;
}

TEST(Movement, DoesNotDependOnTheNumberOfThreads) {
  Random random(3);
  const Shape shape = Shape::array(ElementType::kF32, {700, 901});
  const Shape transposed = Shape::array(ElementType::kF32, {901, 700});
  const Literal operand = random_bytes(random, shape);
  const Movement movement = transposition(700, 901);
  EXPECT_TRUE(identical(apply(movement, transposed, {&operand, 1}, 1),
                        apply(movement, transposed, {&operand, 1}, 4)));
}

TEST(Movement, SharesTheStorageOfAWholeOperand) {
  const Literal operand(Shape::array(ElementType::kF32, {6}));
  const Shape shape = Shape::array(ElementType::kF32, {2, 3});
  const Literal result = apply(move_whole(0, 6), shape, {&operand, 1});
  EXPECT_EQ(result.bytes().data(), operand.bytes().data());
}

TEST(Movement, LaysBlocksOverTheFillInOrder) {
  const Shape shape = Shape::array(ElementType::kU8, {3});
  const std::vector<Literal> operands{Literal::of({ElementType::kU8, {7}}),
                                      Literal::of({ElementType::kU8, {8}}),
                                      Literal::of({ElementType::kU8, {9}})};
  const Movement movement{.fill_operand = 0,
                          .blocks = {{1, 0, 1, {}}, {2, 0, 1, {}}}};
  const Literal result = apply(movement, shape, operands);
  EXPECT_EQ(result.integer(0), 7);
  EXPECT_EQ(result.integer(1), 9);
}

TEST(Movement, LeavesSharedOperandsAsTheyAre) {
  const Shape shape = Shape::array(ElementType::kU8, {2});
  const std::vector<Literal> operands{Literal(shape),
                                      Literal::of({ElementType::kU8, {5}})};
  const Movement movement{.fill_operand = 0, .blocks = {{1, 0, 1, {}}}};
  std::vector<Literal> consumed = operands;
  const Literal result = apply_consuming(movement, shape, consumed);
  EXPECT_EQ(result.integer(1), 5);
  EXPECT_EQ(operands[0].integer(1), 0);
}

TEST(ClampedStart, KeepsTheSliceInside) {
  Literal starts(Shape::array(ElementType::kS8, {3}));
  starts.set(0, {ElementType::kS8, {0xff}});
  starts.set(1, {ElementType::kS8, {2}});
  starts.set(2, {ElementType::kS8, {100}});
  EXPECT_EQ(clamped_start(starts, 0, 10, 4), 0);
  EXPECT_EQ(clamped_start(starts, 1, 10, 4), 2);
  EXPECT_EQ(clamped_start(starts, 2, 10, 4), 6);
}

TEST(ClampedStart, TakesLargeUnsignedStartsForTheEnd) {
  const Literal start = Literal::of({ElementType::kU64, {uint64_t{1} << 63}});
  EXPECT_EQ(clamped_start(start, 0, 10, 4), 6);
}

TEST(Integers, WidensEveryType) {
  Literal literal(Shape::array(ElementType::kS4, {1}));
  literal.set(0, {ElementType::kS4, {0xf}});
  EXPECT_EQ(integers(literal), std::vector<int64_t>{-1});
  EXPECT_EQ(integers(Literal::of({ElementType::kU16, {0xffff}})),
            std::vector<int64_t>{65535});
}

}  // namespace
}  // namespace hlo
