#include "conformance/numerics/hard_cases.h"

#include <bit>
#include <cmath>
#include <random>

#include "interpreter/numeric/f64/double_functions.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::Function;

/// Magnitudes between 2^low and 2^high, of both signs or positive ones.
struct Domain {
  int low = -20;
  int high = 6;
  bool is_positive = false;
};

Domain domain_of(Function function) {
  switch (function) {
    case Function::kLog:
    case Function::kRsqrt:
      return {-200, 200, true};
    case Function::kCbrt:
      return {-200, 200, false};
    case Function::kLogPlusOne:
      return {-20, -1, false};
    case Function::kAsin:
    case Function::kAcos:
    case Function::kAtanh:
      return {-15, -1, false};
    case Function::kAcosh:
      return {0, 60, true};
    case Function::kSine:
    case Function::kCosine:
    case Function::kTan:
      return {-10, 30, false};
    case Function::kErf:
    case Function::kTanh:
      return {-10, 1, false};
    default:
      return {-15, 5, false};
  }
}

class Arguments {
 public:
  Arguments(Domain domain, uint64_t seed) : domain_(domain), engine_(seed) {}

  double next() {
    constexpr int kDrop = 11;
    const uint64_t bits = engine_();
    const double significand = 1 + static_cast<double>(bits >> kDrop) * 0x1p-53;
    const auto range = static_cast<uint64_t>(domain_.high - domain_.low);
    const auto step = static_cast<int>(engine_() % range);
    const double x = std::ldexp(significand, domain_.low + step);
    return !domain_.is_positive && (bits & 1) != 0 ? -x : x;
  }

 private:
  Domain domain_;
  std::mt19937_64 engine_;
};

/// Whether the value's second part, in units of the first's last place, is
/// within 2^-16 of 0 or of a half.
bool is_hard(const numeric::Approximation& value) {
  constexpr double kClose = 0x1p-16;
  if (!std::isfinite(value.hi) || value.hi == 0) return false;
  const double unit = std::ldexp(1.0, std::ilogb(value.hi) - 52);
  const double part = std::fabs(value.lo) / unit;
  return part < kClose || std::fabs(part - 0.5) < kClose;
}

double reference(Function function, double x) {
  const auto bits =
      numeric::round_function(function, std::bit_cast<uint64_t>(x),
                              numeric::format(ElementType::kF64))
          .bits;
  return std::bit_cast<double>(bits);
}

}  // namespace

HardCases check_hard_cases(const Rival& rival, int64_t count, uint64_t seed) {
  HardCases cases;
  if (rival.is_binary()) return cases;
  const Function function = std::get<Function>(rival.function);
  // About one number in 2^14 is hard.
  const int64_t most = count << 18;
  Arguments arguments(domain_of(function), seed);
  if (std::isnan(numeric::approximate(function, arguments.next()).hi)) {
    return cases;
  }
  while (cases.found < count && cases.tried < most) {
    const double x = arguments.next();
    ++cases.tried;
    if (!is_hard(numeric::approximate(function, x))) continue;
    ++cases.found;
    const bool same = reference(function, x) == evaluate_precisely(rival, x);
    if (!same && !cases.wrong) cases.wrong = x;
  }
  return cases;
}

}  // namespace hlo::conformance
