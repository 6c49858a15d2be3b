#include "interpreter/numeric/rounded.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "interpreter/numeric/kernels.h"
#include "interpreter/numeric/oracle.h"
#include "interpreter/numeric/rounding.h"

namespace hlo::numeric {
namespace {

using enum ElementType;

constexpr mpfr_prec_t kPrecision = 200;

int reference_logistic(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  Real value(1400);  // beyond every x: 1/2 + x/4 for the least x of f64
  mpfr_neg(value.get(), x, MPFR_RNDN);
  mpfr_exp(value.get(), value.get(), MPFR_RNDN);
  mpfr_add_ui(value.get(), value.get(), 1, MPFR_RNDN);
  mpfr_ui_div(value.get(), 1, value.get(), MPFR_RNDN);
  return mpfr_set(result, value.get(), mode);
}

struct Reference {
  Function function;
  const char* name;
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
};

constexpr std::array<Reference, 20> kReferences = {{
    {Function::kExponential, "exponential", mpfr_exp},
    {Function::kExponentialMinusOne, "exponential-minus-one", mpfr_expm1},
    {Function::kLog, "log", mpfr_log},
    {Function::kLogPlusOne, "log-plus-one", mpfr_log1p},
    {Function::kTanh, "tanh", mpfr_tanh},
    {Function::kLogistic, "logistic", reference_logistic},
    {Function::kRsqrt, "rsqrt", mpfr_rec_sqrt},
    {Function::kCbrt, "cbrt", mpfr_cbrt},
    {Function::kSine, "sine", mpfr_sin},
    {Function::kCosine, "cosine", mpfr_cos},
    {Function::kTan, "tan", mpfr_tan},
    {Function::kAsin, "asin", mpfr_asin},
    {Function::kAcos, "acos", mpfr_acos},
    {Function::kAtan, "atan", mpfr_atan},
    {Function::kSinh, "sinh", mpfr_sinh},
    {Function::kCosh, "cosh", mpfr_cosh},
    {Function::kAsinh, "asinh", mpfr_asinh},
    {Function::kAcosh, "acosh", mpfr_acosh},
    {Function::kAtanh, "atanh", mpfr_atanh},
    {Function::kErf, "erf", mpfr_erf},
}};

// Where the exact value lies: MPFR's value, and beyond it MPFR's own error.
int side_of(mpfr_srcptr value, int ternary, double rounded) {
  const int order = mpfr_cmp_d(value, rounded);
  if (order != 0) return order < 0 ? -1 : 1;
  return ternary > 0 ? -1 : (ternary < 0 ? 1 : 0);
}

void check(const Reference& row, uint64_t x, const FloatFormat& f,
           uint64_t actual, const int* side) {
  Real argument(53);
  Real value(kPrecision);
  mpfr_set_d(argument.get(), decode(x, f), MPFR_RNDN);
  const int ternary = row.evaluate(value.get(), argument.get(), MPFR_RNDN);
  const bool nan = mpfr_nan_p(value.get()) != 0;
  if (row.function == Function::kRsqrt && mpfr_zero_p(argument.get()) != 0) {
    mpfr_setsign(value.get(), value.get(), mpfr_signbit(argument.get()),
                 MPFR_RNDN);
  }
  if (nan) {
    ASSERT_EQ(actual & ~f.sign_mask(), nan_code(false, f) & ~f.sign_mask());
    return;
  }
  const uint64_t expected = f.specials == Specials::kIeee
                                ? oracle::round_ieee(value.get(), f)
                                : oracle::round_by_search(value.get(), f);
  ASSERT_EQ(actual, expected)
      << row.name << " " << name(f.type) << " " << decode(x, f);
  if (side == nullptr || is_nan(actual, f) ||
      row.function == Function::kLogistic)
    return;
  ASSERT_EQ(*side, side_of(value.get(), ternary, decode(actual, f)))
      << row.name << " " << name(f.type) << " " << decode(x, f);
}

void check_codes(const Reference& row, const FloatFormat& f,
                 const std::vector<uint64_t>& codes) {
  for (const uint64_t x : codes) {
    const Rounded rounded = round_function(row.function, x, f);
    ASSERT_NO_FATAL_FAILURE(check(row, x, f, rounded.bits, &rounded.side));
  }
}

std::vector<uint64_t> strided(const FloatFormat& f, uint64_t step) {
  std::vector<uint64_t> codes;
  const uint64_t end = f.width() == 64 ? 0 : uint64_t{1} << f.width();
  for (uint64_t c = step / 2; c + step > c && (end == 0 || c < end);
       c += step) {
    codes.push_back(c);
  }
  return codes;
}

TEST(Rounded, EveryFunctionHasARow) {
  for (size_t i = 0; i < kReferences.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(kReferences[i].function), i);
  }
  // special_test.cc has the others.
  EXPECT_EQ(kReferences.size(), static_cast<size_t>(Function::kErfc));
}

TEST(Rounded, EveryCodeOfSmallFormatsIsCorrect) {
  for (const TypeInfo& type : all_types()) {
    if (type.type_class != TypeClass::kFloat || type.bits > 8) continue;
    const FloatFormat& f = format(type.type);
    for (const Reference& row : kReferences) {
      ASSERT_NO_FATAL_FAILURE(check_codes(row, f, strided(f, 1)));
    }
  }
}

TEST(Rounded, EveryF16AndBf16IsCorrectWhereThereIsAKernel) {
  for (const ElementType type : {kF16, kBF16}) {
    for (const Reference& row : kReferences) {
      const bool kernel = row.function <= Function::kRsqrt;
      ASSERT_NO_FATAL_FAILURE(check_codes(
          row, format(type), strided(format(type), kernel ? 1 : 9)));
    }
  }
}

TEST(Rounded, StridedF32AreCorrect) {
  const FloatFormat& f = format(kF32);
  for (const Reference& row : kReferences) {
    const bool kernel = row.function <= Function::kRsqrt;
    const uint64_t count = kernel ? 100'000 : 10'000;
    ASSERT_NO_FATAL_FAILURE(
        check_codes(row, f, strided(f, (uint64_t{1} << 32) / count | 1)));
  }
}

// Where the functions neither overflow nor vanish.
TEST(Rounded, UsualF32AreCorrect) {
  const FloatFormat& f = format(kF32);
  oracle::Random random(20);
  std::vector<uint64_t> codes;
  for (int i = 0; i < 20'000; ++i)
    codes.push_back(encode(random.real(-24, 7), f));
  for (const Reference& row : kReferences) {
    if (row.function > Function::kRsqrt) continue;
    ASSERT_NO_FATAL_FAILURE(check_codes(row, f, codes));
  }
}

TEST(Rounded, StridedF64AreCorrect) {
  const FloatFormat& f = format(kF64);
  oracle::Random random(21);
  std::vector<uint64_t> codes = strided(f, ~uint64_t{0} / 3000);
  for (int i = 0; i < 3000; ++i)
    codes.push_back(encode(random.real(-60, 9), f));
  for (const Reference& row : kReferences) {
    ASSERT_NO_FATAL_FAILURE(check_codes(row, f, codes));
  }
}

template <typename Code>
void check_array(const Reference& row, const FloatFormat& f,
                 const std::vector<Code>& codes) {
  std::vector<Code> results(codes.size());
  round_function_array(row.function, codes.data(), results.data(),
                       static_cast<int64_t>(codes.size()), f);
  for (size_t i = 0; i < codes.size(); ++i) {
    ASSERT_EQ(results[i], round_function(row.function, codes[i], f).bits)
        << row.name << " " << name(f.type) << " " << decode(codes[i], f);
  }
}

template <typename Code>
std::vector<Code> random_codes(size_t n, uint64_t seed) {
  oracle::Random random(seed);
  std::vector<Code> codes(n);
  for (Code& c : codes) c = static_cast<Code>(random.bits());
  return codes;
}

TEST(Rounded, ArraysAgreeWithSingleValues) {
  for (const Reference& row : kReferences) {
    check_array(row, format(kF32), random_codes<uint32_t>(3000, 22));
    check_array(row, format(kF64), random_codes<uint64_t>(100, 23));
    check_array(row, format(kBF16), random_codes<uint16_t>(100, 24));
    check_array(row, format(kF8E4M3FN), random_codes<uint8_t>(300, 25));
    check_array(row, format(kF8E8M0FNU), random_codes<uint8_t>(300, 26));
  }
  check_array(kReferences[0], format(kF16), random_codes<uint16_t>(9000, 27));
}

using Kernel = double (*)(double);

// The bound that the rounding test relies on, with a bit to spare.
TEST(Kernels, ErrorsStayBelowTheProvenBound) {
  const std::array<std::pair<Function, Kernel>, 6> kernels = {{
      {Function::kExponential, exponential_kernel},
      {Function::kExponentialMinusOne, exponential_minus_one_kernel},
      {Function::kLog, log_kernel},
      {Function::kTanh, tanh_kernel},
      {Function::kLogistic, logistic_kernel},
      {Function::kRsqrt, rsqrt_kernel},
  }};
  oracle::Random random(28);
  Real x(53);
  Real exact(kPrecision);
  for (int i = 0; i < 20'000; ++i) {
    const double value =
        static_cast<float>(random.real(i % 2 != 0 ? -149 : -6, 6));
    mpfr_set_d(x.get(), value, MPFR_RNDN);
    for (const auto& [function, kernel] : kernels) {
      const double approximate = kernel(value);
      if (!std::isfinite(approximate) || approximate == 0) continue;
      const Reference& row = kReferences[static_cast<size_t>(function)];
      row.evaluate(exact.get(), x.get(), MPFR_RNDN);
      mpfr_div_d(exact.get(), exact.get(), approximate, MPFR_RNDN);
      mpfr_sub_ui(exact.get(), exact.get(), 1, MPFR_RNDN);
      ASSERT_LT(std::abs(mpfr_get_d(exact.get(), MPFR_RNDN)), 0x1p-48)
          << row.name << " " << value;
    }
  }
}

double power(double x, double y) {
  const FloatFormat& f = format(kF64);
  return decode(
      round_function2(Function2::kPower, encode(x, f), encode(y, f), f).bits,
      f);
}

TEST(Rounded, PowersFollowAnnexF) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(power(1, kNan), 1);
  EXPECT_EQ(power(kNan, 0), 1);
  EXPECT_EQ(power(-1, kInf), 1);
  EXPECT_EQ(power(2, 0.5), 0x1.6a09e667f3bcdp0);
  EXPECT_EQ(power(-2, 3), -8);
  EXPECT_EQ(power(-0.0, -3), -kInf);
  EXPECT_EQ(power(-0.0, 0.5), 0);
  EXPECT_FALSE(std::signbit(power(-0.0, 0.5)));
  EXPECT_TRUE(std::isnan(power(-2, 0.5)));
  EXPECT_EQ(power(0x1p600, 2), kInf);
}

TEST(Rounded, AnglesKnowTheSignsOfZero) {
  const FloatFormat& f = format(kF32);
  const auto angle = [&](double y, double x) {
    return decode(
        round_function2(Function2::kAtan2, encode(y, f), encode(x, f), f).bits,
        f);
  };
  const auto pi = static_cast<double>(3.14159265358979323846F);
  EXPECT_EQ(angle(0.0, -0.0), pi);
  EXPECT_EQ(angle(-0.0, -0.0), -pi);
  EXPECT_TRUE(std::signbit(angle(-0.0, 1)));
  EXPECT_EQ(angle(1, 0), pi / 2);
}

// mpmath, 60 digits: the values that XLA's issues cite.
TEST(Rounded, KnownHardValuesHold) {
  const FloatFormat& f32 = format(kF32);
  const FloatFormat& f64 = format(kF64);
  EXPECT_EQ(round_function(Function::kTanh, encode(7, f32), f32).bits,
            0x3f7fffe4U);
  EXPECT_EQ(round_function(Function::kTanh, encode(8, f32), f32).bits,
            0x3f7ffffcU);
  EXPECT_EQ(round_function(Function::kSine, encode(1e10, f32), f32).bits,
            0xbef99a64U);
  EXPECT_EQ(decode(round_function(Function::kLog, 1, f32).bits, f32),
            static_cast<double>(-103.27893F));
  EXPECT_EQ(round_function(Function::kRsqrt, encode(2, f64), f64).bits,
            0x3fe6a09e667f3bcdU);
}

}  // namespace
}  // namespace hlo::numeric
