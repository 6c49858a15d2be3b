// spec/ops/log_plus_one.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct LogPlusOne {
  static constexpr std::string_view kFormula = "log (1 + {0})";
  static constexpr Behaviour kBehaviour = monotone(kFromMinusOne);

  static constexpr numeric::Function kFunction = numeric::Function::kLogPlusOne;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kLogPlusOne;
};

}  // namespace

extern constinit const Op op_log_plus_one =
    elementwise<LogPlusOne>("log-plus-one", rounded(), kResultAccuracy);

}  // namespace hlo
