// spec/ops/abs.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Abs {
  static constexpr std::string_view kFormula = "|{0}|";
  static constexpr Behaviour kBehaviour = monotone(kOnHalves);

  static constexpr bool kSignedOnly = true;

  static auto integer(auto x, IntegerType) { return x < 0 ? -x : x; }

  // Clears the sign; the NaN of the FNUZ formats is the sign bit alone.
  static uint64_t bits(uint64_t x, const FloatFormat& format) {
    using numeric::Specials;
    if (format.specials == Specials::kE8M0) return x;
    const uint64_t sign = uint64_t{1} << (format.width() - 1);
    if (format.specials == Specials::kFnuz && x == sign) return x;
    return x & ~sign;
  }

  static constexpr bool kModulus = true;
};

}  // namespace

extern constinit const Op op_abs =
    elementwise<Abs>("abs", {.sets_sign = true, .complex_units = 4});

}  // namespace hlo
