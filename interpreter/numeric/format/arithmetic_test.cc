// That + - * / and sqrt of double, rounded once more to a format, are the
// correctly rounded operations of the format.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <cmath>

#include "interpreter/numeric/real/testing/oracle.h"

namespace hlo::numeric {
namespace {

using enum ElementType;

constexpr mpfr_prec_t kPrecision = 700;  // exact for sums and products of f32

struct Operation {
  const char* name;
  double (*native)(double, double);
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
};

int root_of_first(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr /*y*/,
                  mpfr_rnd_t mode) {
  return mpfr_sqrt(result, x, mode);
}

constexpr std::array<Operation, 5> kOperations = {{
    {"add", [](double a, double b) { return a + b; }, mpfr_add},
    {"subtract", [](double a, double b) { return a - b; }, mpfr_sub},
    {"multiply", [](double a, double b) { return a * b; }, mpfr_mul},
    {"divide", [](double a, double b) { return a / b; }, mpfr_div},
    {"sqrt", [](double a, double) { return std::sqrt(a); }, root_of_first},
}};

uint64_t expected(const Operation& operation, double a, double b,
                  const FloatFormat& f) {
  Real x(53);
  Real y(53);
  Real result(kPrecision);
  set(x, a);
  set(y, b);
  operation.exact(result.get(), x.get(), y.get(), MPFR_RNDN);
  if (mpfr_number_p(result.get()) == 0) {
    return encode(mpfr_get_d(result.get(), MPFR_RNDN), f);
  }
  return f.width() <= 8 ? oracle::round_by_search(result.get(), f)
                        : oracle::round_ieee(result.get(), f);
}

void check(const Operation& operation, uint64_t x, uint64_t y,
           const FloatFormat& f) {
  const double a = decode(x, f);
  const double b = decode(y, f);
  const uint64_t actual = encode(operation.native(a, b), f);
  const uint64_t exact = expected(operation, a, b, f);
  if (is_nan(exact, f)) {
    ASSERT_TRUE(is_nan(actual, f));
    return;
  }
  // A format without NaN has a zero for it, whose sign is the NaN's.
  const bool nan = std::isnan(operation.native(a, b));
  ASSERT_EQ(nan ? exact : actual, exact)
      << name(f.type) << ": " << operation.name << " " << a << ", " << b;
}

TEST(Arithmetic, AllPairsOfSmallFormatsAreCorrect) {
  for (const TypeInfo& row : all_types()) {
    if (row.type_class != TypeClass::kFloat || row.bits > 8) continue;
    const FloatFormat& f = format(row.type);
    const uint64_t codes = uint64_t{1} << f.width();
    for (const Operation& operation : kOperations) {
      for (uint64_t i = 0; i < codes * codes; ++i) {
        ASSERT_NO_FATAL_FAILURE(check(operation, i / codes, i % codes, f));
      }
    }
  }
}

TEST(Arithmetic, SampledPairsOfWiderFormatsAreCorrect) {
  oracle::Random random(40);
  for (const ElementType type : {kF16, kBF16, kF32}) {
    const FloatFormat& f = format(type);
    for (int i = 0; i < 40'000; ++i) {
      const uint64_t x = random.bits() >> (64 - f.width());
      const uint64_t y = i % 2 == 0 ? random.bits() >> (64 - f.width())
                                    : encode(random.real(-40, 40), f);
      for (const Operation& operation : kOperations) {
        ASSERT_NO_FATAL_FAILURE(check(operation, x, y, f));
      }
    }
  }
}

// Quotients and sums near midpoints: where a second rounding could go wrong.
TEST(Arithmetic, NearMidpointsAreCorrect) {
  oracle::Random random(41);
  for (const ElementType type : {kF16, kBF16, kF32}) {
    const FloatFormat& f = format(type);
    for (int i = 0; i < 20'000; ++i) {
      const double y = decode(encode(random.real(-6, 6), f), f);
      const double q = decode(encode(random.real(-6, 6), f), f);
      const double half = std::ldexp(q, -f.precision());
      const uint64_t x = encode((q + half) * y, f);
      for (const Operation& operation : kOperations) {
        ASSERT_NO_FATAL_FAILURE(check(operation, x, encode(y, f), f));
        ASSERT_NO_FATAL_FAILURE(check(operation, x, encode(half, f), f));
      }
    }
  }
}

TEST(Arithmetic, SumsRoundedToOddRoundOnce) {
  oracle::Random random(42);
  const FloatFormat& f = format(kF32);
  Real exact(kPrecision);
  for (int i = 0; i < 50'000; ++i) {
    const double a = random.real(-150, 120);
    const double b = random.real(-150, 120);
    set(exact, a);
    mpfr_add_d(exact.get(), exact.get(), b, MPFR_RNDN);
    ASSERT_EQ(encode(add_to_odd(a, b), f), oracle::round_ieee(exact.get(), f));
  }
}

}  // namespace
}  // namespace hlo::numeric
