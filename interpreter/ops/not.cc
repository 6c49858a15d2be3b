// spec/ops/not.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Not {
  static constexpr std::string_view kFormula = "not {0}, bit by bit";

  static bool pred(bool x) { return !x; }

  static auto integer(auto x, IntegerType) { return ~x; }
};

}  // namespace

extern constinit const Op op_not = elementwise<Not>("not");

}  // namespace hlo
