#include "interpreter/plans/fourier/fourier_series.h"

#include <bit>
#include <numeric>

#include "interpreter/model/shape.h"
#include "interpreter/numeric/real/refine.h"

namespace hlo {
namespace {

using numeric::Real;

/// Terms of the sum at one index.
class Series {
 public:
  Series(const FourierInput& input, int64_t index, bool imaginary)
      : input_(input),
        index_(delinearize(index, input.lengths)),
        imaginary_(imaginary) {
    for (const int64_t length : input.lengths) {
      order_ = std::lcm(order_, length);
    }
  }

  /// The part of the sum; returns how many of its leading bits are correct.
  /// Angle, sine and cosine are off by less than 2^(5-p), two products by
  /// 2^(1-p) of the term's moduli, which n additions increase by n 2^-p of
  /// their sum: all together less than (n + 67) 2^-p of that sum.
  mpfr_prec_t sum(Real& value, mpfr_prec_t precision) const {
    Real moduli(64);
    Real angle(precision);
    Real sine(precision);
    Real cosine(precision);
    mpfr_set_zero(value.get(), 1);
    mpfr_set_zero(moduli.get(), 1);
    for (size_t t = 0; t < input_.real.size(); ++t) {
      const double real = input_.real[t];
      const double imaginary = input_.imaginary[t];
      if (real == 0 && imaginary == 0) continue;
      set_angle(angle, static_cast<int64_t>(t));
      mpfr_sin_cos(sine.get(), cosine.get(), angle.get(), MPFR_RNDN);
      // (real + i imaginary) (cosine - i sine)
      add_product(value, angle, cosine, imaginary_ ? imaginary : real);
      add_product(value, angle, sine, imaginary_ ? -real : imaginary);
      add_modulus(moduli, real);
      add_modulus(moduli, imaginary);
    }
    if (mpfr_zero_p(value.get()) != 0) return 0;
    const auto lost =
        static_cast<mpfr_prec_t>(std::bit_width(input_.real.size() + 67));
    return precision - lost +
           (mpfr_get_exp(value.get()) - 1 - mpfr_get_exp(moduli.get()));
  }

 private:
  /// 2 pi times the turns of term t, less whole ones.
  void set_angle(Real& angle, int64_t t) const {
    const Index place = delinearize(t, input_.lengths);
    int64_t turns = 0;  // in parts of the order
    for (size_t d = 0; d < place.size(); ++d) {
      const int64_t length = input_.lengths[d];
      turns += place[d] * index_[d] % length * (order_ / length);
    }
    mpfr_const_pi(angle.get(), MPFR_RNDN);
    mpfr_mul_si(angle.get(), angle.get(), 2 * (turns % order_), MPFR_RNDN);
    mpfr_div_si(angle.get(), angle.get(), order_, MPFR_RNDN);
  }

  static void add_product(Real& sum, Real& product, const Real& factor,
                          double number) {
    mpfr_mul_d(product.get(), factor.get(), number, MPFR_RNDN);
    mpfr_add(sum.get(), sum.get(), product.get(), MPFR_RNDN);
  }

  static void add_modulus(Real& moduli, double number) {
    mpfr_add_d(moduli.get(), moduli.get(), number < 0 ? -number : number,
               MPFR_RNDU);
  }

  const FourierInput& input_;
  Index index_;
  bool imaginary_;
  int64_t order_ = 1;
};

}  // namespace

uint64_t round_series(const FourierInput& input, int64_t index, bool imaginary,
                      double divisor, const numeric::FloatFormat& format,
                      FourierResidues& residues) {
  const Series series(input, index, imaginary);
  const auto compute = [&](Real& value, mpfr_prec_t precision) {
    const mpfr_prec_t correct = series.sum(value, precision);
    mpfr_div_d(value.get(), value.get(), divisor, MPFR_RNDN);
    return correct - 1;
  };
  const auto exact = [&](const Real& quotient) {
    Real product(2 * numeric::kBits);
    mpfr_mul_d(product.get(), quotient.get(), divisor, MPFR_RNDN);
    return residues.is_exactly(index, imaginary, product);
  };
  return numeric::refine(format, compute, exact).bits;
}

}  // namespace hlo
