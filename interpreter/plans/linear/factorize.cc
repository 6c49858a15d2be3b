// Elimination without fractions (Bareiss, 1968): after k steps the elements
// are minors of A, m(i, j) over the first k rows and columns and i, j. With
// d(k) the leading minors, d(0) = 1,
//
//     L(i, k) = m(i, k) / sqrt(d(k + 1) d(k)),
//
// in which m(i, k) is a Gaussian integer and the root's argument an integer,
// where A was scaled to integers. A is positive definite where all d are
// positive (Sylvester).
#include "interpreter/plans/linear/factorize.h"

#include <gmpxx.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/numeric/format/rounding.h"
#include "interpreter/plans/linear/extended.h"

namespace hlo {
namespace {

using Complex = std::complex<double>;
using numeric::FloatFormat;

size_t place(int64_t i, int64_t j) {
  return static_cast<size_t>(i * (i + 1) / 2 + j);
}

bool is_finite(const Complex& z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}

/// The exponent of the lowest bit that is set, `none` for 0.
int64_t lowest_bit(double value, int64_t none) {
  if (value == 0) return none;
  const numeric::Scaled s = numeric::split(value);
  return s.exponent + std::countr_zero(s.significand);
}

/// value 2^-exponent, an integer.
mpz_class integer(double value, int64_t exponent) {
  if (value == 0) return 0;
  const mpq_class exact(value);
  mpz_class scaled = exact.get_num();
  const auto zeros =
      static_cast<int64_t>(mpz_sizeinbase(exact.get_den_mpz_t(), 2)) -
      1;  // of 2^zeros
  const int64_t shift = -zeros - exponent;
  if (shift >= 0) {
    scaled <<= static_cast<mp_bitcnt_t>(shift);
  } else {
    scaled >>= static_cast<mp_bitcnt_t>(-shift);  // zeros only
  }
  return scaled;
}

struct Gaussian {
  mpz_class re;
  mpz_class im;
};

class Elimination {
 public:
  Elimination(const std::vector<Complex>& lower, int64_t n,
              const FloatFormat& format)
      : n_(n), format_(format) {
    constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
    int64_t lowest = kNone;
    for (const Complex& z : lower) {
      lowest = std::min(
          {lowest, lowest_bit(z.real(), kNone), lowest_bit(z.imag(), kNone)});
    }
    // Even: its half scales the factor.
    exponent_ = lowest == kNone ? 0 : lowest - (lowest & 1);
    for (const Complex& z : lower) {
      minors_.push_back(
          {integer(z.real(), exponent_), integer(z.imag(), exponent_)});
    }
  }

  std::optional<std::vector<numeric::ComplexBits>> run() {
    std::vector<numeric::ComplexBits> factor(minors_.size());
    mpz_class previous = 1;
    for (int64_t k = 0; k < n_; ++k) {
      const mpz_class pivot = minors_[place(k, k)].re;
      if (sgn(pivot) <= 0) return std::nullopt;
      const mpz_class square = pivot * previous;
      for (int64_t i = k; i < n_; ++i) {
        const Gaussian& m = minors_[place(i, k)];
        factor[place(i, k)] = {round(m.re, square), round(m.im, square)};
      }
      eliminate(k, pivot, previous);
      previous = pivot;
    }
    return factor;
  }

 private:
  /// m(i, j) = (m(k, k) m(i, j) - m(i, k) conj(m(j, k))) / previous, exactly.
  void eliminate(int64_t k, const mpz_class& pivot, const mpz_class& previous) {
    for (int64_t i = k + 1; i < n_; ++i) {
      const Gaussian& a = minors_[place(i, k)];
      for (int64_t j = k + 1; j <= i; ++j) {
        const Gaussian& b = minors_[place(j, k)];
        Gaussian& m = minors_[place(i, j)];
        m.re = pivot * m.re - a.re * b.re - a.im * b.im;
        m.im = pivot * m.im - a.im * b.re + a.re * b.im;
        mpz_divexact(m.re.get_mpz_t(), m.re.get_mpz_t(), previous.get_mpz_t());
        mpz_divexact(m.im.get_mpz_t(), m.im.get_mpz_t(), previous.get_mpz_t());
      }
    }
  }

  /// minor 2^(exponent / 2) / sqrt(square).
  uint64_t round(const mpz_class& minor, const mpz_class& square) const {
    mpq_class a(minor);
    const int64_t half = exponent_ / 2;
    const auto shift = static_cast<mp_bitcnt_t>(std::abs(half));
    if (half < 0) {
      mpq_div_2exp(a.get_mpq_t(), a.get_mpq_t(), shift);
    } else {
      mpq_mul_2exp(a.get_mpq_t(), a.get_mpq_t(), shift);
    }
    return round_over_root({.value = a}, {.value = mpq_class(square)}, {},
                           format_);
  }

  int64_t n_;
  const FloatFormat& format_;
  int64_t exponent_ = 0;  // A is minors_ at first, times 2^exponent
  std::vector<Gaussian> minors_;
};

}  // namespace

CholeskyMatrices cholesky_matrices(const Instruction& cholesky) {
  const auto& dims = cholesky.operand_shape(0).dims;
  CholeskyMatrices matrices{.n = dims.back(),
                            .lower = cholesky.get_or("lower", false)};
  for (size_t d = 0; d + 2 < dims.size(); ++d) matrices.matrices *= dims[d];
  return matrices;
}

std::vector<Complex> read_lower(const CholeskyMatrices& matrices,
                                const Literal& literal, int64_t matrix) {
  const bool complex = is_complex(literal.type());
  const auto& format = numeric::format(component_type(literal.type()));
  std::vector<Complex> lower;
  lower.reserve(static_cast<size_t>(matrices.n * (matrices.n + 1) / 2));
  for (int64_t i = 0; i < matrices.n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      const Scalar element = literal.at(matrices.at(matrix, i, j));
      const bool has_imaginary = complex && i != j;
      lower.emplace_back(
          numeric::decode(element.bits[0], format),
          has_imaginary ? numeric::decode(element.bits[1], format) : 0.0);
    }
  }
  return lower;
}

std::optional<std::vector<numeric::ComplexBits>> factor_exactly(
    const std::vector<Complex>& lower, int64_t n, const FloatFormat& format) {
  if (!std::ranges::all_of(lower, is_finite)) return std::nullopt;
  return Elimination(lower, n, format).run();
}

}  // namespace hlo
