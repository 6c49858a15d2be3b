#include "interpreter/numeric/real/enclosure.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

#include "interpreter/numeric/special/mpfr_functions.h"

namespace hlo::numeric {
namespace {

constexpr mpfr_prec_t kPrecision = 128;

void fill(Enclosure& result, double low, double high) {
  set(result.low, low);
  set(result.high, high);
}

/// Ends at whole numbers and so many units of 2^-100 besides, which are below
/// the 64 bits that truncate() keeps; and what it returns.
struct Cut {
  double low;
  double low_rest;
  double high;
  double high_rest;
  std::optional<int> ternary;
};

const Cut kCuts[] = {
    {1, 1, 1, 2, -1},
    {-1, -2, -1, -1, 1},
    {1, 1, 2, 1, std::nullopt},
    {-1, 0, 1, 0, std::nullopt},
    {0, 0, 1, 0, std::nullopt},
    // The end that is a number of 64 bits may be the value itself.
    {1, 0, 1, 1, std::nullopt},
    {-1, -1, -1, 0, std::nullopt},
};

TEST(Enclosure, IsTruncatedWhereTheEndsLeaveNoDoubt) {
  for (const Cut& row : kCuts) {
    Enclosure value(kPrecision);
    fill(value, row.low, row.high);
    mpfr_add_d(value.low.get(), value.low.get(), row.low_rest * 0x1p-100,
               MPFR_RNDN);
    mpfr_add_d(value.high.get(), value.high.get(), row.high_rest * 0x1p-100,
               MPFR_RNDN);
    Real result(64);
    EXPECT_EQ(truncate(result.get(), value), row.ternary) << row.low;
    if (!row.ternary) continue;
    EXPECT_EQ(mpfr_cmp_d(result.get(), row.low), 0);
  }
}

struct Ends {
  double low;
  double high;
};

constexpr std::array<Ends, 5> kAnySign = {
    {{1, 2}, {-2, -1}, {-1, 2}, {-3, 0}, {0, 3}}};

/// Whether the result's ends are the least and the greatest of what the numbers
/// a and b of both come to, which are exact.
template <typename Operation, typename Number>
void expect_hull(const Ends& x, const Ends& y, const Operation& operation,
                 const Number& number) {
  Enclosure a(kPrecision);
  Enclosure b(kPrecision);
  fill(a, x.low, x.high);
  fill(b, y.low, y.high);
  operation(a, b);
  double least = HUGE_VAL;
  double greatest = -HUGE_VAL;
  for (const double left : {x.low, x.high}) {
    for (const double right : {y.low, y.high}) {
      least = std::fmin(least, number(left, right));
      greatest = std::fmax(greatest, number(left, right));
    }
  }
  EXPECT_EQ(mpfr_get_d(a.low.get(), MPFR_RNDN), least) << x.low << ' ' << y.low;
  EXPECT_EQ(mpfr_get_d(a.high.get(), MPFR_RNDN), greatest)
      << x.low << ' ' << y.low;
}

TEST(Enclosure, OfSumsAndProductsHoldsThoseOfAllNumbers) {
  for (const Ends& x : kAnySign) {
    for (const Ends& y : kAnySign) {
      expect_hull(x, y, add, [](double a, double b) { return a + b; });
      expect_hull(x, y, subtract, [](double a, double b) { return a - b; });
      expect_hull(
          x, {y.low, y.low},
          [&](Enclosure& a, const Enclosure&) { scale(a, y.low); },
          [](double a, double b) { return a * b; });
    }
    constexpr Ends kPositive = {0.5, 4};
    expect_hull(x, kPositive, multiply,
                [](double a, double b) { return a * b; });
    expect_hull(x, kPositive, divide, [](double a, double b) { return a / b; });
  }
}

TEST(Enclosure, IsRoundedOutward) {
  Enclosure third(kPrecision);
  Enclosure three(kPrecision);
  fill(third, 1, 1);
  fill(three, 3, 3);
  divide(third, three);
  EXPECT_NE(mpfr_cmp(third.low.get(), third.high.get()), 0);
  Real product(2 * kPrecision);
  mpfr_mul_ui(product.get(), third.low.get(), 3, MPFR_RNDN);
  EXPECT_LT(mpfr_cmp_d(product.get(), 1), 0);
  mpfr_mul_ui(product.get(), third.high.get(), 3, MPFR_RNDN);
  EXPECT_GT(mpfr_cmp_d(product.get(), 1), 0);
}

TEST(Enclosure, WidensBothEndsByTheirShare) {
  for (const double sign : {1.0, -1.0}) {
    Enclosure value(kPrecision);
    fill(value, sign > 0 ? 2 : -4, sign > 0 ? 4 : -2);
    widen(value, 3);
    EXPECT_EQ(mpfr_get_d(value.low.get(), MPFR_RNDN), sign > 0 ? 1.75 : -4.5);
    EXPECT_EQ(mpfr_get_d(value.high.get(), MPFR_RNDN), sign > 0 ? 4.5 : -1.75);
  }
}

// A result that was rounded toward zero has an error of the other sign.
TEST(Enclosure, FunctionsReturnTheSignOfTheirError) {
  const auto expect_sign = [](int ternary, const Real& result) {
    EXPECT_EQ(ternary, -mpfr_sgn(result.get()));
  };
  for (const double x : {0.375, -0.375}) {
    for (const Function function :
         {Function::kErfInv, Function::kBesselI1e, Function::kErfc,
          Function::kDigamma, Function::kLgamma, Function::kSine}) {
      Real result(64);
      expect_sign(evaluate(function, x, result), result);
    }
  }
  for (const double order : {1.0, 2.0, 3.0}) {
    for (const double x : {2.75, -0.375, -1.625}) {
      Real result(64);
      expect_sign(evaluate(Function2::kPolygamma, order, x, result), result);
    }
  }
  Real result(64);
  expect_sign(evaluate(Function2::kZeta, 2.5, 1.5, result), result);
}

}  // namespace
}  // namespace hlo::numeric
