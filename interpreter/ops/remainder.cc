// spec/ops/remainder.md
#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

struct Remainder {
  static constexpr std::string_view kFormula =
      "what {0} / {1}, truncated toward zero, leaves";
  static constexpr Behaviour kBehaviour = {Behaviour::Kind::kRemainder,
                                           kOnHalves};

  template <class Integer>
  static Integer integer(Integer a, Integer b, IntegerType type) {
    if (b == 0) return a;
    if (type.is_signed && b + 1 == 0) return 0;  // the hardware traps on MIN
    return a % b;
  }

  // Exact in every C library: the remainder is a value of the format.
  static auto real(auto a, auto b) { return fmod(a, b); }
};

constexpr Op with_work(Op op) noexcept {
  op.work = work_of_each<24>;
  return op;
}

}  // namespace

extern constinit const Op op_remainder =
    with_work(elementwise<Remainder>("remainder"));

}  // namespace hlo
