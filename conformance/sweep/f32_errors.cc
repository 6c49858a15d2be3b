#include "conformance/sweep/f32_errors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "conformance/sweep/error_units.h"
#include "interpreter/numeric/format/instruction_sets.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kBlock = 512;

struct Widen {
  [[gnu::always_inline]] static void run(const uint32_t* codes, double* wide,
                                         int64_t n) {
    for (int64_t i = 0; i < n; ++i) wide[i] = std::bit_cast<float>(codes[i]);
  }
};

/// One element. r lies between `one` and `two`, which may be in two binades, or
/// r and v are both below 2^-160, half a unit of an f32. What is subtracted and
/// added is more than all roundings on the way.
struct Measure {
  static constexpr uint32_t kNan = 0x7fc00000;
  static constexpr uint32_t kInfinity = 0x7f800000;
  static constexpr uint32_t kSign = 0x80000000;
  static constexpr int kMantissa = 52;
  static constexpr uint64_t kBias = 1023;
  static constexpr uint64_t kLeast = kBias - 126;  // of normal f32
  static constexpr uint64_t kUnits = 23 + 10;      // of f32 in 2^exponent

  /// Units of f32 in 1, of a number of this exponent: a power of two.
  [[gnu::always_inline]] static double scale_of(double number) {
    const uint64_t biased =
        std::bit_cast<uint64_t>(number) >> kMantissa & (2 * kBias + 1);
    const uint64_t field =
        2 * kBias + kUnits - (biased > kLeast ? biased : kLeast);
    return std::bit_cast<double>(field << kMantissa);
  }

  [[gnu::always_inline]] static void run(const double* v, double error,
                                         const uint32_t* actual,
                                         uint32_t* reference, int32_t* units,
                                         int64_t n) {
    const double below = 1 - 2 * error;
    const double above = 1 + 2 * error;
    constexpr auto kMost = static_cast<double>(kMostUnits);
    for (int64_t i = 0; i < n; ++i) {
      const double y = std::bit_cast<float>(actual[i]);
      const double one = v[i] * below;
      const double two = v[i] * above;
      const auto code = std::bit_cast<uint32_t>(static_cast<float>(one));
      const auto other = std::bit_cast<uint32_t>(static_cast<float>(two));
      const double distance = std::fabs(y - v[i]);
      const double magnitude = std::fabs(v[i]);
      const bool tiny = magnitude < 0x1p-160 && magnitude != 0;
      const double slack = magnitude * (2 * error) + distance * 0x1p-52;
      const double more = tiny ? 0.5 : 0;
      const double low = (distance - slack) * scale_of(two) - more;
      const double high = (distance + slack) * scale_of(one) + more;
      const auto first =
          static_cast<int32_t>(std::min(kMost, std::max(0.0, low)));
      const auto last =
          static_cast<int32_t>(std::min(kMost, std::max(0.0, high)));
      const bool is_nan = v[i] != v[i];
      const bool is_infinite = (code & ~kSign) == kInfinity;
      const bool finite = (actual[i] & kInfinity) != kInfinity;
      const bool certain = (code == other) & (first == last);
      const bool measured = certain & (!is_nan) & (!is_infinite) & finite;
      const bool both_nan = is_nan & (y != y);
      const bool same = (code == other) & is_infinite & (code == actual[i]);
      reference[i] = is_nan ? kNan : code;
      units[i] = measured ? first : (both_nan | same) ? kNotANumber : kOpen;
    }
  }
};

}  // namespace

void f32_errors(const numeric::FastPath& path, const uint32_t* x,
                const uint32_t* actual, uint32_t* reference, int32_t* units,
                int64_t n) {
  std::array<double, kBlock> wide;
  std::array<double, kBlock> v;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t count = std::min(kBlock, n - begin);
    numeric::run_on_vectors<Widen, const uint32_t*, double* __restrict__>(
        x + begin, wide.data(), count);
    path.evaluate(wide.data(), v.data(), count);
    numeric::run_on_vectors<Measure, const double*, double, const uint32_t*,
                            uint32_t* __restrict__, int32_t* __restrict__>(
        v.data(), path.error, actual + begin, reference + begin, units + begin,
        count);
  }
}

}  // namespace hlo::conformance
