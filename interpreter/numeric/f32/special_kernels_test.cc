#include "interpreter/numeric/f32/special_kernels.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "interpreter/numeric/f32/kernels_erfc.h"
#include "interpreter/numeric/f32/special_zeta_kernels.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/numeric/special/mpfr_functions.h"
#include "interpreter/numeric/special/special_bessel.h"
#include "interpreter/numeric/special/special_error.h"
#include "interpreter/numeric/special/special_gamma.h"
#include "interpreter/numeric/special/special_zeta.h"
#include "interpreter/numeric/special/testing/oracle_functions.h"

namespace hlo::numeric {
namespace {

using enum ElementType;
using oracle::Random;

constexpr mpfr_prec_t kPrecision = 120;

struct Row {
  Function function;
  const char* name;
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  double low;  // where it is mostly used
  double high;
  std::array<float, 4> points;  // where it vanishes or its kernel changes
};

constexpr std::array<Row, 5> kRows = {{
    {Function::kErfc, "erfc", special::erfc, -4, 10.5, {0, 0.5F, 10.1F, 9}},
    {Function::kErfInv,
     "erf_inv",
     special::erf_inv,
     -1,
     1,
     {0.25F, 1, 0.5F, -0.25F}},
    {Function::kLgamma,
     "lgamma",
     special::lgamma,
     -20,
     50,
     {1, 2, -2.4570248F, 9}},
    {Function::kDigamma,
     "digamma",
     special::digamma,
     -20,
     50,
     {1.4616321F, -0.50408303F, 10, -1}},
    {Function::kBesselI1e,
     "bessel_i1e",
     special::bessel_i1e,
     -40,
     40,
     {8, 24, 0, -8}},
}};

// Random bits, the usual arguments, small ones, and neighbours of the points.
float argument(const Row& row, Random& random, size_t i) {
  const auto low = static_cast<uint32_t>(random.bits());
  switch (i % 4) {
    case 0:
      return std::bit_cast<float>(low);
    case 1:
      return static_cast<float>(random.real(-12, 3));
    case 2:
      return std::bit_cast<float>(std::bit_cast<uint32_t>(row.points[low % 4]) +
                                  (low >> 16) % 65 - 32);
    default:
      return static_cast<float>(oracle::useful(random, row.low, row.high));
  }
}

// Both ends of the value to `kPrecision` bits are between those of the kernel.
bool holds(Ends ends, mpfr_srcptr value) {
  if (mpfr_nan_p(value) != 0) return std::isnan(ends.low);
  return mpfr_cmp_d(value, ends.low) >= 0 && mpfr_cmp_d(value, ends.high) <= 0;
}

TEST(SpecialKernels, EndsEncloseTheValue) {
  constexpr size_t kCount = 5000;
  Real operand(53);
  Real exact(kPrecision);
  for (const Row& row : kRows) {
    const EndsOf ends_at = ends_of(row.function);
    if (ends_at == nullptr) continue;
    Random random(40);
    for (size_t i = 0; i < kCount; ++i) {
      const float x = argument(row, random, i);
      if (std::isnan(x)) continue;
      set(operand, x);
      row.evaluate(exact.get(), operand.get(), MPFR_RNDZ);
      ASSERT_TRUE(holds(ends_at(x), exact.get())) << row.name << " " << x;
    }
  }
}

struct Row2 {
  Ends2Of ends;
  const char* name;
  int (*evaluate)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
};

// Orders that are integers or not, far and near arguments, next to poles too.
TEST(SpecialKernels, EndsOfTwoArgumentsEncloseTheValue) {
  constexpr std::array<Row2, 2> kRows2 = {
      {{zeta_ends, "zeta", special::zeta},
       {polygamma_ends, "polygamma", special::polygamma}}};
  constexpr int kCount = 400;
  Real s(53);
  Real q(53);
  Real exact(kPrecision);
  Random random(43);
  int narrow = 0;
  for (int i = 0; i < 2 * kCount; ++i) {
    const Row2& row = kRows2.at(static_cast<size_t>(i % 2));
    const auto real = static_cast<float>(1 + std::abs(random.real(-20, 6)));
    const float order = i % 8 < 6 ? std::floor(real) : real;
    float x = static_cast<float>(random.real(-20, i % 16 < 12 ? 3 : 40));
    if (i % 5 == 0) x = std::nextafter(std::round(x), x);
    set(s, order);
    set(q, x);
    row.evaluate(exact.get(), s.get(), q.get(), MPFR_RNDZ);
    const Ends ends = row.ends(order, x);
    if (mpfr_nan_p(exact.get()) != 0) continue;
    ASSERT_TRUE(holds(ends, exact.get()))
        << row.name << " " << order << " " << x;
    narrow += ends.high - ends.low < 0x1p-30 * std::abs(ends.low) ? 1 : 0;
  }
  EXPECT_GT(narrow, kCount * 3 / 4);
}

TEST(SpecialKernels, ErfcIsWithinItsBound) {
  constexpr size_t kCount = 5000;
  const ErfcKernel kernel;
  Random random(41);
  Real operand(53);
  Real exact(kPrecision);
  for (size_t i = 0; i < kCount; ++i) {
    const double x = argument(kRows[0], random, i);
    if (std::isnan(x) || x > ErfcTable::kEnd) continue;
    set(operand, x);
    mpfr_erfc(exact.get(), operand.get(), MPFR_RNDN);
    mpfr_div_d(exact.get(), exact.get(), kernel(x), MPFR_RNDN);
    mpfr_sub_ui(exact.get(), exact.get(), 1, MPFR_RNDN);
    ASSERT_LT(std::abs(mpfr_get_d(exact.get(), MPFR_RNDN)), ErfcKernel::kError)
        << x;
  }
}

// With the values that only arbitrary precision decides, and few of those.
TEST(SpecialKernels, ArraysOfF32AgreeWithArbitraryPrecision) {
  constexpr size_t kCount = 100'000;
  const FloatFormat& f32 = format(kF32);
  for (const Row& row : kRows) {
    Random random(42);
    std::vector<float> x(kCount);
    for (size_t i = 0; i < kCount; ++i) x[i] = argument(row, random, i);
    std::vector<uint32_t> codes(kCount);
    round_function_array(row.function, x.data(), codes.data(), kCount, f32);
    for (size_t i = 0; i < kCount; ++i) {
      if (std::isnan(x[i])) continue;
      ASSERT_EQ(codes[i], evaluate(row.function, x[i], f32).bits)
          << row.name << " " << x[i];
    }
  }
}

TEST(SpecialKernels, ArraysAgreeWithSingleCodes) {
  for (const ElementType type : {kF16, kBF16, kF8E4M3FNUZ, kF8E8M0FNU}) {
    const FloatFormat& f = format(type);
    for (const Row& row : kRows) {
      for (uint64_t x = 0; x < uint64_t{1} << f.width(); x += 7) {
        const auto wide = static_cast<uint16_t>(x);
        const auto narrow = static_cast<uint8_t>(x);
        uint16_t result = 0;
        const bool small = f.width() <= 8;
        round_function_array(row.function,
                             small ? static_cast<const void*>(&narrow) : &wide,
                             &result, 1, f);
        ASSERT_EQ(result, round_function(row.function, x, f).bits)
            << row.name << " " << name(type) << " " << decode(x, f);
      }
    }
  }
}

}  // namespace
}  // namespace hlo::numeric
