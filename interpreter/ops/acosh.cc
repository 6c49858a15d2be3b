// spec/ops/acosh.md
#include "interpreter/elementwise.h"

namespace hlo {
namespace {

struct Acosh {
  static constexpr numeric::Function kFunction = numeric::Function::kAcosh;
  static constexpr bool kComplexDeclared = true;
};

}  // namespace

extern constinit const Op op_acosh =
    elementwise<Acosh>("acosh", rounded(), kResultAccuracy);

}  // namespace hlo
