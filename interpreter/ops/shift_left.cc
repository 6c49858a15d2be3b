// spec/ops/shift_left.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct ShiftLeft {
  static constexpr std::string_view kFormula =
      "the bits of {0} moved up by {1}, zeros behind them";

  static constexpr auto kReadAs = ReadAs::kUnsigned;

  template <class Integer>
  static Integer integer(Integer x, Integer amount, IntegerType type) {
    return amount < Integer(type.bits) ? x << amount : 0;
  }
};

}  // namespace

extern constinit const Op op_shift_left = elementwise<ShiftLeft>("shift-left");

}  // namespace hlo
