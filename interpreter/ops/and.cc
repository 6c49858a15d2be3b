// spec/ops/and.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct And {
  static constexpr std::string_view kFormula = "{0} and {1}, bit by bit";

  static constexpr Reducer kReducer = Reducer::kAnd;

  static bool pred(bool a, bool b) { return a && b; }

  static auto integer(auto a, auto b, IntegerType) { return a & b; }
};

}  // namespace

extern constinit const Op op_and = elementwise<And>("and");

}  // namespace hlo
