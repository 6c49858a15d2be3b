#include "interpreter/plans/fourier/fourier_pairs.h"

#include <cmath>

#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/plans/fourier/fourier_radix.h"

namespace hlo {
namespace {

using Part = PairOfParts::Part;

/// hi + lo, off by less than 2^-106 of the number.
Part to_pair(const numeric::Real& number, numeric::Real& rest) {
  const double high = mpfr_get_d(number.get(), MPFR_RNDN);
  mpfr_sub_d(rest.get(), number.get(), high, MPFR_RNDN);
  return Part(high, mpfr_get_d(rest.get(), MPFR_RNDN));
}

/// exp(-2 pi i k / order).
PairOfParts root_of_unity(int64_t k, int64_t order) {
  constexpr mpfr_prec_t kPrecision = 256;
  numeric::Real angle(kPrecision);
  numeric::Real sine(kPrecision);
  numeric::Real cosine(kPrecision);
  mpfr_const_pi(angle.get(), MPFR_RNDN);
  mpfr_mul_si(angle.get(), angle.get(), -2 * k, MPFR_RNDN);
  mpfr_div_si(angle.get(), angle.get(), order, MPFR_RNDN);
  mpfr_sin_cos(sine.get(), cosine.get(), angle.get(), MPFR_RNDN);
  return {to_pair(cosine, angle), to_pair(sine, angle)};
}

std::vector<PairOfParts> powers(int64_t count, int64_t step, int64_t order) {
  std::vector<PairOfParts> roots;
  for (int64_t i = 0; i < count; ++i) {
    roots.push_back(root_of_unity(i * step, order));
  }
  return roots;
}

}  // namespace

/// Products of few roots: each of both is off by 2^-105 and their product by
/// 2^-101 more.
PairRing::PairRing(int64_t order) : order_(order) {
  const auto step =
      static_cast<int64_t>(std::ceil(std::sqrt(static_cast<double>(order))));
  const auto small = powers(step, 1, order);
  const auto large = powers((order + step - 1) / step, step, order);
  roots_.reserve(static_cast<size_t>(order));
  for (int64_t k = 0; k < order; ++k) {
    const PairOfParts& a = large[static_cast<size_t>(k / step)];
    const PairOfParts& b = small[static_cast<size_t>(k % step)];
    roots_.push_back(product(a, b));
  }
}

PairOfParts PairRing::turned(const PairOfParts& x, int64_t quarters) {
  switch (quarters) {
    case 0:
      return x;
    case 1:
      return {x.imaginary, -x.real};
    case 2:
      return {-x.real, -x.imaginary};
    default:
      return {-x.imaginary, x.real};
  }
}

namespace {

/// A number z meets two products with roots in each splitting, and as many
/// additions as the radix p has terms. A product's parts are off by 2^-100 |z|
/// for the root, twice 2^-102 of its two products, whose moduli add up to no
/// more than |z|, and 2^-102 |z| for their sum; the number by sqrt(2) of that,
/// less than 2^-98.9 |z|. Each addition adds 2^-102 of its sum, sqrt(2) of
/// that for both parts.
double direct_error(int64_t radix) {
  return 2 * 0x1p-98 + static_cast<double>(radix) * 0x1.8p-102;
}

/// A splitting with p - 1 sums by convolution, of terms whose moduli add up to
/// 1. Let e be the sum of the errors d of the splittings into 4 or 2 that
/// transform M numbers. One of a vector z into r errs in each sum by d of what
/// its r terms add up to, at most sqrt(r) times their norm, so that the norm of
/// all its errors is at most r d |z|, and sqrt(r) d <= 2 d relative to that of
/// its results, sqrt(r) |z|: the transform's is at most 2 e sqrt(M) |z|.
/// * The terms have a norm of at most 1, so that the norm of their transform A
///   errs by 2 e sqrt(M).
/// * The roots, at most 2p of them, have a norm b of at most sqrt(2p), and each
///   is off by 2^-99: their transform B errs by (2 e + 2^-99) sqrt(M) b.
/// * Each product of both is off by 2^-98 of itself. An element of the
///   convolution is 1/M times a sum of products, and errors are at most 1/M
///   times products of norms (Cauchy and Schwarz): those of A and B make
///   (2 e + 2 e + 2^-99) b, the products 2^-98 b.
/// * The way back errs by e times 1/M of the sum of the products' moduli, at
///   most e b.
/// The first products with roots and the sum of all terms come before.
double prime_error(int64_t prime) {
  double e = 0;
  for (const int64_t radix : radices(convolution_length(prime))) {
    e += direct_error(radix);
  }
  const auto p = static_cast<double>(prime);
  return 0x1p-98 + p * 0x1.8p-102 + std::sqrt(2 * p) * (5 * e + 0x1p-97);
}

}  // namespace

/// Sums have at most the moduli of what they add, so that the errors of the
/// splittings add up, relative to the sum of the moduli of the numbers; 2^-20
/// covers products of these errors.
double transform_error(std::span<const PairRing> rings) {
  double error = 0;
  for (const PairRing& ring : rings) {
    for (const int64_t radix : radices(ring.order())) {
      error += radix > kMostDirect ? prime_error(radix) : direct_error(radix);
    }
  }
  return error * (1 + 0x1p-20);
}

}  // namespace hlo
