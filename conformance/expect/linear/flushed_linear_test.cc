#include <gtest/gtest.h>

#include <string>

#include "conformance/expect/expect_module.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/verify/verify.h"

// What transforms, factors, solutions and norms of f32 may be where subnormal
// numbers may count as zero.
namespace hlo::conformance {
namespace {

ValueSet set_of(const std::string& program, const std::string& profile,
                int64_t element, size_t leaf = 0) {
  const Module module =
      verified_module("HloModule m\n\nENTRY main {\n" + program + "}\n");
  return std::get<ArraySet>(
             expect_module(module, {}, nullptr, parse_profile(profile))
                 .at(leaf))
      .at(element);
}

bool admits(const ValueSet& set, double x) {
  constexpr ElementType kType = ElementType::kF32;
  return set.contains(numeric::encode(x, numeric::format(kType)), kType);
}

/// The number is small, and may be zero, but not as large as `most`.
void expect_flushed(const std::string& program, int64_t element,
                    size_t leaf = 0, double most = 1e-30) {
  EXPECT_FALSE(admits(set_of(program, "tight", element, leaf), 0)) << program;
  for (const char* const axis : {"daz", "ftz", "daz+ftz"}) {
    const ValueSet set =
        set_of(program, std::string("tight,subnormals=") + axis, element, leaf);
    EXPECT_TRUE(admits(set, 0)) << program << axis;
    EXPECT_FALSE(admits(set, most)) << program << axis;
    EXPECT_FALSE(set.has_nan()) << program << axis;
  }
}

/// A number near 1 stays what it is.
void expect_kept(const std::string& program, double number, int64_t element) {
  const ValueSet set = set_of(program, "tight,subnormals=daz+ftz", element);
  EXPECT_TRUE(admits(set, number)) << program;
  EXPECT_FALSE(admits(set, number * 1.0001)) << program;
  EXPECT_FALSE(admits(set, number * 0.9999)) << program;
}

std::string transform(const std::string& numbers, const std::string& length) {
  return "  x = c64[" + length + "] constant({" + numbers +
         "})\n  ROOT r = c64[" + length +
         "] fft(x), fft_type=FFT, fft_length={" + length + "}\n";
}

TEST(FlushedLinear, TransformsMayLoseSubnormalNumbers) {
  expect_flushed(transform("(1e-40, 0), (1e-40, 0)", "2"), 0);
  const std::string eleven =
      "(1e-40, 0), (1e-40, 0), (0, 0), (0, 0), (0, 0), "
      "(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)";
  expect_flushed(transform(eleven, "11"), 0);
  expect_kept(transform("(1, 0), (1e-40, 0)", "2"), 1, 0);
}

/// That of a system of two unknowns.
std::string solution(const std::string& triangle, const std::string& b) {
  return "  a = f32[2,2] constant({" + triangle +
         "})\n  b = f32[2,1] constant({" + b +
         "})\n  ROOT r = f32[2,1] triangular-solve(a, b), left_side=true, "
         "lower=true, unit_diagonal=false, transpose_a=NO_TRANSPOSE\n";
}

TEST(FlushedLinear, SolutionsMayLoseSubnormalNumbers) {
  const std::string program = solution("{2, 0}, {1, 4}", "{1e-40}, {1}");
  expect_flushed(program, 0);
  expect_kept(program, 0.25, 1);
}

// x = 0.5 e / e, and e may be lost.
TEST(FlushedLinear, SolutionsAreOpenWhereTheDiagonalMayBeZero) {
  const std::string program = solution("{2, 0}, {0, 2e-38}", "{0}, {1e-38}");
  EXPECT_FALSE(set_of(program, "tight", 1).has_nan());
  EXPECT_TRUE(set_of(program, "tight,subnormals=daz", 1).has_nan());
}

// 5e-39 / 2e-17 is 2.5e-22.
TEST(FlushedLinear, FactorsMayLoseSubnormalNumbers) {
  expect_flushed(
      "  a = f32[2,2] constant({{4e-34, 5e-39}, {5e-39, 9e-34}})\n"
      "  ROOT r = f32[2,2] cholesky(a), lower=true\n",
      2, 0, 1e-18);
  expect_kept(
      "  a = f32[2,2] constant({{4, 1e-40}, {1e-40, 9}})\n"
      "  ROOT r = f32[2,2] cholesky(a), lower=true\n",
      3, 3);
}

/// What a scale of 1, an offset of 0, a mean of 0 and a variance of 4 leave of
/// two numbers.
std::string inference(const std::string& numbers) {
  return "  x = f32[2,1] constant({" + numbers +
         "})\n  one = f32[1] constant({1})\n  zero = f32[1] constant({0})\n"
         "  v = f32[1] constant({4})\n  ROOT r = f32[2,1] "
         "batch-norm-inference(x, one, zero, zero, v), epsilon=0, "
         "feature_index=1\n";
}

TEST(FlushedLinear, NormsMayLoseSubnormalNumbers) {
  expect_flushed(inference("{1e-40}, {1}"), 0);
  expect_kept(inference("{1e-40}, {1}"), 0.5, 1);
}

// The gradients of scale and offset are sums of products of what is given.
TEST(FlushedLinear, GradientsMayLoseSubnormalNumbers) {
  const std::string gradients =
      "  x = f32[2,1] constant({{1}, {2}})\n"
      "  g = f32[2,1] constant({{1e-40}, {1e-40}})\n"
      "  one = f32[1] constant({1})\n  zero = f32[1] constant({0})\n"
      "  ROOT r = (f32[2,1], f32[1], f32[1]) batch-norm-grad(x, one, zero, "
      "one, g), epsilon=0, feature_index=1\n";
  expect_flushed(gradients, 0, 1);
  expect_flushed(gradients, 0, 2);
}

}  // namespace
}  // namespace hlo::conformance
