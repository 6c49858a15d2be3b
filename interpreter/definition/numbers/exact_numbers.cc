#include "interpreter/definition/numbers/exact_numbers.h"

#include <cstdlib>

namespace hlo::definition {

Rational power_of_two(int64_t exponent) {
  const Whole power = Whole(1) << std::abs(exponent);
  return exponent < 0 ? Rational(1, power) : Rational(power);
}

Whole floor(const Rational& x) {
  const Whole toward_zero = numerator(x) / denominator(x);
  return toward_zero > x ? Whole(toward_zero - 1) : toward_zero;
}

Whole nearest_even(const Rational& x) {
  const Whole up = floor(Rational(x + Rational(1, 2)));
  const bool tie = up - x == Rational(1, 2);
  return tie && bit_test(up, 0) ? Whole(up - 1) : up;
}

int64_t binary_exponent(const Rational& x) {
  const Rational magnitude = abs(x);
  const auto bits = [](const Whole& n) { return static_cast<int64_t>(msb(n)); };
  const int64_t e = bits(numerator(magnitude)) - bits(denominator(magnitude));
  return magnitude < power_of_two(e) ? e - 1 : e;
}

}  // namespace hlo::definition
