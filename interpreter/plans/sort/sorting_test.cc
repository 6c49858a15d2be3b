#include "interpreter/plans/sort/sorting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "interpreter/evaluate.h"
#include "interpreter/testing/random_case.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

using testing::make_instruction;
using testing::Random;

/// A comparator of elements of `type` and of carried s32 elements.
Module comparator(ElementType type, const std::string& body) {
  const std::string scalar = std::string(name(type)) + "[]";
  return verified_module(
      "HloModule m\nless {\n a = " + scalar + " parameter(0)\n b = " + scalar +
      " parameter(1)\n c = s32[] parameter(2)\n d = s32[] parameter(3)\n" +
      body + "}\nENTRY e { ROOT p = s32[] parameter(0) }\n");
}

bool is_before(const Computation& less, const Literal& keys,
               const Literal& carried, int64_t a, int64_t b) {
  Evaluator evaluator(kReference);
  return evaluator
             .run(less,
                  {Literal::of(keys.at(a)), Literal::of(keys.at(b)),
                   Literal::of(carried.at(a)), Literal::of(carried.at(b))})
             .integer(0) != 0;
}

/// The order of one line by insertion.
Ints insertion_sort(const Lines& lines, int64_t line, const Computation& less,
                    const Literal& keys, const Literal& carried) {
  const auto position = [&](int64_t k) {
    return lines.first(line) + k * lines.stride;
  };
  Ints order;
  for (int64_t k = 0; k < lines.size; ++k) {
    auto place = order.end();
    while (place != order.begin() &&
           is_before(less, keys, carried, position(k), position(place[-1]))) {
      --place;
    }
    order.insert(place, k);
  }
  return order;
}

struct SortCase {
  Shape shape;
  int64_t dimension;

  SortCase(Random& random, ElementType type, int64_t longest) {
    shape = Shape::array(type, {});
    const int64_t rank = random.between(1, 3);
    for (int64_t d = 0; d < rank; ++d) {
      shape.dims.push_back(random.between(1, 4));
    }
    dimension = random.between(0, rank - 1);
    shape.dims[static_cast<size_t>(dimension)] = random.between(0, longest);
  }
};

Literal counted(const Shape& like) {
  Literal literal(Shape::array(ElementType::kS32, like.dims));
  int32_t next = 0;
  for (int32_t& x : literal.mutable_data<int32_t>()) x = next++ % 7;
  return literal;
}

TEST(Sorting, OrderIsThatOfStableInsertion) {
  Random random(21);
  constexpr std::array<const char*, 12> kBodies = {
      "ROOT r = pred[] compare(a, b), direction=LT\n",
      "ROOT r = pred[] compare(a, b), direction=GT\n",
      "ROOT r = pred[] compare(b, a), direction=LT\n",
      "ROOT r = pred[] compare(d, c), direction=LT\n",
      "x = pred[] compare(c, d), direction=LT\ny = pred[] compare(c, d), "
      "direction=EQ\nz = pred[] compare(a, b), direction=GT\nw = pred[] "
      "and(y, z)\nROOT r = pred[] or(x, w)\n",
      // One function of both sides, and two that differ.
      "x = s32[] constant(3)\ny = s32[] remainder(c, x)\nz = s32[] "
      "remainder(d, x)\nROOT r = pred[] compare(z, y), direction=GT\n",
      "x = s32[] constant(3)\ny = s32[] constant(4)\nz = s32[] "
      "remainder(c, x)\nw = s32[] remainder(d, y)\nROOT r = pred[] "
      "compare(z, w), direction=LT\n",
      // Two keys: by selections, with a function, and the same operand twice.
      "x = pred[] compare(a, b), direction=NE\ny = pred[] compare(b, a), "
      "direction=GT\nz = pred[] compare(c, d), direction=GT\nROOT r = pred[] "
      "select(x, y, z)\n",
      "k = s32[] constant(3)\ne = s32[] remainder(c, k)\nf = s32[] "
      "remainder(d, k)\nx = pred[] compare(e, f), direction=LE\ny = pred[] "
      "compare(f, e), direction=GT\nz = pred[] compare(a, b), "
      "direction=LT\nw = pred[] and(x, z)\nROOT r = pred[] or(y, w)\n",
      "k = s32[] constant(3)\ne = s32[] remainder(c, k)\nf = s32[] "
      "remainder(d, k)\nx = pred[] compare(e, f), direction=EQ\ny = pred[] "
      "compare(e, f), direction=GT\nz = pred[] compare(c, d), "
      "direction=GT\nROOT r = pred[] select(x, z, y)\n",
      // Either of two keys, which is no order.
      "x = pred[] compare(a, b), direction=LT\ny = pred[] compare(c, d), "
      "direction=LT\nROOT r = pred[] or(x, y)\n",
      "ROOT r = pred[] compare(a, b), direction=GT, type=TOTALORDER\n"};
  for (int i = 0; i < 600; ++i) {
    const ElementType type =
        all_types()[static_cast<size_t>(random.between(0, 29))].type;
    const int64_t body = random.between(0, is_float(type) ? 11 : 10);
    const Module module = comparator(type, kBodies[static_cast<size_t>(body)]);
    const Computation& less = *module.computations[0];
    const SortCase sort(random, type, 30);
    const Literal operands[] = {random.literal(sort.shape),
                                counted(sort.shape)};
    const Lines lines = lines_along(sort.shape, sort.dimension);
    Evaluator evaluator(kReference, {.threads = i % 2 + 1});
    const Ints order = sort_lines(lines, operands, less, evaluator);
    for (int64_t line = 0; line < lines.count; ++line) {
      // Without NaNs the comparators are consistent and the order is unique.
      const auto begin = order.begin() + line * lines.size;
      const Ints found(begin, begin + lines.size);
      const Ints expected =
          insertion_sort(lines, line, less, operands[0], operands[1]);
      bool consistent = true;
      for (size_t k = 1; k < expected.size(); ++k) {
        for (size_t j = 0; j < k; ++j) {
          consistent =
              consistent &&
              !is_before(less, operands[0], operands[1],
                         lines.first(line) + expected[k] * lines.stride,
                         lines.first(line) + expected[j] * lines.stride);
        }
      }
      Ints sorted = found;
      std::ranges::sort(sorted);
      for (int64_t k = 0; k < lines.size; ++k) {
        ASSERT_EQ(sorted[static_cast<size_t>(k)], k) << "case " << i;
      }
      if (!consistent) continue;
      ASSERT_EQ(found, expected) << "case " << i;
    }
  }
}

