// spec/ops/shift_left.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct ShiftLeft {
  static constexpr auto kReadAs = ReadAs::kUnsigned;

  template <class Integer>
  static Integer integer(Integer x, Integer amount, IntegerType type) {
    return amount < Integer(type.bits) ? x << amount : 0;
  }
};

}  // namespace

extern constinit const Op op_shift_left = elementwise<ShiftLeft>("shift-left");

}  // namespace hlo
