// spec/ops/remainder.md
#include <cmath>

#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Remainder {
  static uint64_t integer(uint64_t a, uint64_t b, IntegerType type) {
    if (b == 0) return a;
    if (!type.is_signed) return a % b;
    if (b == ~uint64_t{0}) return 0;  // the hardware traps on MIN % -1
    return static_cast<uint64_t>(static_cast<int64_t>(a) %
                                 static_cast<int64_t>(b));
  }

  // Exact in every C library: the remainder is a value of the format.
  static double real(double a, double b) { return std::fmod(a, b); }
};

}  // namespace

extern constinit const Op op_remainder = elementwise<Remainder>("remainder");

}  // namespace hlo
