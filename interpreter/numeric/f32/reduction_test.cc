#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>

#include "interpreter/numeric/f32/kernels_trigonometric.h"
#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo::numeric {
namespace {

constexpr double kUnit = 0x1p-53;

/// x - k pi/2.
double distance(double x, unsigned long k) {
  Real turns(200);
  mpfr_const_pi(turns.get(), MPFR_RNDN);
  mpfr_mul_ui(turns.get(), turns.get(), k, MPFR_RNDN);
  mpfr_div_2ui(turns.get(), turns.get(), 1, MPFR_RNDN);
  mpfr_d_sub(turns.get(), x, turns.get(), MPFR_RNDN);
  return mpfr_get_d(turns.get(), MPFR_RNDN);
}

template <typename Reduction>
void expect_reduced(const Reduction& reduce, unsigned long k, double units) {
  // What is nearest to k quarter turns needs all digits of pi/2.
  const auto x = static_cast<float>(static_cast<double>(k) * M_PI_2);
  const Angle angle = reduce(-static_cast<double>(x));
  const double exact = distance(x, k);
  EXPECT_EQ(angle.quadrant, k % 4) << k;
  EXPECT_LE(std::abs(angle.theta - exact),
            (units + 1) * kUnit * std::abs(exact))
      << k;
}

TEST(Reductions, KeepTheirBoundsNearMultiplesOfQuarterTurns) {
  constexpr unsigned long kLast = 667'543;  // below 2^20
  for (unsigned long k = 1; k <= kLast; k += 97) {
    expect_reduced(NearReduction(), k, 3);
    expect_reduced(FarReduction(), k, 6);
  }
  expect_reduced(NearReduction(), 464'445, 3);
  expect_reduced(NearReduction(), kLast, 3);
}

}  // namespace
}  // namespace hlo::numeric
