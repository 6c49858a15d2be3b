// spec/ops/xor.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Xor {
  static constexpr std::string_view kFormula = "{0} xor {1}, bit by bit";

  static constexpr Reducer kReducer = Reducer::kXor;

  static bool pred(bool a, bool b) { return a != b; }

  static auto integer(auto a, auto b, IntegerType) { return a ^ b; }
};

}  // namespace

extern constinit const Op op_xor = elementwise<Xor>("xor");

}  // namespace hlo
