// spec/ops/shift_right_logical.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct ShiftRightLogical {
  static constexpr std::string_view kFormula =
      "the bits of {0} moved down by {1}, zeros before them";

  static constexpr auto kReadAs = ReadAs::kUnsigned;

  template <class Integer>
  static Integer integer(Integer x, Integer amount, IntegerType type) {
    return amount < Integer(type.bits) ? x >> amount : 0;
  }
};

}  // namespace

extern constinit const Op op_shift_right_logical =
    elementwise<ShiftRightLogical>("shift-right-logical");

}  // namespace hlo
