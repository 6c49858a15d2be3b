// spec/ops/abs.md
#include "interpreter/numeric/complex/rounded_complex.h"
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Abs {
  static constexpr bool kSignedOnly = true;

  static uint64_t integer(uint64_t x, IntegerType) {
    return static_cast<int64_t>(x) < 0 ? 0 - x : x;
  }

  // Clears the sign; the NaN of the FNUZ formats is the sign bit alone.
  static uint64_t bits(uint64_t x, const FloatFormat& format) {
    using numeric::Specials;
    if (format.specials == Specials::kE8M0) return x;
    const uint64_t sign = uint64_t{1} << (format.width() - 1);
    if (format.specials == Specials::kFnuz && x == sign) return x;
    return x & ~sign;
  }

  static double complex(Complex z, const FloatFormat& format) {
    return numeric::complex_abs_value(z, format);
  }
};

}  // namespace

extern constinit const Op op_abs =
    elementwise<Abs>("abs", {.complex_units = 4});

}  // namespace hlo
