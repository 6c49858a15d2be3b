#pragma once

namespace hlo::numeric {

/// S of erf(c + h) = erf c + erf'(c) h S, the mean over t from 0 to h of
/// exp(-2ct - t^2) = sum of b_n t^n with b_0 = 1, b_1 = -2c and (n + 1) b_{n+1}
/// = -2c b_n - 2 b_{n-1} (b_n = (-1)^n H_n(c) / n!, Hermite's polynomials).
/// With g_n = b_n h^n it is the sum of g_n / (n + 1), taken to n = kTerms, 9 or
/// 10. An operation's errors in the recurrence sum to at most 6u of |g_1| +
/// |g_2| + ..., where that sum is below 1.
template <int kTerms>
[[gnu::always_inline]] inline double hermite_mean(double c, double h) {
  static_assert(kTerms == 9 || kTerms == 10);
  const double first = -2 * c * h;
  const double second = -2 * h * h;
  const double g2 = (first * first + second) * 0.5;
  const double g3 = (first * g2 + second * first) * (1.0 / 3);
  const double g4 = (first * g3 + second * g2) * 0.25;
  const double g5 = (first * g4 + second * g3) * 0.2;
  const double g6 = (first * g5 + second * g4) * (1.0 / 6);
  const double g7 = (first * g6 + second * g5) * (1.0 / 7);
  const double g8 = (first * g7 + second * g6) * 0.125;
  const double g9 = (first * g8 + second * g7) * (1.0 / 9);
  double tail = g9 * 0.1;
  if constexpr (kTerms == 10) {
    const double g10 = (first * g9 + second * g8) * 0.1;
    tail = g10 * (1.0 / 11) + tail;
  }
  tail = tail + g8 * (1.0 / 9) + g7 * 0.125 + g6 * (1.0 / 7) + g5 * (1.0 / 6) +
         g4 * 0.2 + g3 * 0.25;
  return 1 + (first * 0.5 + (g2 * (1.0 / 3) + tail));
}

}  // namespace hlo::numeric
