// spec/ops/shift_right_arithmetic.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct ShiftRightArithmetic {
  static constexpr std::string_view kFormula =
      "the bits of {0} moved down by {1}, copies of the sign before them";

  static constexpr auto kReadAs = ReadAs::kSigned;

  // The amount has no sign: what is read as a negative one is a large one.
  template <class Integer>
  static Integer integer(Integer x, Integer amount, IntegerType type) {
    const bool is_far = amount < 0 || amount >= type.bits;
    return x >> (is_far ? Integer(type.bits - 1) : amount);
  }
};

}  // namespace

extern constinit const Op op_shift_right_arithmetic =
    elementwise<ShiftRightArithmetic>("shift-right-arithmetic");

}  // namespace hlo
