#include <gtest/gtest.h>

#include "interpreter/evaluate.h"
#include "interpreter/testing/random_case.h"

// Updates at, below and above the sizes at which plans change, against the
// definition.

namespace hlo {
namespace {

using testing::make_instruction;
using testing::Owned;
using testing::Random;
using testing::region;
using testing::region_of;

constexpr ElementType kTypes[] = {ElementType::kF32, ElementType::kBF16,
                                  ElementType::kS32, ElementType::kC64,
                                  ElementType::kF8E4M3FN};

constexpr std::string_view kSum = "ROOT c = T add(a, b)\n";
constexpr std::string_view kOther =
    "c = T add(a, a)\nROOT d = T subtract(c, b)\n";

void expect_definition(const Owned& owned, Operands operands,
                       std::string_view what) {
  Evaluator planned(kReference);
  Evaluator defined(kReference, {.plans = PlanSet::none()});
  ASSERT_TRUE(
      identical(evaluate_instruction(owned.instruction, operands, planned),
                evaluate_instruction(owned.instruction, operands, defined)))
      << what << " " << to_string(owned.instruction.shape);
}

/// Scatters single elements to places among the first `places`, and one beyond
/// the last one.
void scatter(Random& random, ElementType type, std::string_view body,
             int64_t size, int64_t places, int64_t count) {
  const Module module = region(type, std::string(body));
  const Shape operand = Shape::array(type, {size});
  const Shape indices = Shape::array(ElementType::kS32, {count});
  const Shape updates = Shape::array(type, {count});
  const auto owned =
      make_instruction("scatter", {operand, indices, updates},
                       {{"update_window_dims", Ints{}},
                        {"inserted_window_dims", Ints{0}},
                        {"scatter_dims_to_operand_dims", Ints{0}},
                        {"index_vector_dim", int64_t{1}},
                        {"to_apply", region_of(module)}});
  Literal to(indices);
  for (int32_t& place : to.mutable_data<int32_t>()) {
    place = static_cast<int32_t>(random.between(0, places - 1));
  }
  to.mutable_data<int32_t>().back() = static_cast<int32_t>(size);
  const Literal operands[] = {random.literal(operand), to,
                              random.literal(updates)};
  expect_definition(*owned, operands, name(type));
}

TEST(UpdatesSizes, BlocksOfSums) {
  Random random(1);
  for (const ElementType type : kTypes) {
    for (const int64_t size : {4095, 4096, 4097, 8191, 8192, 8193}) {
      scatter(random, type, kSum, size, size, 300);
    }
  }
}

TEST(UpdatesSizes, FewUpdatesOfABlock) {
  Random random(2);
  for (const ElementType type : kTypes) {
    for (const int64_t count : {255, 256, 257, 258}) {
      scatter(random, type, kSum, 5000, 100, count);
      scatter(random, type, kSum, 5000, 5, count);
    }
  }
}

TEST(UpdatesSizes, RunsOfACompiledRegion) {
  Random random(3);
  for (const ElementType type : kTypes) {
    for (const int64_t count : {1023, 1024, 1025, 1026, 2049}) {
      scatter(random, type, kOther, 1 << 20, 1 << 20, count);
      scatter(random, type, kOther, 3000, 50, count);
    }
  }
}

TEST(UpdatesSizes, RunsOfWindows) {
  Random random(4);
  for (const ElementType type : {ElementType::kF32, ElementType::kBF16,
                                 ElementType::kS32, ElementType::kF8E4M3FN}) {
    const Module select =
        testing::region(type, "ROOT c = pred[] compare(a, b), direction=GE\n");
    const Module sum = region(type, std::string(kSum));
    for (const int64_t places : {1023, 1024, 1025, 2049}) {
      const Shape operand = Shape::array(type, {places + 2});
      const Shape source = Shape::array(type, {places});
      const auto owned = make_instruction(
          "select-and-scatter", {operand, source, Shape::scalar(type)},
          {{"window", Window{{{.size = 3}}}},
           {"select", region_of(select)},
           {"scatter", region_of(sum)}});
      const Literal operands[] = {random.literal(operand),
                                  random.literal(source),
                                  random.literal(Shape::scalar(type))};
      expect_definition(*owned, operands, name(type));
    }
  }
}

}  // namespace
}  // namespace hlo
