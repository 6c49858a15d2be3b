#include "interpreter/plans/linear/bounded_factor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/linear/factorize.h"

// Factors in some hundred bits beside the exact ones.

namespace hlo {
namespace {

using Complex = std::complex<double>;
using Kind = BoundedFactor::Kind;
using Matrix = std::vector<Complex>;  // the lower triangle

const numeric::FloatFormat& format_of(int which) {
  using enum ElementType;
  const ElementType types[] = {kF64, kF32, kBF16};
  return numeric::format(types[which % 3]);
}

Complex& at(Matrix& matrix, int64_t i, int64_t j) {
  return matrix[static_cast<size_t>(i * (i + 1) / 2 + j)];
}

struct Random {
  std::mt19937_64 engine{40};

  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() %
                                      static_cast<uint64_t>(high - low + 1));
  }

  /// A number of 20 bits.
  double number() {
    return std::ldexp(static_cast<double>(between(-524288, 524288)), -19);
  }
};

/// A matrix B B^H, its rows and columns scaled by powers of two.
Matrix make_matrix(Random& random, int64_t n, bool is_complex, int scale) {
  Matrix matrix(static_cast<size_t>(n * (n + 1) / 2));
  Matrix b(static_cast<size_t>(n * n));
  for (Complex& z : b) {
    z = {random.number(), is_complex ? random.number() : 0};
  }
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      Complex& sum = at(matrix, i, j);
      for (int64_t k = 0; k < n; ++k) {
        sum += b[static_cast<size_t>(i * n + k)] *
               std::conj(b[static_cast<size_t>(j * n + k)]);
      }
      sum *= std::ldexp(1, scale * static_cast<int>(i % 3 + j % 3));
      if (i == j) sum = sum.real();
    }
  }
  return matrix;
}

/// Compares with the exact factor; returns what is known.
Kind compare(const Matrix& matrix, int64_t n,
             const numeric::FloatFormat& format) {
  const BoundedFactor found = factor_with_bounds(matrix, n, format);
  const auto exact = factor_exactly(matrix, n, format);
  EXPECT_FALSE(found.kind == Kind::kNotPositive && exact);
  if (found.kind != Kind::kKnown || !exact) return found.kind;
  EXPECT_EQ(found.elements.size(), exact->size());
  for (size_t i = 0; i < exact->size(); ++i) {
    EXPECT_EQ(found.elements[i].re, (*exact)[i].re) << "element " << i;
    EXPECT_EQ(found.elements[i].im, (*exact)[i].im) << "element " << i;
  }
  return found.kind;
}

TEST(BoundedFactor, IsTheExactOneOfRandomMatrices) {
  Random random;
  for (int i = 0; i < 150; ++i) {
    const int64_t n = random.between(1, 12);
    const Matrix matrix =
        make_matrix(random, n, i % 2 == 0, i % 5 == 0 ? -150 : 0);
    EXPECT_EQ(compare(matrix, n, format_of(i)), Kind::kKnown) << "case " << i;
  }
}

TEST(BoundedFactor, IsExactWhereAllStepsAre) {
  // L is 4 on the diagonal and 0 or 1 below it.
  constexpr int64_t kRows = 6;
  Matrix factor(kRows * (kRows + 1) / 2);
  Matrix matrix(factor.size());
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      at(factor, i, j) = i == j ? 4 : static_cast<double>((i + j) % 2);
      for (int64_t k = 0; k <= j; ++k) {
        at(matrix, i, j) += at(factor, i, k) * at(factor, j, k);
      }
    }
  }
  EXPECT_EQ(compare(matrix, kRows, format_of(0)), Kind::kKnown);
  const BoundedFactor found = factor_with_bounds(matrix, kRows, format_of(0));
  for (size_t i = 0; i < factor.size(); ++i) {
    EXPECT_EQ(found.elements[i].re,
              numeric::encode(factor[i].real(), format_of(0)));
  }
}

TEST(BoundedFactor, LeavesZerosOpenThatFollowFromRoots) {
  // 1/sqrt(2) twice, whose product is taken from 1/2.
  const Matrix zero = {2, 1, 1, 1, 0.5, 1};
  EXPECT_EQ(compare(zero, 3, format_of(0)), Kind::kOpen);
  // So is a pivot here.
  const Matrix singular = {2, 1, 0.5};
  EXPECT_EQ(compare(singular, 2, format_of(0)), Kind::kOpen);
}

TEST(BoundedFactor, TellsWhatIsNotPositiveDefinite) {
  Random random;
  for (int i = 0; i < 40; ++i) {
    const int64_t n = random.between(2, 9);
    Matrix matrix = make_matrix(random, n, i % 2 == 0, 0);
    at(matrix, n - 1, n - 1) *= i % 4 == 0 ? -1 : 0x1p-40;
    EXPECT_EQ(compare(matrix, n, format_of(i)), Kind::kNotPositive);
  }
  EXPECT_EQ(compare({0}, 1, format_of(0)), Kind::kNotPositive);
  EXPECT_EQ(compare({HUGE_VAL}, 1, format_of(0)), Kind::kNotPositive);
  EXPECT_EQ(compare({4, 2, 1}, 2, format_of(0)), Kind::kNotPositive);
}

TEST(BoundedFactor, ReachesTheEndsOfDouble) {
  const double least = 0x1p-1074;
  EXPECT_EQ(compare({least, 0, 0x1p1023}, 2, format_of(0)), Kind::kKnown);
  EXPECT_EQ(compare({0x1p1023, 0x1p-26, least}, 2, format_of(0)), Kind::kKnown);
  // An element far below its row's unit.
  EXPECT_EQ(compare({3, least, 5}, 2, format_of(0)), Kind::kOpen);
}

// 2 is 2^1 and 1/2 is 2^-1, whose roots are no powers of two: the root of 2 is
// 1.6a09e667f3bcc908b2f... in hexadecimal digits.
TEST(FactorExactly, TakesRootsOfOddPowersOfTwo) {
  const auto root = [](double x) {
    return factor_exactly({x}, 1, format_of(0)).value().at(0).re;
  };
  EXPECT_EQ(root(2), 0x3ff6a09e667f3bcdU);
  EXPECT_EQ(root(0.5), 0x3fe6a09e667f3bcdU);
  EXPECT_EQ(root(4), 0x4000000000000000U);
}

}  // namespace
}  // namespace hlo
