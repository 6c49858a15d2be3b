#include "interpreter/numeric/f32/kernel_tables.h"

#include <mpfr.h>

#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo::numeric {
namespace {

constexpr mpfr_prec_t kPrecision = 400;  // 2/pi 2^104 modulo 4
constexpr mpfr_prec_t kErfPrecision = 100;

/// Takes from `value` its nearest multiple of 2^-bits.
double take(Real& value, int bits, mpfr_rnd_t mode) {
  Real part(kPrecision);
  mpfr_mul_2si(part.get(), value.get(), bits, MPFR_RNDN);
  mpfr_rint(part.get(), part.get(), mode);
  mpfr_mul_2si(part.get(), part.get(), -bits, MPFR_RNDN);
  mpfr_sub(value.get(), value.get(), part.get(), MPFR_RNDN);
  return mpfr_get_d(part.get(), MPFR_RNDN);
}

QuarterTurns make_quarter_turns() {
  QuarterTurns turns{};
  free_constants_with_thread();
  Real per_radian(kPrecision);
  mpfr_const_pi(per_radian.get(), MPFR_RNDN);
  mpfr_ui_div(per_radian.get(), 2, per_radian.get(), MPFR_RNDN);
  for (size_t row = 0; row + 1 < QuarterTurns::kRows; ++row) {
    const int exponent = QuarterTurns::kLeastExponent + static_cast<int>(row);
    Real rest(kPrecision);
    Real whole(kPrecision);
    mpfr_mul_2si(rest.get(), per_radian.get(), exponent - 2, MPFR_RNDN);
    mpfr_frac(rest.get(), rest.get(), MPFR_RNDN);
    mpfr_mul_2si(rest.get(), rest.get(), 2, MPFR_RNDN);
    turns.high[row] = take(rest, 27, MPFR_RNDD);
    turns.middle[row] = take(rest, 56, MPFR_RNDN);
    turns.low[row] = mpfr_get_d(rest.get(), MPFR_RNDN);
  }
  mpfr_set_nan(per_radian.get());
  turns.high.back() = mpfr_get_d(per_radian.get(), MPFR_RNDN);
  return turns;
}

ErfTable make_erf_table() {
  constexpr auto kLast = static_cast<size_t>(ErfTable::kEnd * 16);
  ErfTable table{};
  free_constants_with_thread();
  Real c(kErfPrecision);
  Real factor(kErfPrecision);  // 2 / sqrt(pi)
  Real value(kErfPrecision);
  mpfr_const_pi(factor.get(), MPFR_RNDN);
  mpfr_rec_sqrt(factor.get(), factor.get(), MPFR_RNDN);
  mpfr_mul_ui(factor.get(), factor.get(), 2, MPFR_RNDN);
  for (size_t row = 0; row <= kLast; ++row) {
    mpfr_set_d(c.get(), static_cast<double>(row) / 16, MPFR_RNDN);
    mpfr_erf(value.get(), c.get(), MPFR_RNDN);
    table.value[row] = mpfr_get_d(value.get(), MPFR_RNDN);
    mpfr_sqr(value.get(), c.get(), MPFR_RNDN);
    mpfr_neg(value.get(), value.get(), MPFR_RNDN);
    mpfr_exp(value.get(), value.get(), MPFR_RNDN);
    mpfr_mul(value.get(), value.get(), factor.get(), MPFR_RNDN);
    table.slope[row] = mpfr_get_d(value.get(), MPFR_RNDN);
  }
  return table;
}

// 2 / sqrt(pi) exp(-c^2), of which 100 bits have no error in the last 53.
ErfcTable make_erfc_table() {
  constexpr auto kLast =
      static_cast<size_t>(ErfcTable::kEnd * ErfcTable::kPerUnit);
  ErfcTable table{};
  free_constants_with_thread();
  Real c(kErfPrecision);
  Real factor(kErfPrecision);
  Real value(kErfPrecision);
  mpfr_const_pi(factor.get(), MPFR_RNDN);
  mpfr_rec_sqrt(factor.get(), factor.get(), MPFR_RNDN);
  mpfr_mul_ui(factor.get(), factor.get(), 2, MPFR_RNDN);
  for (size_t row = 0; row <= kLast; ++row) {
    const double at = static_cast<double>(row) / ErfcTable::kPerUnit;
    mpfr_set_d(c.get(), at, MPFR_RNDN);
    mpfr_erfc(value.get(), c.get(), MPFR_RNDN);
    table.value[row] = mpfr_get_d(value.get(), MPFR_RNDN);
    mpfr_sqr(value.get(), c.get(), MPFR_RNDN);
    mpfr_neg(value.get(), value.get(), MPFR_RNDN);
    mpfr_exp(value.get(), value.get(), MPFR_RNDN);
    mpfr_mul(value.get(), value.get(), factor.get(), MPFR_RNDN);
    table.slope[row] = mpfr_get_d(value.get(), MPFR_RNDN);
  }
  return table;
}

}  // namespace

const QuarterTurns& quarter_turns() {
  static const QuarterTurns turns = make_quarter_turns();
  return turns;
}

const ErfcTable& erfc_table() {
  static const ErfcTable table = make_erfc_table();
  return table;
}

const ErfTable& erf_table() {
  static const ErfTable table = make_erf_table();
  return table;
}

}  // namespace hlo::numeric
