// spec/ops/or.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Or {
  static constexpr std::string_view kFormula = "{0} or {1}, bit by bit";

  static constexpr Reducer kReducer = Reducer::kOr;

  static bool pred(bool a, bool b) { return a || b; }

  static auto integer(auto a, auto b, IntegerType) { return a | b; }
};

}  // namespace

extern constinit const Op op_or = elementwise<Or>("or");

}  // namespace hlo
