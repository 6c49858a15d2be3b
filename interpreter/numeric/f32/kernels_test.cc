#include <gtest/gtest.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "interpreter/numeric/f32/fast_path.h"
#include "interpreter/numeric/f32/kernels_angle.h"
#include "interpreter/numeric/f32/kernels_erf.h"
#include "interpreter/numeric/f32/kernels_exponential.h"
#include "interpreter/numeric/f32/kernels_logarithm.h"
#include "interpreter/numeric/f32/kernels_root.h"
#include "interpreter/numeric/f32/kernels_trigonometric.h"
#include "interpreter/numeric/format/instruction_sets.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/numeric/special/testing/oracle_functions.h"

// The bounds that the rounding test relies on, and the rounding test itself,
// for f32 by MPFR.
namespace hlo::numeric {
namespace {

using enum ElementType;
using oracle::Random;

constexpr mpfr_prec_t kPrecision = 100;
constexpr size_t kCount = 100'000;
constexpr double kFar = 0x1p500;  // beyond every format

float from_bits(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

// A float some steps from a point where functions turn, end or vanish.
float near_special(Random& random) {
  constexpr float kPoints[] = {
      0,     1,     -1,         0.5F, 2,   3,       88.7F, -103.9F, 16,
      1e10F, 0.25F, 3.1415927F, 4,    127, -149.5F, 6,     20,      1.5707964F};
  const float point = kPoints[random.below(std::size(kPoints))];
  return from_bits(std::bit_cast<uint32_t>(point) +
                   static_cast<uint64_t>(random.below(65) - 32));
}

// Random bits, the usual arguments, small and special ones.
float argument(Random& random, size_t i, double low, double high) {
  switch (i % 4) {
    case 0:
      return from_bits(random.bits());
    case 1:
      return static_cast<float>(oracle::useful(random, low, high));
    case 2:
      return static_cast<float>(random.real(-30, 8));
    default:
      return near_special(random);
  }
}

testing::AssertionResult is_within(mpfr_srcptr exact, double value,
                                   double error) {
  const double rounded = mpfr_get_d(exact, MPFR_RNDN);
  if (std::isnan(rounded) || std::isnan(value)) {
    return testing::AssertionResult(std::isnan(rounded) && std::isnan(value));
  }
  const bool same_sign = std::signbit(rounded) == std::signbit(value);
  const double a = std::abs(rounded);
  const double b = std::abs(value);
  const bool both_far = (a > kFar && b > kFar && std::isfinite(b)) ||
                        (a < 1 / kFar && b < 1 / kFar && b > 0);
  if (same_sign && (both_far || (a == b && (a == 0 || std::isinf(a))))) {
    return testing::AssertionSuccess();
  }
  Real quotient(kPrecision);
  mpfr_div_d(quotient.get(), exact, value, MPFR_RNDN);
  mpfr_sub_ui(quotient.get(), quotient.get(), 1, MPFR_RNDN);
  const double actual = std::abs(mpfr_get_d(quotient.get(), MPFR_RNDN));
  if (actual < error) return testing::AssertionSuccess();
  return testing::AssertionFailure() << value << " is off by " << actual;
}

testing::AssertionResult is_rounded(mpfr_srcptr exact, uint32_t code) {
  const FloatFormat& f32 = format(kF32);
  const uint64_t expected =
      mpfr_nan_p(exact) != 0 ? f32.quiet_nan() : oracle::round_ieee(exact, f32);
  if (expected == code) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << std::hex << code << " is not " << expected;
}

void check_unary(const oracle::Unary& row) {
  Random random(30 + static_cast<uint64_t>(row.function));
  std::vector<float> x(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = argument(random, i, row.low, row.high);
  }
  const std::vector<double> wide(x.begin(), x.end());
  std::vector<double> y(kCount);
  std::vector<uint32_t> codes(kCount);
  const FastPath path = fast_path(row.function);
  path.evaluate(wide.data(), y.data(), kCount);
  round_function_array(row.function, x.data(), codes.data(), kCount,
                       format(kF32));
  Real operand(53);
  Real exact(kPrecision);
  for (size_t i = 0; i < kCount; ++i) {
    if (std::isnan(x[i])) continue;
    mpfr_set_d(operand.get(), wide[i], MPFR_RNDN);
    oracle::round_to_odd(exact.get(),
                         row.evaluate(exact.get(), operand.get(), MPFR_RNDZ));
    ASSERT_TRUE(is_within(exact.get(), y[i], path.error))
        << row.name << " " << std::hexfloat << x[i];
    ASSERT_TRUE(is_rounded(exact.get(), codes[i]))
        << row.name << " " << std::hexfloat << x[i];
  }
}

void check_binary(const oracle::Binary& row) {
  Random random(60 + static_cast<uint64_t>(row.function));
  std::vector<float> x(kCount);
  std::vector<float> y(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = argument(random, i, row.low_x, row.high_x);
    y[i] = argument(random, i % 3 == 0 ? i : i / 3, row.low_y, row.high_y);
  }
  std::vector<uint32_t> codes(kCount);
  round_function2_array(row.function, x.data(), y.data(), codes.data(), kCount,
                        format(kF32));
  const FastPath2 path = fast_path(row.function);
  Real first(53);
  Real second(53);
  Real exact(kPrecision);
  for (size_t i = 0; i < kCount; ++i) {
    const double a = x[i];
    const double b = y[i];
    double value = 0;
    path.evaluate(&a, &b, &value, 1);
    mpfr_set_d(first.get(), a, MPFR_RNDN);
    mpfr_set_d(second.get(), b, MPFR_RNDN);
    oracle::round_to_odd(exact.get(), row.evaluate(exact.get(), first.get(),
                                                   second.get(), MPFR_RNDZ));
    ASSERT_TRUE(is_within(exact.get(), value, path.error))
        << row.name << " " << std::hexfloat << a << " " << b;
    ASSERT_TRUE(is_rounded(exact.get(), codes[i]))
        << row.name << " " << std::hexfloat << a << " " << b;
  }
}

TEST(Kernels, OfOneArgumentKeepTheirBoundsAndRoundRightly) {
  for (const oracle::Unary& row : oracle::kUnary) {
    ASSERT_NO_FATAL_FAILURE(check_unary(row));
  }
}

TEST(Kernels, OfTwoArgumentsKeepTheirBoundsAndRoundRightly) {
  for (const oracle::Binary& row : oracle::kBinary) {
    ASSERT_NO_FATAL_FAILURE(check_binary(row));
  }
}

// Numbers at which functions have rules of their own.
std::vector<float> special_values() {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> values = {std::numeric_limits<float>::quiet_NaN()};
  for (const float magnitude :
       {0.0F,           0x1p-149F, 0x1p-126F,       0x1p-30F,       0.5F,
        0x1.fffffep-1F, 1.0F,      0x1.000002p0F,   1.5F,           2.0F,
        3.0F,           4.0F,      27.0F,           88.0F,          0x1p19F,
        0x1p20F,        0x1p23F,   0x1.000002p23F,  0x1.fffffep23F, 0x1p24F,
        0x1p54F,        0x1p127F,  0x1.fffffep127F, kInfinity}) {
    values.push_back(magnitude);
    values.push_back(-magnitude);
  }
  return values;
}

TEST(Kernels, OfOneArgumentKnowSpecialValues) {
  const std::vector<float> x = special_values();
  std::vector<uint32_t> codes(x.size());
  Real operand(53);
  Real exact(kPrecision);
  for (const oracle::Unary& row : oracle::kUnary) {
    round_function_array(row.function, x.data(), codes.data(),
                         static_cast<int64_t>(x.size()), format(kF32));
    for (size_t i = 0; i < x.size(); ++i) {
      mpfr_set_flt(operand.get(), x[i], MPFR_RNDN);
      oracle::round_to_odd(exact.get(),
                           row.evaluate(exact.get(), operand.get(), MPFR_RNDZ));
      EXPECT_TRUE(is_rounded(exact.get(), codes[i]))
          << row.name << " " << std::hexfloat << x[i];
    }
  }
}

TEST(Kernels, OfTwoArgumentsKnowSpecialValues) {
  const std::vector<float> values = special_values();
  std::vector<float> y(values.size());
  std::vector<uint32_t> codes(values.size());
  Real first(53);
  Real second(53);
  Real exact(kPrecision);
  for (const oracle::Binary& row : oracle::kBinary) {
    for (const float each : values) {
      std::fill(y.begin(), y.end(), each);
      round_function2_array(row.function, values.data(), y.data(), codes.data(),
                            static_cast<int64_t>(y.size()), format(kF32));
      for (size_t i = 0; i < y.size(); ++i) {
        mpfr_set_flt(first.get(), values[i], MPFR_RNDN);
        mpfr_set_flt(second.get(), each, MPFR_RNDN);
        oracle::round_to_odd(
            exact.get(),
            row.evaluate(exact.get(), first.get(), second.get(), MPFR_RNDZ));
        EXPECT_TRUE(is_rounded(exact.get(), codes[i]))
            << row.name << " " << std::hexfloat << values[i] << " " << each;
      }
    }
  }
}

#if defined(__x86_64__)
template <typename Kernel>
struct Loop {
  [[gnu::always_inline]] static void run(const double* x, double* y,
                                         int64_t n) {
    const Kernel kernel{};
    for (int64_t i = 0; i < n; ++i) y[i] = kernel(x[i]);
  }
};

template <typename Kernel>
void expect_same_bits() {
  Random random(70);
  std::vector<double> x(2000);
  for (size_t i = 0; i < x.size(); ++i) x[i] = argument(random, i, -9, 9);
  const auto n = static_cast<int64_t>(x.size());
  std::vector<double> plain(x.size());
  std::vector<double> wider(x.size());
  run_baseline<Loop<Kernel>, const double*, double*>(x.data(), plain.data(), n);
  const auto differences = [&] {
    int64_t found = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const bool nan = std::isnan(plain[i]) && std::isnan(wider[i]);
      const bool same = std::bit_cast<uint64_t>(plain[i]) ==
                        std::bit_cast<uint64_t>(wider[i]);
      found += nan || same ? 0 : 1;
    }
    return found;
  };
  if (instruction_set() >= InstructionSet::kAvx2) {
    run_avx2<Loop<Kernel>, const double*, double*>(x.data(), wider.data(), n);
    EXPECT_EQ(differences(), 0);
  }
  if (instruction_set() >= InstructionSet::kAvx512) {
    run_avx512<Loop<Kernel>, const double*, double*>(x.data(), wider.data(), n);
    EXPECT_EQ(differences(), 0);
  }
}

TEST(Kernels, GiveTheSameBitsWithEveryInstructionSet) {
  expect_same_bits<ExponentialKernel>();
  expect_same_bits<TanhKernel>();
  expect_same_bits<Log10Kernel>();
  expect_same_bits<AsinhKernel>();
  expect_same_bits<SineKernel<FarReduction>>();
  expect_same_bits<AcosKernel>();
  expect_same_bits<CbrtKernel>();
  expect_same_bits<ErfKernel>();
}
#endif

}  // namespace
}  // namespace hlo::numeric
