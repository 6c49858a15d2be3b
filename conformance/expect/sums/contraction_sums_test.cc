#include "conformance/expect/sums/contraction_sums.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "conformance/expect/sums/sum_of_terms.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/plan.h"
#include "interpreter/testing/random_case.h"

namespace hlo::conformance {
namespace {

using testing::Random;

void expect_equal(const ContractionSums::Sum& actual,
                  const SumOfTerms& expected) {
  const auto& f64 = numeric::format(ElementType::kF64);
  EXPECT_EQ(actual.count, expected.count());
  EXPECT_EQ(actual.sum.terms(), expected.sum().terms());
  EXPECT_EQ(actual.sum.round(f64).bits, expected.sum().round(f64).bits);
  EXPECT_EQ(actual.sum.round(f64).side, expected.sum().round(f64).side);
  if (!expected.sum().is_finite()) return;
  EXPECT_EQ(actual.sum.positive_sum(), expected.sum().positive_sum());
  EXPECT_EQ(actual.sum.negative_sum(), expected.sum().negative_sum());
}

/// Compares all sums of the contraction of the operands.
void expect_sums_of_terms(const Instruction& instruction, Operands operands,
                          const Contraction& contraction) {
  const Shape& shape = instruction.shape;
  ContractionSums sums(contraction, operands, shape.element_type);
  const int parts = is_complex(shape.element_type) ? 2 : 1;
  for (int64_t i = 0; i < parts * shape.element_count(); ++i) {
    const bool imaginary = i % parts == 1;
    SumOfTerms terms(operands, shape.element_type, imaginary);
    instruction.op->terms(instruction, operands,
                          delinearize(i / parts, shape.dims),
                          [&](const hlo::Term& term) { terms.add(term); });
    ASSERT_NO_FATAL_FAILURE(expect_equal(sums.at(i / parts, imaginary), terms));
  }
}

/// Compares those of a program of one contraction of two parameters.
void expect_sums_of_terms(const char* text) {
  Random random(60);
  const Module module = verified_module(text);
  const Instruction& instruction = *module.entry->root;
  std::vector<Literal> operands;
  for (const Instruction* parameter : module.entry->parameters) {
    operands.push_back(random.literal(parameter->shape));
  }
  const std::optional<Contraction> contraction =
      find_plan(*instruction.op).plan->contraction(instruction);
  ASSERT_TRUE(contraction);
  expect_sums_of_terms(instruction, operands, *contraction);
}

TEST(ContractionSums, BatchesOfMatricesGiveTheSumsOfTheirTerms) {
  expect_sums_of_terms(
      "HloModule m\nENTRY e {\n x = f32[3,4,40] parameter(0)\n"
      " y = f32[40,3,6] parameter(1)\n ROOT r = f32[3,4,6] dot(x, y), "
      "lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={1}, "
      "rhs_contracting_dims={0}\n}\n");
}

TEST(ContractionSums, ComplexPartsAreSumsOfTwoProductsEach) {
  expect_sums_of_terms(
      "HloModule m\nENTRY e {\n x = c64[4,5,6] parameter(0)\n"
      " y = c64[6,3,5] parameter(1)\n ROOT r = c64[4,3] dot(x, y), "
      "lhs_contracting_dims={1,2}, rhs_contracting_dims={2,0}\n}\n");
}

TEST(ContractionSums, OperandsAreConvertedToTheTypeOfTheResult) {
  expect_sums_of_terms(
      "HloModule m\nENTRY e {\n x = f64[4,30] parameter(0)\n"
      " y = s32[30,3] parameter(1)\n ROOT r = bf16[4,3] dot(x, y), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
}

TEST(ContractionSums, PaddingIsNoTerm) {
  expect_sums_of_terms(
      "HloModule m\nENTRY e {\n x = f32[2,5,6,4] parameter(0)\n"
      " y = f32[3,2,2,6] parameter(1)\n ROOT r = f32[2,9,6,6] "
      "convolution(x, y), window={size=3x2 pad=1_1x1_1 lhs_dilate=2x1 "
      "rhs_dilate=1x2}, dim_labels=b01f_01io->b01f, feature_group_count=2\n"
      "}\n");
}

}  // namespace
}  // namespace hlo::conformance
