#include "interpreter/plans/linear/linear_work.h"

#include <algorithm>
#include <cmath>

#include "interpreter/error.h"

namespace hlo {

namespace {

constexpr int64_t kMostWork = int64_t{1} << 42;

}  // namespace

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

void require_work(std::initializer_list<int64_t> factors) {
  if (std::ranges::find(factors, 0) != factors.end()) return;
  int64_t left = kMostWork;
  for (const int64_t factor : factors) left /= factor;
  require_evaluable(
      left > 0, "evaluate.work",
      {"exact elimination of matrices this large would take more than ",
       Count{kMostWork, "step"}},
      "it can be done for smaller ones only");
}

}  // namespace hlo
