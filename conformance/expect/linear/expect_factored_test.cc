#include "conformance/expect/linear/expect_factored.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "conformance/judge/judge.h"
#include "interpreter/evaluate.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using Matrix = std::vector<float>;  // n rows of n numbers

/// B B^T + shift I, lower triangle and all.
Matrix random_matrix(size_t n, float shift) {
  std::minstd_rand random(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Matrix b(n * n);
  for (float& x : b) x = uniform(random);
  Matrix a(n * n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      for (size_t k = 0; k < n; ++k)
        a[i * n + j] += b[i * n + k] * b[j * n + k];
      if (i == j) a[i * n + j] += shift;
    }
  }
  return a;
}

/// l(i, j) before the division or root: a sum forwards or backwards, fused or
/// not.
float rest(const Matrix& l, size_t n, size_t i, size_t j, bool backwards,
           bool fused) {
  float sum = l[i * n + j];
  for (size_t k = 0; k < j; ++k) {
    const size_t at = backwards ? j - 1 - k : k;
    const float a = -l[i * n + at];
    const float b = l[j * n + at];
    sum = fused ? std::fma(a, b, sum) : sum + a * b;
  }
  return sum;
}

/// Column by column in f32.
Matrix factor(Matrix l, size_t n, bool backwards, bool fused) {
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) {
      const float sum = rest(l, n, i, j, backwards, fused);
      if (i < j) l[i * n + j] = 0;
      if (i == j) l[i * n + j] = std::sqrt(sum);
      if (i > j) l[i * n + j] = sum / l[j * n + j];
    }
  }
  return l;
}

Literal literal(const Shape& shape, const Matrix& values) {
  Literal result(shape);
  std::ranges::copy(values, result.mutable_data<float>().begin());
  return result;
}

Verdict judge_factor(const Matrix& a, size_t n, const Matrix& l) {
  const std::string shape =
      "f32[" + std::to_string(n) + "," + std::to_string(n) + "]";
  const Module module = verified_module(
      "HloModule m\nENTRY main {\n  a = " + shape +
      " parameter(0)\n  ROOT r = " + shape + " cholesky(a), lower=true\n}");
  const Instruction& cholesky = *module.entry->root;
  const Literal reference = evaluate(module, {literal(cholesky.shape, a)});
  const Literal observed = literal(cholesky.shape, l);
  const Expectation set =
      expect_factored(cholesky, reference, &observed, Profile());
  return judge(std::vector<Expectation>{set}, std::vector<Literal>{observed})
      .verdict;
}

TEST(ExpectFactored, AdmitsSumsInAnyOrder) {
  for (const size_t n : {size_t{1}, size_t{2}, size_t{7}, size_t{20}}) {
    for (const float shift : {0.1F, 1.0F, 30.0F}) {
      const Matrix a = random_matrix(n, shift);
      for (const bool fused : {false, true}) {
        EXPECT_EQ(judge_factor(a, n, factor(a, n, false, fused)),
                  Verdict::kConforms);
        EXPECT_EQ(judge_factor(a, n, factor(a, n, true, fused)),
                  Verdict::kConforms);
      }
    }
  }
}

TEST(ExpectFactored, AdmitsAnythingInTheOtherTriangle) {
  const Matrix a = random_matrix(2, 1);
  Matrix l = factor(a, 2, false, false);
  l[1] = std::nanf("");
  EXPECT_EQ(judge_factor(a, 2, l), Verdict::kConforms);
}

TEST(ExpectFactored, RefusesAnElementThatIsOff) {
  const Matrix a = random_matrix(7, 10);
  Matrix l = factor(a, 7, false, false);
  l[6 * 7 + 3] *= 1.001F;
  EXPECT_EQ(judge_factor(a, 7, l), Verdict::kDiffers);
}

// L has ones on its diagonal and below them. S has ones in its whole triangle,
// the last diagonal element of |L| S |L| C |L^T| S^T is 25, and 20 25 u with u
// = 2^-24 are 250 codes above 1; f^2 and the rounding less than one.
TEST(ExpectFactored, BoundsTheInverseByAllRowsAbove) {
  const Matrix a = {1, 1, 0, 1, 2, 1, 0, 1, 2};
  const auto verdict = [&](int codes) {
    Matrix l = {1, 0, 0, 1, 1, 0, 0, 1, 1};
    l[8] += std::ldexp(static_cast<float>(codes), -23);
    return judge_factor(a, 3, l);
  };
  EXPECT_EQ(verdict(0), Verdict::kConforms);
  EXPECT_EQ(verdict(250), Verdict::kConforms);
  EXPECT_EQ(verdict(251), Verdict::kDiffers);
}

TEST(ExpectFactored, RefusesTheMatrixItself) {
  const Matrix a = random_matrix(3, 10);
  EXPECT_EQ(judge_factor(a, 3, a), Verdict::kDiffers);
}

}  // namespace
}  // namespace hlo::conformance
