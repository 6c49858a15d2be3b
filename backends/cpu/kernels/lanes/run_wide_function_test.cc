#include "backends/cpu/kernels/lanes/run_wide_function.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "backends/cpu/kernels/testing/all_doubles.h"
#include "backends/cpu/kernels/testing/computed.h"
#include "backends/cpu/kernels/testing/everywhere.h"

// Functions are compared with those of long double.

namespace hlo::cpu {
namespace {

struct WideFact {
  Code code;
  long double (*exact)(long double);
  double most;  // units in the last place of the error
};

constexpr WideFact kWideFunctions[] = {
    {Code::kExponentialF64, [](long double x) { return std::exp(x); }, 0.78},
    {Code::kExponentialMinusOneF64, [](long double x) { return std::expm1(x); },
     0.95},
    {Code::kLogF64, [](long double x) { return std::log(x); }, 0.65},
    {Code::kLogPlusOneF64, [](long double x) { return std::log1p(x); }, 0.67},
    {Code::kTanhF64, [](long double x) { return std::tanh(x); }, 0.78},
    {Code::kLogisticF64, [](long double x) { return 1 / (1 + std::exp(-x)); },
     0.79},
    {Code::kRsqrtF64, [](long double x) { return 1 / std::sqrt(x); }, 1.5},
};

/// The distance of y from the exact value in units in its last place.
long double wide_units(double y, long double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  return std::abs(y - exact) / std::ldexp(1.0L, std::max(exponent - 53, -1074));
}

void expect_near(const WideFact& fact, double x, double y) {
  const long double exact = fact.exact(x);
  const auto near = static_cast<double>(exact);
  ASSERT_EQ(std::isnan(near), std::isnan(y)) << x << " gives " << y;
  ASSERT_EQ(std::isinf(near), std::isinf(y)) << x << " gives " << y;
  if (std::isnan(near)) return;
  ASSERT_EQ(std::signbit(near), std::signbit(y)) << x << " gives " << y;
  if (std::isinf(near)) return;
  ASSERT_LE(wide_units(y, exact), fact.most) << x << " gives " << y;
}

/// Beside ends of the range and of the parts that functions know, and beside 0
/// and 1.
Doubles hard() {
  Doubles numbers;
  for (const double center : {709.78271289338397,
                              708.0,
                              -708.39641853226408,
                              -745.13321910194122,
                              -744.44007192138122,
                              0.34657359027997264,
                              19.061547465398498,
                              20.0,
                              36.736800569677101,
                              40.0,
                              0.70710678118654752,
                              1.4142135623730951,
                              -0.29289321881345254,
                              0.41421356237309515,
                              1.0,
                              -0.99999999999999989,
                              0x1p-30,
                              0x1p-54,
                              0x1p-1022,
                              9.0}) {
    double number = center - std::abs(center) * 0x1p-44;
    for (int i = 0; i < 600; ++i) {
      numbers.push_back(number);
      numbers.push_back(-number);
      number = std::nextafter(number, kWideInf);
    }
  }
  std::mt19937_64 engine(4);
  std::uniform_real_distribution<double> near_zero(-3, 3);
  for (int i = 0; i < 50000; ++i) numbers.push_back(near_zero(engine));
  return numbers;
}

TEST(RunWideFunction, IsAsNearAsTold) {
  Doubles x = all_doubles();
  const Doubles more = hard();
  x.insert(x.end(), more.begin(), more.end());
  for (const WideFact& fact : kWideFunctions) {
    const Doubles y = computed<double>(fact.code, x);
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_near(fact, x[i], y[i]));
    }
  }
}

TEST(RunWideFunction, GivesTheSameOnEachInstructionSet) {
  Doubles x = hard();
  const Doubles others = all_doubles();
  for (size_t i = 0; i < others.size(); ++i) {
    // Numbers that take another way are alone among others.
    x.push_back(others[i]);
    if (i % 5 == 0) x.insert(x.end(), 8, 1.0);
  }
  for (const WideFact& fact : kWideFunctions) {
    const Doubles expected = computed<double>(fact.code, x);
    everywhere([&] {
      const Doubles y = computed<double>(fact.code, x);
      EXPECT_EQ(std::memcmp(y.data(), expected.data(), 8 * y.size()), 0);
    });
  }
}

}  // namespace
}  // namespace hlo::cpu
