// Let L be the exact factor, u the unit of rounding. The computed one has L^
// L^^H = A + E. By columns, rows or bordering, with sums in any order, |E| <=
// (n
// + 1) u |L^||L^^H| to first order (Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd ed., theorem 10.3). Blocks that are multiplied with the
// inverse X of a diagonal block D have a residual of at most (n + 2) u |L^|
// |D^H||X^H||D^H| (section 8.2), so that
//
//     |E| <= 4 (n + 2) u |L| C |L^H|,
//
// where C = |L^H||L^-H| >= I and 4 leaves room for |L^| <= (1 + f) |L| (below,
// f <= 1/4: 25/16 for both) and for terms of higher order.
//
// L^-1 (A + E) L^-H = I + F with |F| <= W = |L^-1||E||L^-H|. Its factor is I +
// G, G + G^H + G G^H = F, so that G is the lower triangle of F - G G^H with
// half the diagonal. Let f = |W| in Frobenius' norm. |G| <= (f + |G|^2) /
// sqrt(2) has a solution |G| <= f where f <= 1/4, and then every element of G
// G^H is at most f^2: |G| <= W + f^2, below and on the diagonal, and
//
//     |L^ - L| = |L G| <= |L| (W + f^2).
//
// What underflows adds the least subnormal h to each of n + 2 products: 4 (n +
// 2) h (1 + largest of |L|) to each element of E. Complex numbers: 8 u and 8 h
// (expect_solved.cc). Where subnormal numbers may count as zero, each operand,
// product, sum, quotient and root may lose the least normal number instead: 4
// times as often.
#include "conformance/expect/linear/expect_factored.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "conformance/literals/literal_bits.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/plans/linear/factorize.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

/// n rows of n numbers.
struct Square {
  size_t n;
  std::vector<double> values;

  explicit Square(size_t rows) : n(rows), values(rows * rows, 0) {}

  double& at(size_t i, size_t j) { return values[i * n + j]; }

  double at(size_t i, size_t j) const { return values[i * n + j]; }

  double largest() const { return *std::ranges::max_element(values); }
};

/// a b, or a b^T.
Square multiply(const Square& a, const Square& b, bool transposed) {
  Square product(a.n);
  for (size_t i = 0; i < a.n; ++i) {
    for (size_t j = 0; j < a.n; ++j) {
      for (size_t k = 0; k < a.n; ++k) {
        product.at(i, j) += a.at(i, k) * (transposed ? b.at(j, k) : b.at(k, j));
      }
    }
  }
  return product;
}

Square transpose(const Square& a) {
  Square result(a.n);
  for (size_t i = 0; i < a.n; ++i) {
    for (size_t j = 0; j < a.n; ++j) result.at(i, j) = a.at(j, i);
  }
  return result;
}

/// No less than |L^-1|: the inverse of the comparison matrix.
Square inverse_magnitudes(const Square& l) {
  Square inverse(l.n);
  for (size_t c = 0; c < l.n; ++c) {
    for (size_t i = c; i < l.n; ++i) {
      double sum = i == c ? 1 : 0;
      for (size_t k = c; k < i; ++k) sum += l.at(i, k) * inverse.at(k, c);
      inverse.at(i, c) = sum / l.at(i, i);
    }
  }
  return inverse;
}

double frobenius(const Square& a) {
  double sum = 0;
  for (const double x : a.values) sum += x * x;
  return std::sqrt(sum);
}

void scale(Square& a, int exponent) {
  for (double& x : a.values) x = std::ldexp(x, exponent);
}

