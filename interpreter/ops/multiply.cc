// spec/ops/multiply.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Multiply {
  static constexpr std::string_view kFormula = "{0} * {1}";
  static constexpr Behaviour kBehaviour = monotone_on_integers(kOnHalves);
  static constexpr Arithmetic kArithmetic = Arithmetic::kProduct;

  static constexpr Reducer kReducer = Reducer::kMultiply;

  static bool pred(bool a, bool b) { return a && b; }

  static auto integer(auto a, auto b, IntegerType) { return a * b; }

  static auto real(auto a, auto b) { return a * b; }

  static constexpr numeric::ComplexFunction2 kComplexFunction2 =
      numeric::ComplexFunction2::kMultiply;
};

}  // namespace

extern constinit const Op op_multiply =
    elementwise<Multiply>("multiply", {.complex_units = 2.25});

}  // namespace hlo
