#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "interpreter/evaluate.h"
#include "interpreter/plans/contraction/contraction.h"
#include "interpreter/testing/random_case.h"

// Sums of products against rational arithmetic.

namespace hlo {
namespace {

using numeric::FloatFormat;
using testing::make_instruction;
using testing::Random;

constexpr double kInf = std::numeric_limits<double>::infinity();

/// Whether `code` is the code nearest to x, ties to even; formats with
/// infinities. +0 for 0.
bool is_nearest(const mpq_class& x, uint64_t code, const FloatFormat& format) {
  if (x == 0) return code == 0;
  const bool negative = numeric::sign_bit(code, format);
  if (negative != (x < 0)) return false;
  const mpq_class size = abs(x);
  const uint64_t magnitude = code & ~format.sign_mask();
  // The code after the largest finite one stands for what it would be if
  // there were such a number.
  const auto value = [&](uint64_t at) {
    if (at <= format.max_finite())
      return mpq_class(numeric::decode(at, format));
    return mpq_class(2 * mpq_class(numeric::decode(at - 1, format)) -
                     mpq_class(numeric::decode(at - 2, format)));
  };
  if (magnitude > format.infinity()) return false;
  const bool even = magnitude % 2 == 0;
  if (magnitude > 0) {
    const mpq_class low = (value(magnitude) + value(magnitude - 1)) / 2;
    if (size < low || (size == low && !even)) return false;
  }
  if (magnitude == format.infinity()) return true;
  const mpq_class high = (value(magnitude) + value(magnitude + 1)) / 2;
  return size < high || (size == high && even);
}

/// Rows of factors of one style; the awkward cases of sums.
class Factors {
 public:
  Factors(Random& random, ElementType type, int64_t n)
      : random_(random), format_(numeric::format(type)) {
    const int64_t style = random.between(0, 5);
    for (int64_t k = 0; k < n; ++k) {
      left.push_back(code(style));
      right.push_back(code(style));
    }
    // Terms cancel, but for the last ones.
    const bool cancels = style == 1 || random.one_in(2);
    for (size_t k = 0; cancels && k < left.size() / 2; ++k) {
      const size_t other = k + left.size() / 2;
      left[other] = left[k] ^ format_.sign_mask();
      right[other] = right[k] + (random.one_in(40) ? 1 : 0);
      if (!is_finite(right[other])) right[other] = right[k];
    }
  }

  std::vector<uint64_t> left;
  std::vector<uint64_t> right;

  mpq_class sum() const {
    mpq_class result = 0;
    for (size_t k = 0; k < left.size(); ++k) {
      result += mpq_class(numeric::decode(left[k], format_)) *
                mpq_class(numeric::decode(right[k], format_));
    }
    return result;
  }

 private:
  bool is_finite(uint64_t bits) const {
    return !numeric::is_nan(bits, format_) &&
           !numeric::is_infinity(bits, format_);
  }

  uint64_t code(int64_t style) {
    const uint64_t mask = ~uint64_t{0} >> (64 - format_.width());
    const uint64_t fraction =
        random_.bits() & ((uint64_t{1} << format_.mantissa_bits) - 1);
    const uint64_t sign = random_.one_in(2) ? format_.sign_mask() : 0;
    if (style <= 1) {
      const uint64_t bits = random_.bits() & mask;
      return is_finite(bits) ? bits : sign;
    }
    if (style == 2) return fraction | sign;  // subnormal
    // Around 1, around the square root of the least, and of the largest.
    const int middle = format_.bias;
    const int spread = style == 3 ? 3 : 20;
    int64_t exponent = middle + random_.between(-spread, spread);
    if (style == 4) exponent = middle / 2 + random_.between(-9, 9);
    if (style == 5) exponent = middle + middle / 2 + random_.between(-3, 1);
    exponent = std::clamp<int64_t>(exponent, 0, 2 * middle);
    return static_cast<uint64_t>(exponent) << format_.mantissa_bits | fraction |
           sign;
  }

