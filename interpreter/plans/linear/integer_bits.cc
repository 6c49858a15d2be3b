#include "interpreter/plans/linear/integer_bits.h"

#include <algorithm>
#include <cmath>

namespace hlo {

int64_t bits_of_integers(std::span<const std::complex<double>> values,
                         const numeric::FloatFormat& format) {
  int least = 0;
  int largest = 0;
  bool has_any = false;
  const auto see = [&](double part) {
    if (part == 0 || !std::isfinite(part)) return;
    const int exponent = std::ilogb(part);
    least = has_any ? std::min(least, exponent) : exponent;
    largest = has_any ? std::max(largest, exponent) : exponent;
    has_any = true;
  };
  for (const std::complex<double>& value : values) {
    see(value.real());
    see(value.imag());
  }
  return largest - least + format.mantissa_bits + 1;
}

}  // namespace hlo
