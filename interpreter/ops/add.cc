// spec/ops/add.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Add {
  static constexpr std::string_view kFormula = "{0} + {1}";
  static constexpr Behaviour kBehaviour = monotone_on_integers(kOnAll);
  static constexpr Arithmetic kArithmetic = Arithmetic::kSum;

  static constexpr Reducer kReducer = Reducer::kAdd;

  static bool pred(bool a, bool b) { return a || b; }

  static auto integer(auto a, auto b, IntegerType) { return a + b; }

  static auto real(auto a, auto b) { return a + b; }

  static constexpr bool kComponentwise = true;
};

}  // namespace

extern constinit const Op op_add = elementwise<Add>("add");

}  // namespace hlo
