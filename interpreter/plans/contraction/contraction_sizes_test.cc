#include <gtest/gtest.h>

#include <algorithm>

#include "interpreter/definition/sum_of_products.h"
#include "interpreter/evaluate.h"
#include "interpreter/testing/random_case.h"

// Products at, below and above the sizes at which plans change, against the
// definition at some elements.

namespace hlo {
namespace {

using testing::make_instruction;
using testing::Random;

constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kBF16,
                                  ElementType::kS32, ElementType::kC64,
                                  ElementType::kF8E4M3FN};
constexpr ElementType kFastTypes[] = {ElementType::kF32, ElementType::kS32};

struct Sizes {
  int64_t batches;
  int64_t rows;
  int64_t columns;
  int64_t depth;
};

/// lhs[batch, row, depth] times rhs[batch, column, depth].
void compare(Random& random, ElementType type, const Sizes& sizes) {
  const auto owned = make_instruction(
      "dot",
      {Shape::array(type, {sizes.batches, sizes.rows, sizes.depth}),
       Shape::array(type, {sizes.batches, sizes.columns, sizes.depth})},
      {{"lhs_batch_dims", Ints{0}},
       {"lhs_contracting_dims", Ints{2}},
       {"rhs_batch_dims", Ints{0}},
       {"rhs_contracting_dims", Ints{2}}});
  const Instruction& dot = owned->instruction;
  const std::vector<Literal> operands = {random.literal(dot.operand_shape(0)),
                                         random.literal(dot.operand_shape(1))};
  Evaluator evaluator(kReference, {.threads = random.one_in(2) ? 2 : 1});
  const Literal result = evaluate_instruction(dot, operands, evaluator);
  const int64_t samples = std::clamp<int64_t>(3000 / sizes.depth, 3, 12);
  for (int64_t s = 0; s < samples; ++s) {
    // The last element, then any.
    const int64_t last = result.element_count() - 1;
    const int64_t i = s == 0 ? last : random.between(0, last);
    const Index index = delinearize(i, dot.shape.dims);
    ASSERT_EQ(result.at(i), definition::sum_of_products(
                                operands,
                                [&](const VisitTerm& visit) {
                                  dot.op->terms(dot, operands, index, visit);
                                },
                                type))
        << name(type) << " element " << i << " of " << sizes.batches << " x "
        << sizes.rows << " x " << sizes.columns << ", depth " << sizes.depth;
  }
}

/// All types, with one size just below, at, and just above each threshold.
template <typename Make>
void compare_around(uint64_t seed, std::initializer_list<int64_t> thresholds,
                    const Make& make,
                    std::span<const ElementType> types = kTypes) {
  Random random(seed);
  for (const int64_t threshold : thresholds) {
    for (const int64_t size : {threshold - 1, threshold, threshold + 1}) {
      for (const ElementType type : types) compare(random, type, make(size));
    }
  }
}

TEST(ContractionSizes, LanesAndRowsOfKernels) {
  const auto columns = [](int64_t n) { return Sizes{1, 18, n, 5}; };
  compare_around(1, {4, 8, 16, 32, 64}, columns);
  const auto rows = [](int64_t m) { return Sizes{2, m, 17, 6}; };
  compare_around(2, {2, 4, 6, 8, 12, 16}, rows);
}

TEST(ContractionSizes, FewColumnsTakeTheirPlaceAsRows) {
  const auto tall = [](int64_t n) { return Sizes{1, 40, n, 9}; };
  const auto square = [](int64_t m) { return Sizes{1, m, 15, 9}; };
  compare_around(3, {16}, tall);
  compare_around(4, {15}, square);
}

TEST(ContractionSizes, SingleAndLongVectors) {
  const auto singles = [](int64_t n) { return Sizes{1, 9, n, 40}; };
  const auto lengths = [](int64_t k) { return Sizes{2, 3, 5, k}; };
  compare_around(5, {3}, singles);
  compare_around(6, {32, 4096}, lengths);
  const auto many = [](int64_t n) { return Sizes{1, 2, n, 32}; };
  compare_around(7, {512}, many);
}

TEST(ContractionSizes, BlocksOfTheDepth) {
  const auto depth = [](int64_t k) { return Sizes{2, 5, 17, k}; };
  compare_around(8, {256, 512, 1024}, depth);
}

TEST(ContractionSizes, Panels) {
  const auto flat = [](int64_t n) { return Sizes{1, 17, n, 1}; };
  const auto deep = [](int64_t n) { return Sizes{2, 17, n, 256}; };
  compare_around(9, {1 << 14}, flat);
  compare_around(10, {512}, deep);
}

TEST(ContractionSizes, BlocksOfRows) {
  const auto deep = [](int64_t m) { return Sizes{1, m, 20, 256}; };
  const auto flat = [](int64_t m) { return Sizes{1, m, 20, 8}; };
  compare_around(11, {128}, deep);
  compare_around(12, {1024}, flat);
}

TEST(ContractionSizes, RowsThatAreKeptForAllPanels) {
  const auto rows = [](int64_t m) { return Sizes{1, m, 140, 1024}; };
  compare_around(13, {1024}, rows, kFastTypes);
}

}  // namespace
}  // namespace hlo
