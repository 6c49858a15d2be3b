#include "backends/cpu/routines/products/number_convolution_routine.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "backends/cpu/routines/products/testing/as_reference.h"

// What is expected is what the reference gives. Numbers are small and whole, so
// that every order of exact sums gives the same bits.

namespace hlo::cpu {
namespace {

std::array<uint64_t, 2> bits_of(ElementType type, double re, double im) {
  const auto f32 = [](double x) {
    return uint64_t{std::bit_cast<uint32_t>(static_cast<float>(x))};
  };
  switch (type) {
    case ElementType::kF64:
      return {std::bit_cast<uint64_t>(re), 0};
    case ElementType::kC64:
      return {f32(re), f32(im)};
    case ElementType::kC128:
      return {std::bit_cast<uint64_t>(re), std::bit_cast<uint64_t>(im)};
    default:
      return {static_cast<uint64_t>(static_cast<int64_t>(re)), 0};
  }
}

/// Numbers from `least` to 5; the first of the second argument is `first`.
std::vector<Buffer> small_numbers(const Module& module, int least,
                                  double first) {
  std::mt19937 engine(5);
  std::uniform_int_distribution<int> drawn(least, 5);
  std::vector<Buffer> buffers;
  for (const Shape& shape : argument_shapes(module)) {
    Literal literal(shape);
    for (int64_t i = 0; i < literal.element_count(); ++i) {
      const bool is_first = i == 0 && !buffers.empty();
      const double re = is_first ? first : drawn(engine);
      literal.set(i, {shape.element_type,
                      bits_of(shape.element_type, re, drawn(engine))});
    }
    buffers.push_back(hlo::store(literal, shape, Padding::kPoison));
  }
  return buffers;
}

void expect_convolved(const std::string& type, const std::string& input,
                      const std::string& kernel, const std::string& result,
                      const std::string& attributes, bool by_routine = true,
                      double first_of_kernel = 3) {
  const int least = type[0] == 'u' || first_of_kernel > 5 ? 1 : -5;
  expect_run_as_reference(
      "  x = " + type + input + " parameter(0)\n  w = " + type + kernel +
          " parameter(1)\n  ROOT r = " + type + result +
          " convolution(x, w), " + attributes + "\n",
      by_routine, [&](const Module& module) {
        return small_numbers(module, least, first_of_kernel);
      });
}

TEST(NumberConvolutionRoutine, ConvolvesAllItsTypes) {
  for (const char* const type :
       {"f64", "s32", "u32", "s64", "u64", "c64", "c128"}) {
    expect_convolved(type, "[2,9,8,5]", "[3,2,5,12]", "[2,5,10,12]",
                     "window={size=3x2 stride=2x1 pad=1_1x1_2}, "
                     "dim_labels=b01f_01io->b01f");
  }
}

TEST(NumberConvolutionRoutine, TakesAnyOrderOfDimensionsAndGroups) {
  expect_convolved("f64", "[2,5,9,8]", "[12,5,3,3]", "[2,12,5,4]",
                   "window={size=3x3 rhs_dilate=2x2}, "
                   "dim_labels=bf01_oi01->bf01");
  expect_convolved("s64", "[9,5,8,2]", "[5,3,12,3]", "[12,2,19,17]",
                   "window={size=3x3 pad=2_2x2_2 lhs_dilate=2x2}, "
                   "dim_labels=0f1b_i0o1->fb01");
  expect_convolved("f64", "[3,7,16]", "[2,4,32]", "[3,6,32]",
                   "window={size=2}, dim_labels=b0f_0io->b0f, "
                   "feature_group_count=4");
  expect_convolved("f64", "[7,16,3]", "[2,4,32]", "[32,3,6]",
                   "window={size=2}, dim_labels=0fb_0io->fb0, "
                   "feature_group_count=4");
  expect_convolved("u32", "[3,40]", "[40,6]", "[3,6]", "dim_labels=bf_io->bf");
}

TEST(NumberConvolutionRoutine, LeavesNarrowGroupsAndReversals) {
  expect_convolved("f64", "[1,7,16]", "[3,1,16]", "[1,7,16]",
                   "window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, "
                   "feature_group_count=16",
                   false);
  expect_convolved("f64", "[1,7,16]", "[3,16,8]", "[1,7,8]",
                   "window={size=3 pad=1_1 rhs_reversal=1}, "
                   "dim_labels=b0f_0io->b0f",
                   false);
}

// More bytes of patches than are read at a time, with a rest.
TEST(NumberConvolutionRoutine, ReadsRowsInParts) {
  expect_convolved("f64", "[1,131,129,32]", "[3,3,32,8]", "[1,129,127,8]",
                   "window={size=3x3}, dim_labels=b01f_01io->b01f");
  expect_convolved("s64", "[1,130,100,16]", "[3,3,8,16]", "[1,128,98,16]",
                   "window={size=3x3}, dim_labels=b01f_01io->b01f, "
                   "feature_group_count=2");
}

// 0 times infinity would be NaN.
TEST(NumberConvolutionRoutine, MultipliesNothingWithPadding) {
  expect_convolved("f64", "[2,6,5,3]", "[3,3,3,8]", "[2,6,5,8]",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f",
                   true, std::numeric_limits<double>::infinity());
  // The only place meets the tap that is not infinite.
  for (const char* const type : {"c64", "c128"}) {
    expect_convolved(type, "[2,1,3]", "[2,3,8]", "[2,1,8]",
                     "window={size=2 pad=1_0}, dim_labels=b0f_0io->b0f", true,
                     std::numeric_limits<double>::infinity());
  }
  // Some places meet nothing but padding.
  expect_convolved("f64", "[2,3,3]", "[2,3,8]", "[2,8,8]",
                   "window={size=2 pad=3_3}, dim_labels=b0f_0io->b0f", true,
                   std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace hlo::cpu
