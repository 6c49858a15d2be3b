#include "conformance/explain/values/fraction.h"

#include <gtest/gtest.h>

#include "conformance/explain/values/real_value.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::conformance {
namespace {

Fraction ratio(int64_t a, int64_t b) {
  return Fraction::of(a) / Fraction::of(b);
}

TEST(Fraction, IsWrittenAsADecimalThatHoldsAllOfIt) {
  EXPECT_EQ(to_text(ratio(-5, 4)), "-1.25");
  EXPECT_EQ(to_text(Fraction::of(int64_t{1200})), "1200");
  EXPECT_EQ(to_text(ratio(1, 1024)), "0.0009765625");
  EXPECT_EQ(to_text(Fraction()), "0");
}

TEST(Fraction, IsCutOffWithDots) {
  EXPECT_EQ(to_text(ratio(2, 3)), "2/3 = 0.6666666666666666666666666...");
  EXPECT_EQ(to_decimal(ratio(-200, 3), 4), "-66.66...");
  EXPECT_EQ(to_text(Fraction::power_of_two(-149)),
            "1 * 2^-149 = 1.401298464324817070923729...e-45");
}

TEST(Fraction, SharesTheDigitsOfAnInterval) {
  EXPECT_EQ(shared_digits(ratio(31415, 10000), ratio(31417, 10000)),
            "3.141...");
}

TEST(Fraction, IsRoundedOnceToNearestEven) {
  const auto& f16 = numeric::format(ElementType::kF16);
  EXPECT_EQ(Fraction::of(int64_t{2049}).round(f16).bits, 0x6800U);
  EXPECT_EQ(Fraction::of(int64_t{2051}).round(f16).bits, 0x6802U);
  EXPECT_EQ(ratio(1, 3).round(f16).bits, 0x3555U);
  EXPECT_EQ(ratio(1, 3).round(f16).side, 1);
}

// log 2 = 0.69314718055994530941723212145817656807550013436...
TEST(Functions, AreEvaluatedAtAnyPrecision) {
  constexpr mpfr_prec_t kBits = 160;
  numeric::Real result(kBits);
  EXPECT_LT(numeric::evaluate(numeric::Function::kLog, 2, result), 0);
  Fraction value;
  mpfr_get_q(value.get(), result.get());
  EXPECT_EQ(to_decimal(value, 45),
            "0.693147180559945309417232121458176568075500134...");
}

TEST(Functions, LogisticIsCloseToOneAtAnyPrecision) {
  constexpr mpfr_prec_t kBits = 128;
  numeric::Real result(kBits);
  numeric::evaluate(numeric::Function::kLogistic, 70, result);
  Fraction value;
  mpfr_get_q(value.get(), result.get());
  // e^-70 = 3.97544973590864...e-31
  EXPECT_EQ(to_decimal(Fraction(1.0) - value, 6), "3.97544...e-31");
}

}  // namespace
}  // namespace hlo::conformance
