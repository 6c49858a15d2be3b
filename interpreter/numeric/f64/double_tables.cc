#include "interpreter/numeric/f64/double_tables.h"

#include <mpfr.h>

#include <cmath>

#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo::numeric {
namespace {

constexpr mpfr_prec_t kWorking = 1600;

/// The leading `bits` bits of the value, which loses them.
double take(Real& value, mpfr_prec_t bits) {
  Real leading(bits);
  mpfr_set(leading.get(), value.get(), MPFR_RNDN);
  mpfr_sub(value.get(), value.get(), leading.get(), MPFR_RNDN);
  return mpfr_get_d(leading.get(), MPFR_RNDN);
}

HiLo take_both(Real& value) {
  const double hi = take(value, 53);
  return {hi, take(value, 53)};
}

/// The leading 64 bits of a fraction, which loses them.
uint64_t take_word(Real& fraction) {
  Real word(64);
  mpfr_mul_2ui(fraction.get(), fraction.get(), 64, MPFR_RNDN);
  mpfr_rint_floor(word.get(), fraction.get(), MPFR_RNDD);
  mpfr_sub(fraction.get(), fraction.get(), word.get(), MPFR_RNDN);
  return mpfr_get_ui(word.get(), MPFR_RNDN);
}

ExponentialTable make_exponential_table() {
  constexpr int kStepBits = 7;
  free_constants_with_thread();
  ExponentialTable table{};
  Real value(kWorking);
  mpfr_const_log2(value.get(), MPFR_RNDN);
  mpfr_div_2ui(value.get(), value.get(), kStepBits, MPFR_RNDN);
  table.steps_per_unit = 1 / mpfr_get_d(value.get(), MPFR_RNDN);
  table.step = {take(value, 35), take(value, 35), take(value, 53)};
  mpfr_const_log2(value.get(), MPFR_RNDN);
  table.ln2 = take_both(value);
  for (size_t i = 0; i < table.power.size(); ++i) {
    mpfr_set_ui_2exp(value.get(), i, -kStepBits, MPFR_RNDN);
    mpfr_exp2(value.get(), value.get(), MPFR_RNDN);
    table.power[i] = take_both(value);
  }
  return table;
}

HiLo reciprocal_log(unsigned long base) {
  Real value(kWorking);
  mpfr_log_ui(value.get(), base, MPFR_RNDN);
  mpfr_ui_div(value.get(), 1, value.get(), MPFR_RNDN);
  return take_both(value);
}

LogTable make_log_table() {
  constexpr double kUnits = 1024;
  free_constants_with_thread();
  LogTable table{};
  Real value(kWorking);
  mpfr_const_log2(value.get(), MPFR_RNDN);
  table.ln2 = {take(value, 42), take(value, 53)};
  table.log2_of_e = reciprocal_log(2);
  table.log10_of_e = reciprocal_log(10);
  for (size_t i = 0; i < LogTable::kRows; ++i) {
    const double below_1 = i >= LogTable::kUpper ? 0.5 : 1;
    const double middle =
        (1 + (static_cast<double>(i) + 0.5) / LogTable::kRows) * below_1;
    const bool near_1 = i == 0 || i + 1 == LogTable::kRows;
    const double factor = near_1 ? 1 : std::round(kUnits / middle) / kUnits;
    set(value, factor);
    mpfr_log(value.get(), value.get(), MPFR_RNDN);
    mpfr_neg(value.get(), value.get(), MPFR_RNDN);
    table.rows[i] = {factor, take_both(value)};
  }
  return table;
}

// i pi / 64.
void set_angle(Real& angle, size_t i) {
  constexpr int kStepBits = 6;
  mpfr_const_pi(angle.get(), MPFR_RNDN);
  mpfr_mul_ui(angle.get(), angle.get(), i, MPFR_RNDN);
  mpfr_div_2ui(angle.get(), angle.get(), kStepBits, MPFR_RNDN);
}

// Exact zeros and ones at quarter turns, which MPFR's rounded angles miss.
HiLo circle_value(Real& value, bool zero) {
  return zero ? HiLo{0, 0} : take_both(value);
}

CircleTable make_circle_table() {
  constexpr size_t kQuarter = CircleTable::kSteps / 4;
  free_constants_with_thread();
  CircleTable table{};
  Real value(kWorking);
  set_angle(value, 1);
  table.steps_per_radian = 1 / mpfr_get_d(value.get(), MPFR_RNDN);
  table.step = {take(value, 33), take(value, 33), take(value, 33),
                take(value, 53)};
  set_angle(value, 1);
  table.whole_step = take_both(value);
  Real angle(kWorking);
  for (size_t i = 0; i < CircleTable::kSteps; ++i) {
    set_angle(angle, i);
    mpfr_sin(value.get(), angle.get(), MPFR_RNDN);
    table.rows[i].sine = circle_value(value, i % (2 * kQuarter) == 0);
    mpfr_cos(value.get(), angle.get(), MPFR_RNDN);
    table.rows[i].cosine = circle_value(value, i % (2 * kQuarter) == kQuarter);
  }
  set_angle(angle, CircleTable::kSteps);
  mpfr_ui_div(value.get(), 1, angle.get(), MPFR_RNDN);
  for (size_t i = 1; i < CircleTable::kWords; ++i) {
    table.turns_per_radian[i] = take_word(value);
  }
  return table;
}

AngleTable make_angle_table() {
  free_constants_with_thread();
  AngleTable table{};
  Real value(kWorking);
  set_angle(value, AngleTable::kSteps);
  const HiLo pi = take_both(value);
  const HiLo half_pi = {pi.hi / 2, pi.lo / 2};
  table.axis = {HiLo{0, 0}, half_pi, pi, half_pi};
  for (size_t i = 0; i < table.angle.size(); ++i) {
    set(value, static_cast<double>(i) / AngleTable::kSteps);
    mpfr_atan(value.get(), value.get(), MPFR_RNDN);
    table.angle[i] = take_both(value);
  }
  return table;
}

// 2 / sqrt(pi).
void set_slope_at_0(Real& slope) {
  mpfr_const_pi(slope.get(), MPFR_RNDN);
  mpfr_rec_sqrt(slope.get(), slope.get(), MPFR_RNDN);
  mpfr_mul_2ui(slope.get(), slope.get(), 1, MPFR_RNDN);
}

// g = 2 / sqrt(pi) exp(-x^2) satisfies g' = -2 x g: its coefficients at c are
// (n + 1) g[n + 1] = -2 c g[n] - 2 g[n - 1], and those of erf g[n] / (n + 1).
ErrorTable::Row error_row(double c) {
  ErrorTable::Row row{};
  Real before(kWorking);  // g[n - 1]
  Real g(kWorking);
  Real value(kWorking);
  Real slope(kWorking);
  set(value, c);
  mpfr_erf(value.get(), value.get(), MPFR_RNDN);
  row.pairs[0] = take_both(value);
  set_slope_at_0(slope);
  set(g, -c * c);  // exact
  mpfr_exp(g.get(), g.get(), MPFR_RNDN);
  mpfr_mul(g.get(), g.get(), slope.get(), MPFR_RNDN);
  set(before, 0);
  for (size_t n = 1; n < ErrorTable::kPairs + ErrorTable::kSingles; ++n) {
    mpfr_div_ui(value.get(), g.get(), n, MPFR_RNDN);
    if (n < ErrorTable::kPairs) row.pairs[n] = take_both(value);
    if (n >= ErrorTable::kPairs) {
      row.singles[n - ErrorTable::kPairs] = take(value, 53);
    }
    mpfr_mul_d(value.get(), g.get(), c, MPFR_RNDN);
    mpfr_add(value.get(), value.get(), before.get(), MPFR_RNDN);
    mpfr_mul_si(value.get(), value.get(), -2, MPFR_RNDN);
    mpfr_set(before.get(), g.get(), MPFR_RNDN);
    mpfr_div_ui(g.get(), value.get(), n, MPFR_RNDN);
  }
  return row;
}

// 2 / sqrt(pi) (-1)^n / (n! (2n + 1)).
void make_error_series(ErrorTable& table) {
  Real power(kWorking);
  Real value(kWorking);
  set_slope_at_0(power);
  const size_t pairs = table.series.size();
  for (size_t n = 0; n < pairs + table.series_singles.size(); ++n) {
    mpfr_div_ui(value.get(), power.get(), 2 * n + 1, MPFR_RNDN);
    if (n < pairs) table.series[n] = take_both(value);
    if (n >= pairs) table.series_singles[n - pairs] = take(value, 53);
    mpfr_div_si(power.get(), power.get(), -static_cast<long>(n + 1), MPFR_RNDN);
  }
}

ErrorTable make_error_table() {
  free_constants_with_thread();
  ErrorTable table{};
  for (size_t i = 0; i < table.rows.size(); ++i) {
    table.rows[i] =
        error_row(static_cast<double>(i) / ErrorTable::kStepsPerUnit);
  }
  make_error_series(table);
  return table;
}

ZetaTable make_zeta_table() {
  free_constants_with_thread();
  ZetaTable table{};
  Real square(kWorking);
  Real power(kWorking);
  Real value(kWorking);
  mpfr_const_pi(square.get(), MPFR_RNDN);
  mpfr_mul_2ui(square.get(), square.get(), 1, MPFR_RNDN);
  mpfr_sqr(square.get(), square.get(), MPFR_RNDN);
  set(power, 2);
  for (size_t k = 1; k <= table.coefficients.size(); ++k) {
    mpfr_div(power.get(), power.get(), square.get(), MPFR_RNDN);
    mpfr_zeta_ui(value.get(), 2 * k, MPFR_RNDN);
    mpfr_mul(value.get(), value.get(), power.get(), MPFR_RNDN);
    table.coefficients[k - 1] = take_both(value);
  }
  return table;
}

}  // namespace

const ExponentialTable& exponential_table() {
  static const ExponentialTable table = make_exponential_table();
  return table;
}

const LogTable& log_table() {
  static const LogTable table = make_log_table();
  return table;
}

const CircleTable& circle_table() {
  static const CircleTable table = make_circle_table();
  return table;
}

const AngleTable& angle_table() {
  static const AngleTable table = make_angle_table();
  return table;
}

const ErrorTable& error_table() {
  static const ErrorTable table = make_error_table();
  return table;
}

const ZetaTable& zeta_table() {
  static const ZetaTable table = make_zeta_table();
  return table;
}

}  // namespace hlo::numeric
