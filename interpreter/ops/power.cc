// spec/ops/power.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Power {
  static constexpr std::string_view kFormula = "{0}^{1}";
  static constexpr Behaviour kBehaviour = {Behaviour::Kind::kPower, kOnPowers};

  // The exact power truncated towards zero, of which the lowest bits are kept.
  template <class Integer>
  static Integer integer(Integer base, Integer exponent, IntegerType type) {
    if (exponent < 0) {
      const bool is_unit = base == 1 || base + 1 == 0;
      return is_unit ? integer(base, Integer(exponent & 1), type) : 0;
    }
    const auto lowest = static_cast<Integer>(~uint64_t{0});
    Integer power = 1;
    for (Integer factor = base; exponent != 0; exponent = exponent >> 1) {
      // The factor or 1, without a branch that nobody can predict.
      power = (power * (((factor - 1) & -(exponent & 1)) + 1)) & lowest;
      factor = (factor * factor) & lowest;
    }
    return power;
  }

  static constexpr numeric::Function2 kFunction2 = numeric::Function2::kPower;

  static constexpr numeric::ComplexFunction2 kComplexFunction2 =
      numeric::ComplexFunction2::kPower;
};

}  // namespace

extern constinit const Op op_power = elementwise<Power>("power", rounded());

}  // namespace hlo
