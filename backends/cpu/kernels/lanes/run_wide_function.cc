#include "backends/cpu/kernels/lanes/run_wide_function.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/lanes/run_wide_function.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/lanes/exponentials.h"
#include "backends/cpu/kernels/lanes/lane_operations.h"
#include "backends/cpu/kernels/lanes/logarithms.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = VectorOf<double>;

void run(const LaneOp& op, const Register* registers, size_t n) {
  const OpLanes lanes{op, registers, n};
  switch (op.code) {
    case Code::kExponentialF64:
      return unary<double>(lanes, Inlined<exponential_of<Doubles>>());
    case Code::kExponentialMinusOneF64:
      return unary<double>(lanes, Inlined<exponential_less_one<Doubles>>());
    case Code::kLogF64:
      return unary<double>(lanes, Inlined<log_of<Doubles>>());
    case Code::kLogPlusOneF64:
      return unary<double>(lanes, Inlined<log_of_one_more<Doubles>>());
    case Code::kTanhF64:
      return unary<double>(lanes, Inlined<tanh_of<Doubles>>());
    case Code::kLogisticF64:
      return unary<double>(lanes, Inlined<logistic_of<Doubles>>());
    default:
      return unary<double>(lanes, [](Doubles x) {
        return hn::Div(number<Doubles>(1), hn::Sqrt(x));
      });
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(run);

}  // namespace

void run_wide_function(const LaneOp& op, const Register* registers, size_t n) {
  HWY_DYNAMIC_DISPATCH(run)(op, registers, n);
}

}  // namespace hlo::cpu

#endif
