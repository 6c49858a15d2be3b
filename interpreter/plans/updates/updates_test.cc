#include "interpreter/plans/updates/updates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "interpreter/evaluate.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/plans/updates/scatter_map.h"
#include "interpreter/testing/random_case.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

using testing::make_instruction;
using testing::Random;
using testing::region;
using testing::region_of;

/// A scatter of windows into an operand of rank 3 whose dimension 1 is
/// inserted, dimension 2 batching or not.
struct ScatterCase {
  Shape operand, indices, updates;
  Attributes attributes;
  bool batching;

  ScatterCase(Random& random, ElementType type) : batching(random.one_in(2)) {
    operand = Shape::array(type, {random.between(1, 5), random.between(1, 4),
                                  random.between(1, 3)});
    const int64_t n = random.between(0, 6);
    const int64_t b = batching ? operand.dims[2] : random.between(1, 3);
    indices = Shape::array(ElementType::kS32, {b, 2, n});
    updates = Shape::array(type, {b, random.between(0, operand.dims[0]), n});
    if (!batching) updates.dims.push_back(random.between(0, operand.dims[2]));
    attributes = {
        {"update_window_dims", batching ? Ints{1} : Ints{1, 3}},
        {"inserted_window_dims", Ints{1}},
        {"scatter_dims_to_operand_dims", Ints{1, 0}},
        {"input_batching_dims", batching ? Ints{2} : Ints{}},
        {"scatter_indices_batching_dims", batching ? Ints{0} : Ints{}},
        {"index_vector_dim", int64_t{1}}};
  }

  /// Where the element of the updates at `index` goes, or -1.
  int64_t target(const Literal& places, const Index& index) const {
    const int64_t row =
        places.integer(linearize(Index{index[0], 1, index[2]}, indices.dims));
    const int64_t column =
        places.integer(linearize(Index{index[0], 0, index[2]}, indices.dims));
    const int64_t depth = batching ? index[0] : 0;
    const int64_t extent = batching ? 1 : updates.dims[3];
    if (row < 0 || row + updates.dims[1] > operand.dims[0] || column < 0 ||
        column >= operand.dims[1] || depth + extent > operand.dims[2]) {
      return -1;
    }
    return linearize(Index{row + index[1], column, batching ? depth : index[3]},
                     operand.dims);
  }
};

/// Positions of the updates, window after window.
Ints in_order(const ScatterCase& scatter) {
  Ints order;
  for (int64_t p = 0; p < scatter.updates.element_count(); ++p) {
    order.push_back(p);
  }
  std::ranges::stable_sort(order, {}, [&](int64_t p) {
    const Index index = delinearize(p, scatter.updates.dims);
    return std::pair(index[0], index[2]);
  });
  return order;
}

Literal random_places(Random& random, const ScatterCase& scatter) {
  Literal places(scatter.indices);
  for (int32_t& place : places.mutable_data<int32_t>()) {
    place = static_cast<int32_t>(random.between(-1, 4));
  }
  return places;
}

TEST(Updates, ScatterAppliesUpdatesInOrder) {
  Random random(31);
  const Module module = region(ElementType::kS16,
                               "c = s16[] add(a, a)\n"
                               "ROOT d = s16[] subtract(c, b)\n");
  for (int i = 0; i < 300; ++i) {
    ScatterCase scatter(random, ElementType::kS16);
    scatter.attributes.emplace_back("to_apply", region_of(module));
    const auto owned = make_instruction(
        "scatter", {scatter.operand, scatter.indices, scatter.updates},
        scatter.attributes);
    const Literal operands[] = {random.literal(scatter.operand),
                                random_places(random, scatter),
                                random.literal(scatter.updates)};
    Literal expected = operands[0];
    for (const int64_t p : in_order(scatter)) {
      const int64_t t =
          scatter.target(operands[1], delinearize(p, scatter.updates.dims));
      if (t < 0) continue;
      auto& value = expected.mutable_data<int16_t>()[static_cast<size_t>(t)];
      value = static_cast<int16_t>(2 * value - operands[2].integer(p));
    }
    Evaluator evaluator(kReference);
    ASSERT_TRUE(
        identical(evaluate_instruction(owned->instruction, operands, evaluator),
                  expected))
        << "case " << i;
  }
}

TEST(Updates, ScatterAddsExactly) {
  Random random(32);
  for (int i = 0; i < 300; ++i) {
    const ElementType type = i % 2 == 0 ? ElementType::kF32 : ElementType::kF16;
    const Module module =
        region(type, "ROOT c = " + std::string(name(type)) + "[] add(b, a)\n");
    ScatterCase scatter(random, type);
    scatter.attributes.emplace_back("to_apply", region_of(module));
    const auto owned = make_instruction(
        "scatter", {scatter.operand, scatter.indices, scatter.updates},
        scatter.attributes);
    const Literal operands[] = {random.literal(scatter.operand),
                                random_places(random, scatter),
                                random.literal(scatter.updates)};
    const auto& format = numeric::format(type);
    Evaluator evaluator(kReference);
    const Literal result =
        evaluate_instruction(owned->instruction, operands, evaluator);
    for (int64_t t = 0; t < result.element_count(); ++t) {
      numeric::ExactSum sum;
      sum.add(numeric::decode(operands[0].at(t).bits[0], format));
      bool touched = false;
      for (const int64_t p : in_order(scatter)) {
        if (scatter.target(operands[1], delinearize(p, scatter.updates.dims)) !=
            t) {
          continue;
        }
        sum.add(numeric::decode(operands[2].at(p).bits[0], format));
        touched = true;
      }
      ASSERT_EQ(result.at(t).bits[0],
                touched ? sum.round(format).bits : operands[0].at(t).bits[0])
          << "case " << i;
    }
  }
}

/// The updates of two windows of one element each, in columns 2 and 1 of the
/// first of so many rows.
std::vector<Update> updates_in_rows(int64_t rows) {
  const Module module = region(ElementType::kF32, "ROOT c = f32[] add(a, b)\n");
  const Shape operand = Shape::array(ElementType::kF32, {rows, 3});
  const Shape indices = Shape::array(ElementType::kS32, {2, 1});
  const Shape updates = Shape::array(ElementType::kF32, {2});
  const auto owned =
      make_instruction("scatter", {operand, indices, updates},
                       {{"update_window_dims", Ints{}},
                        {"inserted_window_dims", Ints{0, 1}},
                        {"scatter_dims_to_operand_dims", Ints{1}},
                        {"index_vector_dim", int64_t{1}},
                        {"to_apply", region_of(module)}});
  Literal columns(indices);
  columns.mutable_data<int32_t>()[0] = 2;
  columns.mutable_data<int32_t>()[1] = 1;
  return scatter_updates(ScatterDimensions(owned->instruction), operand,
                         columns, updates);
}

// No index says in which row a window lies: where there is none, in no row.
TEST(Updates, ScatterLeavesOutWindowsWithoutRoom) {
  EXPECT_TRUE(updates_in_rows(0).empty());
  const std::vector<Update> found = updates_in_rows(1);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].target, 2);
  EXPECT_EQ(found[0].source, 0);
  EXPECT_EQ(found[1].target, 1);
  EXPECT_EQ(found[1].source, 1);
}

}  // namespace
}  // namespace hlo