/// The bound of |L^ - L|; nothing where there is none. It is that of 2^k L,
/// divided by 2^k: products of small factors and multiples of the least number
/// would be rounded to doubles that have fewer bits.
std::optional<Square> bound(Square l, ElementType type, bool flushes) {
  const FloatFormat& format = numeric::format(component_type(type));
  const double factor = is_complex(type) ? 8 : 1;
  const double steps = 4 * (static_cast<double>(l.n) + 2) * factor;
  const double unit = std::ldexp(steps, -format.precision());
  const double largest = l.largest();
  const int k = std::max(-std::ilogb(largest), 0);
  const double least = std::ldexp(
      flushes ? 4 * steps : steps,
      format.min_exponent() - (flushes ? 0 : format.mantissa_bits) + 2 * k);
  const double most = numeric::decode(format.max_finite(), format) / 4;
  scale(l, k);
  const Square inverse = inverse_magnitudes(l);
  // C = |L^H||L^-H| and |L| C |L^H|.
  const Square grown = multiply(transpose(l), inverse, /*transposed=*/true);
  const Square products =
      multiply(multiply(l, grown, /*transposed=*/false), l, true);
  Square e(l.n);
  for (size_t i = 0; i < e.values.size(); ++i) {
    e.values[i] = unit * products.values[i] + least * (1 + largest);
  }
  const Square w = multiply(multiply(inverse, e, false), inverse, true);
  const double f = frobenius(w);
  if (!(f <= 0.25) || !(std::ldexp(products.largest(), -2 * k) < most) ||
      !(std::ldexp(inverse.largest(), k) < most)) {
    return std::nullopt;
  }
  Square g(l.n);
  for (size_t i = 0; i < l.n; ++i) {
    for (size_t j = 0; j <= i; ++j) g.at(i, j) = w.at(i, j) + f * f;
  }
  Square result = multiply(l, g, false);
  scale(result, -k);
  return result;
}

ComponentRange around(uint64_t value, double error, const FloatFormat& format) {
  const double x = std::fabs(numeric::decode(value, format));
  const double rounding = std::ldexp(x, -format.precision());
  // The sums here are doubles, too: n^3 roundings of less than 2^-20 in all.
  return range_around(value, (error + rounding) * (1 + 0x1p-20), format);
}

/// |L| of a factor that is finite; nothing else.
std::optional<Square> magnitudes(const CholeskyMatrices& matrices,
                                 const Literal& reference, int64_t matrix) {
  Square l(static_cast<size_t>(matrices.n));
  const auto lower = read_lower(matrices, reference, matrix);
  size_t k = 0;
  for (size_t i = 0; i < l.n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      l.at(i, j) = std::hypot(lower[k].real(), lower[k].imag());
      if (!std::isfinite(l.at(i, j))) return std::nullopt;
      ++k;
    }
    if (l.at(i, i) == 0) return std::nullopt;
  }
  return l;
}

/// The sets of one matrix's factor.
void put_matrix(ArraySet& set, const CholeskyMatrices& matrices, int64_t matrix,
                const std::optional<Square>& error) {
  const ElementType type = set.value.type();
  const FloatFormat& format = numeric::format(component_type(type));
  for (int64_t i = 0; i < matrices.n; ++i) {
    for (int64_t j = 0; j < matrices.n; ++j) {
      const int64_t at = matrices.at(matrix, i, j);
      const Scalar element = set.value.at(at);
      for (int part = 0; part < components(type); ++part) {
        const uint64_t code = element.bits[static_cast<size_t>(part)];
        const bool known = error && j <= i;
        put(set, at, part,
            known ? around(code,
                           error->at(static_cast<size_t>(i),
                                     static_cast<size_t>(j)),
                           format)
                  : whole_range(code, format));
      }
    }
  }
}

bool is_same_matrix(const CholeskyMatrices& matrices, int64_t matrix,
                    const Literal& reference, const Literal* observed) {
  if (observed == nullptr) return false;
  const int64_t size = matrices.n * matrices.n;
  for (int64_t i = matrix * size; i < (matrix + 1) * size; ++i) {
    if (reference.at(i) != observed->at(i)) return false;
  }
  return true;
}

}  // namespace

Expectation expect_factored(const Instruction& cholesky,
                            const Literal& reference, const Literal* observed,
                            const Profile& profile) {
  ArraySet set = ArraySet::computed(reference);
  if (reference.element_count() == 0) return set;
  const CholeskyMatrices matrices = cholesky_matrices(cholesky);
  for (int64_t m = 0; m < matrices.matrices; ++m) {
    if (is_same_matrix(matrices, m, reference, observed)) continue;
    const std::optional<Square> l = magnitudes(matrices, reference, m);
    put_matrix(
        set, matrices, m,
        l ? bound(*l, reference.type(), flushes(profile)) : std::nullopt);
  }
  return set;
}

}  // namespace hlo::conformance