  Random& random_;
  const FloatFormat& format_;
};

/// `batch` dot products of n factors each.
void expect_dots_exact(Random& random, ElementType type, int64_t n,
                       int64_t batch) {
  const Shape shape = Shape::array(type, {batch, n});
  const auto owned = make_instruction("dot", {shape, shape},
                                      {{"lhs_batch_dims", Ints{0}},
                                       {"rhs_batch_dims", Ints{0}},
                                       {"lhs_contracting_dims", Ints{1}},
                                       {"rhs_contracting_dims", Ints{1}}});
  Literal operands[] = {Literal(shape), Literal(shape)};
  std::vector<mpq_class> sums;
  for (int64_t b = 0; b < batch; ++b) {
    const Factors factors(random, type, n);
    for (int64_t k = 0; k < n; ++k) {
      const auto i = static_cast<size_t>(k);
      operands[0].set(b * n + k, {type, {factors.left[i], 0}});
      operands[1].set(b * n + k, {type, {factors.right[i], 0}});
    }
    sums.push_back(factors.sum());
  }
  Evaluator evaluator(kReference);
  const Literal result =
      evaluate_instruction(owned->instruction, operands, evaluator);
  for (int64_t b = 0; b < batch; ++b) {
    ASSERT_TRUE(is_nearest(sums[static_cast<size_t>(b)], result.at(b).bits[0],
                           numeric::format(type)))
        << name(type) << " of " << n << " terms, number " << b;
  }
}

TEST(ContractionExact, AwkwardDotsAreRoundedOnce) {
  Random random(20);
  for (int64_t n = 0; n <= 41; ++n) {
    ASSERT_NO_FATAL_FAILURE(
        expect_dots_exact(random, ElementType::kF32, n, 500));
    ASSERT_NO_FATAL_FAILURE(
        expect_dots_exact(random, ElementType::kF64, n, 100));
    ASSERT_NO_FATAL_FAILURE(
        expect_dots_exact(random, ElementType::kBF16, n, 30));
    ASSERT_NO_FATAL_FAILURE(
        expect_dots_exact(random, ElementType::kF8E5M2, n, 30));
  }
  for (const int64_t n : {100, 511, 512, 513, 1100}) {
    ASSERT_NO_FATAL_FAILURE(
        expect_dots_exact(random, ElementType::kF32, n, 20));
    ASSERT_NO_FATAL_FAILURE(
        expect_dots_exact(random, ElementType::kF64, n, 20));
  }
}

/// A product of matrices whose second half of the depth takes back the first,
/// but for one element of every row.
void expect_matrices_exact(Random& random, ElementType type, int64_t depth) {
  const int64_t rows = random.between(4, 20);
  const int64_t columns = random.between(4, 50);
  Literal operands[] = {Literal(Shape::array(type, {rows, 2 * depth})),
                        Literal(Shape::array(type, {2 * depth, columns}))};
  std::vector<Factors> left;
  for (int64_t r = 0; r < rows; ++r) left.emplace_back(random, type, depth);
  const uint64_t sign = numeric::format(type).sign_mask();
  for (int64_t k = 0; k < depth; ++k) {
    const auto i = static_cast<size_t>(k);
    for (int64_t r = 0; r < rows; ++r) {
      const uint64_t code = left[static_cast<size_t>(r)].left[i];
      const uint64_t back = k == r ? 0 : code ^ sign;
      operands[0].set(r * 2 * depth + k, {type, {code, 0}});
      operands[0].set(r * 2 * depth + depth + k, {type, {back, 0}});
    }
    for (int64_t c = 0; c < columns; ++c) {
      const uint64_t code = left[static_cast<size_t>(k % rows)].right[i];
      operands[1].set(k * columns + c, {type, {code, 0}});
      operands[1].set((depth + k) * columns + c, {type, {code, 0}});
    }
  }
  const auto owned = make_instruction(
      "dot", {operands[0].shape(), operands[1].shape()},
      {{"lhs_contracting_dims", Ints{1}}, {"rhs_contracting_dims", Ints{0}}});
  Evaluator evaluator(kReference);
  const Literal result =
      evaluate_instruction(owned->instruction, operands, evaluator);
  const FloatFormat& format = numeric::format(type);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) {
      mpq_class sum = 0;
      if (r < depth) {
        sum = mpq_class(numeric::decode(
                  operands[0].at(r * 2 * depth + r).bits[0], format)) *
              mpq_class(numeric::decode(operands[1].at(r * columns + c).bits[0],
                                        format));
      }
      ASSERT_TRUE(is_nearest(sum, result.at(r * columns + c).bits[0], format))
          << name(type) << " row " << r << " column " << c;
    }
  }
}

