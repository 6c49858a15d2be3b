// spec/ops/negate.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Negate {
  static constexpr std::string_view kFormula = "-{0}";
  static constexpr Behaviour kBehaviour = monotone(kOnAll);

  static auto integer(auto x, IntegerType) { return -x; }

  // e8m0 has no negative values: all become its NaN. FNUZ formats have neither
  // -0 nor a NaN with a sign.
  static uint64_t bits(uint64_t x, const FloatFormat& format) {
    using numeric::Specials;
    if (format.specials == Specials::kE8M0) return 0xff;
    const uint64_t sign = uint64_t{1} << (format.width() - 1);
    if (format.specials == Specials::kFnuz && (x & ~sign) == 0) return x;
    return x ^ sign;
  }

  static constexpr bool kComponentwise = true;
};

}  // namespace

extern constinit const Op op_negate =
    elementwise<Negate>("negate", {.sets_sign = true});

}  // namespace hlo
