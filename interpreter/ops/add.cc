// spec/ops/add.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Add {
  static constexpr Reducer kReducer = Reducer::kAdd;

  static bool pred(bool a, bool b) { return a || b; }

  static uint64_t integer(uint64_t a, uint64_t b, IntegerType) { return a + b; }

  static double real(double a, double b) { return a + b; }

  static constexpr bool kComponentwise = true;
};

}  // namespace

extern constinit const Op op_add = elementwise<Add>("add");

}  // namespace hlo
