// spec/ops/custom_call.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct NextAfter {
  static constexpr std::string_view kTarget = "chlo.next_after";

  static uint64_t bits(uint64_t x, uint64_t y, const FloatFormat& format) {
    if (numeric::is_nan(x, format) || numeric::is_nan(y, format)) {
      return format.quiet_nan();
    }
    const double from = numeric::decode(x, format);
    const double to = numeric::decode(y, format);
    if (from == to) return y;
    const int64_t step = from < to ? 1 : -1;
    // Towards something else there is a next code.
    const uint64_t next =
        *numeric::from_ordinal(numeric::ordinal(x, format) + step, format);
    const bool to_zero = numeric::decode(next, format) == 0;
    const bool is_negative_zero =
        to_zero && from < 0 && format.has_negative_zero();
    return is_negative_zero ? format.sign_mask() : next;
  }
};

}  // namespace

extern constinit const Op function_next_after =
    elementwise<NextAfter>("custom-call");

}  // namespace hlo
