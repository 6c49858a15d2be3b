#include "interpreter/model/literal.h"

#include <gtest/gtest.h>

#include "interpreter/error.h"
#include "interpreter/model/array_memory.h"

namespace hlo {
namespace {

Shape s32(std::vector<int64_t> dims) {
  return Shape::array(ElementType::kS32, std::move(dims));
}

std::string rule_of(const Shape& shape) {
  try {
    const Literal literal(shape);
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

TEST(Literal, StartsWithZeros) {
  const Literal literal(s32({2, 2}));
  EXPECT_EQ(literal.element_count(), 4);
  EXPECT_EQ(literal.bytes().size(), 16U);
  for (int64_t i = 0; i < 4; ++i) EXPECT_EQ(literal.integer(i), 0);
}

TEST(Literal, RefusesMoreThan16GiBBeforeAllocating) {
  const int64_t most = most_memory();
  set_most_memory(1 << 20);
  EXPECT_EQ(rule_of(s32({int64_t{1} << 32})), "evaluate.memory");
  EXPECT_EQ(rule_of(s32({(int64_t{1} << 32) + 1})), "literal.size");
  set_most_memory(most);
  EXPECT_EQ(rule_of(s32({1000000000000})), "literal.size");
  EXPECT_EQ(rule_of(s32({int64_t{1} << 40, int64_t{1} << 40})), "literal.size");
}

TEST(Literal, RefusesUnboundedDimensions) {
  EXPECT_EQ(rule_of(s32({kUnbounded})), "literal.unbounded");
}

TEST(Literal, CopiesShareUntilOneIsWritten) {
  Literal first(s32({2}));
  Literal second = first;
  EXPECT_EQ(first.bytes().data(), second.bytes().data());
  second.set(0, {ElementType::kS32, {7}});
  EXPECT_EQ(first.integer(0), 0);
  EXPECT_EQ(second.integer(0), 7);
}

TEST(Literal, SplatRepeatsOneElement) {
  const Literal literal = Literal::splat(s32({5}), {ElementType::kS32, {9}});
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(literal.integer(i), 9);
}

TEST(Literal, SplatOfNothingIsEmpty) {
  const Literal literal = Literal::splat(s32({0}), {ElementType::kS32, {9}});
  EXPECT_EQ(literal.element_count(), 0);
}

TEST(Literal, SubByteElementsAreSignExtendedInStorage) {
  Literal literal(Shape::array(ElementType::kS4, {1}));
  literal.set(0, {ElementType::kS4, {0xf}});
  EXPECT_EQ(literal.bytes()[0], std::byte{0xff});
  EXPECT_EQ(literal.at(0).bits[0], 0xfU);
  EXPECT_EQ(literal.integer(0), -1);
}

TEST(Literal, UnsignedElementsAreZeroExtended) {
  Literal literal(Shape::array(ElementType::kU4, {1}));
  literal.set(0, {ElementType::kU4, {0xff}});
  EXPECT_EQ(literal.bytes()[0], std::byte{0x0f});
  EXPECT_EQ(literal.integer(0), 15);
}

TEST(Literal, IntegersAboveTheSigned64BitsSaturate) {
  const Literal literal = Literal::of({ElementType::kU64, {~uint64_t{0}}});
  EXPECT_EQ(literal.integer(0), INT64_MAX);
}

TEST(Literal, ComplexElementsKeepBothParts) {
  Literal literal(Shape::array(ElementType::kC64, {2}));
  const Scalar value{ElementType::kC64, {0x3f800000, 0x7fc00001}};
  literal.set(1, value);
  EXPECT_EQ(literal.at(1), value);
  EXPECT_EQ(literal.at(0), (Scalar{ElementType::kC64, {}}));
}

TEST(Literal, PositionsOutsideAreABrokenInvariant) {
  Literal literal(s32({2}));
  EXPECT_THROW(static_cast<void>(literal.at(2)), std::logic_error);
  EXPECT_THROW(literal.set(0, {ElementType::kF32, {}}), std::logic_error);
}

TEST(Literal, IndicesAreRowMajor) {
  Literal literal(s32({2, 3}));
  literal.set(4, {ElementType::kS32, {5}});
  EXPECT_EQ(literal.at(Index{1, 1}).bits[0], 5U);
}

TEST(Literal, WithShapeSharesTheElements) {
  const Literal literal(s32({2, 3}));
  const Literal other = literal.with_shape(s32({3, 2}));
  EXPECT_EQ(other.bytes().data(), literal.bytes().data());
  EXPECT_THROW(static_cast<void>(literal.with_shape(s32({7}))),
               std::logic_error);
}

TEST(Literal, TuplesHaveTheShapesOfTheirElements) {
  const Literal literal = Literal::tuple({Literal(s32({2})), Literal()});
  EXPECT_EQ(literal.shape(), Shape::tuple({s32({2}), Shape::tuple({})}));
  EXPECT_EQ(leaves(literal).size(), 1U);
}

TEST(Literal, IdenticalComparesBitsAndIgnoresLayouts) {
  Shape column = s32({2, 2});
  column.layout = default_layout(2);
  column.layout->minor_to_major = {0, 1};
  Literal a(s32({2, 2}));
  const Literal b(column);
  EXPECT_TRUE(identical(a, b));
  a.set(3, {ElementType::kS32, {1}});
  EXPECT_FALSE(identical(a, b));
}

TEST(Literal, IdenticalTellsZerosAndNaNsApart) {
  const auto f32 = [](uint64_t bits) {
    return Literal::of({ElementType::kF32, {bits}});
  };
  EXPECT_FALSE(identical(f32(0), f32(0x80000000)));
  EXPECT_FALSE(identical(f32(0x7fc00000), f32(0x7fc00001)));
  EXPECT_TRUE(identical(f32(0x7fc00001), f32(0x7fc00001)));
}

TEST(Literal, SizesAtTheBoundsAreNotKept) {
  Literal literal(s32({2, 3}));
  literal.set_dynamic_sizes({2, 3});
  EXPECT_TRUE(literal.dynamic_sizes().empty());
  literal.set_dynamic_sizes({2, 1});
  EXPECT_EQ(literal.dynamic_sizes(), (std::vector<int64_t>{2, 1}));
  EXPECT_FALSE(identical(literal, Literal(s32({2, 3}))));
}

}  // namespace
}  // namespace hlo
