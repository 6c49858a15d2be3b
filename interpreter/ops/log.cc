// spec/ops/log.md
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

struct Log {
  static constexpr std::string_view kFormula = "log {0}";
  static constexpr Behaviour kBehaviour = monotone(kOnRoots);

  static constexpr numeric::Function kFunction = numeric::Function::kLog;

  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kLog;
};

}  // namespace

extern constinit const Op op_log =
    elementwise<Log>("log", rounded(), kResultAccuracy);

}  // namespace hlo