TEST(ContractionExact, MatricesThatCancelAreRoundedOnce) {
  Random random(21);
  for (int i = 0; i < 40; ++i) {
    for (const ElementType type :
         {ElementType::kF32, ElementType::kF64, ElementType::kF16}) {
      ASSERT_NO_FATAL_FAILURE(
          expect_matrices_exact(random, type, random.between(1, 60)));
    }
  }
}

/// The sum of products of which one is special.
double special_sum(ElementType type, int64_t n, int64_t at, double left,
                   double right, double other) {
  const FloatFormat& format = numeric::format(type);
  const Shape shape = Shape::array(type, {n});
  Literal operands[] = {Literal(shape), Literal(shape)};
  const auto set = [&](size_t operand, int64_t k, double x) {
    operands[operand].set(k, {type, {numeric::encode(x, format), 0}});
  };
  for (int64_t k = 0; k < n; ++k) {
    set(0, k, k == 0 ? other : 2.0);
    set(1, k, 1.5);
  }
  set(0, at, left);
  set(1, at, right);
  const auto owned = make_instruction(
      "dot", {shape, shape},
      {{"lhs_contracting_dims", Ints{0}}, {"rhs_contracting_dims", Ints{0}}});
  Evaluator evaluator(kReference);
  const Literal result =
      evaluate_instruction(owned->instruction, operands, evaluator);
  return numeric::decode(result.at(0).bits[0], format);
}

TEST(ContractionExact, SpecialValuesDecideAtEveryPosition) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const ElementType type : {ElementType::kF32, ElementType::kF64}) {
    for (const int64_t n : {5, 40}) {
      for (int64_t at = 1; at < n; ++at) {
        const auto sum = [&](double left, double right, double other) {
          return special_sum(type, n, at, left, right, other);
        };
        EXPECT_TRUE(std::isnan(sum(nan, 1, 1)));
        EXPECT_TRUE(std::isnan(sum(1, nan, kInf)));
        EXPECT_TRUE(std::isnan(sum(0, kInf, 1)));
        EXPECT_TRUE(std::isnan(sum(-kInf, 0, 1)));
        EXPECT_TRUE(std::isnan(sum(-kInf, 1, kInf)));
        EXPECT_EQ(sum(kInf, 1, kInf), kInf);
        EXPECT_EQ(sum(-kInf, 2, 1), -kInf);
        EXPECT_EQ(sum(-2, kInf, 1e30), -kInf);
      }
    }
  }
}

TEST(ContractionExact, ZeroSumsArePositive) {
  const Shape shape = Shape::array(ElementType::kF32, {40});
  const Literal zeros(shape);
  Literal negative(shape);
  for (float& x : negative.mutable_data<float>()) x = -1;
  const auto owned = make_instruction(
      "dot", {shape, shape},
      {{"lhs_contracting_dims", Ints{0}}, {"rhs_contracting_dims", Ints{0}}});
  const Literal operands[] = {zeros, negative};
  Evaluator evaluator(kReference);
  EXPECT_EQ(evaluate_instruction(owned->instruction, operands, evaluator)
                .at(0)
                .bits[0],
            0U);
}

}  // namespace
}  // namespace hlo