TEST(Sorting, LongLinesAreOrderedByTheirKeys) {
  Random random(22);
  for (const ElementType type : {ElementType::kF32, ElementType::kS16,
                                 ElementType::kU64, ElementType::kF8E4M3FN}) {
    const Shape shape = Shape::array(type, {3, 2000});
    const Literal keys = random.literal(shape);
    const Lines lines = lines_along(shape, 1);
    Evaluator evaluator(kReference);
    for (const bool descending : {false, true}) {
      const Ints order =
          sort_total_order(lines, keys, descending, lines.size, evaluator);
      const Ints first =
          sort_total_order(lines, keys, descending, 50, evaluator);
      ASSERT_TRUE(std::equal(first.begin(), first.begin() + 50, order.begin()));
      const Module module = comparator(
          type, std::string("ROOT r = pred[] compare(a, b), direction=") +
                    (descending ? "GT" : "LT") +
                    (is_float(type) ? ", type=TOTALORDER\n" : "\n"));
      const Literal carried = counted(shape);
      for (int64_t k = 1; k < 2000; k += 7) {
        const int64_t a = order[static_cast<size_t>(k - 1)];
        const int64_t b = order[static_cast<size_t>(k)];
        const Computation& less = *module.computations[0];
        ASSERT_FALSE(is_before(less, keys, carried, b, a));
        ASSERT_TRUE(a < b || is_before(less, keys, carried, a, b));
      }
    }
  }
}

TEST(Sorting, AnInconsistentComparatorGivesAPermutation) {
  Random random(23);
  for (const char* body : {"ROOT r = pred[] constant(true)\n",
                           "x = s32[] add(c, d)\ny = s32[] constant(1)\nz = "
                           "s32[] and(x, y)\nw = s32[] constant(0)\nROOT r = "
                           "pred[] compare(z, w), direction=EQ\n",
                           "ROOT r = pred[] compare(a, b), direction=NE\n"}) {
    const Module module = comparator(ElementType::kF32, body);
    const Shape shape = Shape::array(ElementType::kF32, {777});
    const Literal operands[] = {random.literal(shape), counted(shape)};
    Evaluator evaluator(kReference);
    Ints order = sort_lines(lines_along(shape, 0), operands,
                            *module.computations[0], evaluator);
    std::ranges::sort(order);
    for (int64_t k = 0; k < 777; ++k) {
      ASSERT_EQ(order[static_cast<size_t>(k)], k);
    }
  }
}

}  // namespace
}  // namespace hlo
