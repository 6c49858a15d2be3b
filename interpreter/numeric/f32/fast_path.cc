#include "interpreter/numeric/f32/fast_path.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "interpreter/numeric/f32/kernels_angle.h"
#include "interpreter/numeric/f32/kernels_erf.h"
#include "interpreter/numeric/f32/kernels_erfc.h"
#include "interpreter/numeric/f32/kernels_exponential.h"
#include "interpreter/numeric/f32/kernels_logarithm.h"
#include "interpreter/numeric/f32/kernels_root.h"
#include "interpreter/numeric/f32/kernels_trigonometric.h"
#include "interpreter/numeric/format/instruction_sets.h"

namespace hlo::numeric {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename Kernel>
struct Loop {
  [[gnu::always_inline]] static void run(const double* x, double* y,
                                         int64_t n) {
    const Kernel kernel{};
    for (int64_t i = 0; i < n; ++i) y[i] = kernel(x[i]);
  }
};

template <typename Kernel>
struct Loop2 {
  [[gnu::always_inline]] static void run(const double* x, const double* y,
                                         double* result, int64_t n) {
    const Kernel kernel{};
    for (int64_t i = 0; i < n; ++i) result[i] = kernel(x[i], y[i]);
  }
};

// The functions for each instruction set have to know that no store changes a
// table; g++ 12 wants to hear it there and nowhere else.
template <typename Kernel>
void evaluate(const double* x, double* y, int64_t n) {
  run_on_vectors<Loop<Kernel>, const double*, double* __restrict__, int64_t>(
      x, y, n);
}

template <typename Kernel>
void evaluate2(const double* x, const double* y, double* result, int64_t n) {
  run_on_vectors<Loop2<Kernel>, const double*, const double*,
                 double* __restrict__, int64_t>(x, y, result, n);
}

struct AnyFar {
  [[gnu::always_inline]] static void run(const double* x, int64_t n,
                                         uint64_t* any) {
    uint64_t far = 0;
    for (int64_t i = 0; i < n; ++i) {
      far |= std::abs(x[i]) < NearReduction::kLimit ? 0 : 1;
    }
    *any = far;
  }
};

// Angles that are all small need no tables.
template <template <typename> typename Kernel>
void evaluate_angles(const double* x, double* y, int64_t n) {
  uint64_t any_far = 0;
  run_on_vectors<AnyFar, const double*, int64_t, uint64_t*>(x, n, &any_far);
  any_far != 0 ? evaluate<Kernel<FarReduction>>(x, y, n)
               : evaluate<Kernel<NearReduction>>(x, y, n);
}

struct AnyUnusual {
  [[gnu::always_inline]] static void run(const double* x, const double* y,
                                         int64_t n, uint64_t* any) {
    uint64_t unusual = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double end = std::abs(y[i]) < kInfinity ? kInfinity : 0;
      const double inside = x[i] < end ? x[i] : 0;
      unusual |= inside > 0 ? 0 : 1;
    }
    *any = unusual;
  }
};

// Powers of positive numbers need fewer selections.
void evaluate_power(const double* x, const double* y, double* result,
                    int64_t n) {
  uint64_t any_unusual = 0;
  run_on_vectors<AnyUnusual, const double*, const double*, int64_t, uint64_t*>(
      x, y, n, &any_unusual);
  any_unusual != 0 ? evaluate2<PowerKernel>(x, y, result, n)
                   : evaluate2<PositivePowerKernel>(x, y, result, n);
}

template <typename Kernel>
constexpr FastPath unary() {
  return {evaluate<Kernel>, Kernel::kError};
}

template <template <typename> typename Kernel>
constexpr FastPath of_angles() {
  return {evaluate_angles<Kernel>, Kernel<FarReduction>::kError};
}

template <typename Kernel>
constexpr FastPath2 binary() {
  return {evaluate2<Kernel>, Kernel::kError};
}

constexpr auto kPaths = [] {
  using enum Function;
  std::array<FastPath, static_cast<size_t>(kLastFunction) + 1> paths{};
  const auto set = [&](Function function, FastPath path) {
    paths[static_cast<size_t>(function)] = path;
  };
  set(kExponential, unary<ExponentialKernel>());
  set(kExponential2, unary<Exponential2Kernel>());
  set(kExponentialMinusOne, unary<ExponentialMinusOneKernel>());
  set(kLog, unary<LogKernel>());
  set(kLog2, unary<Log2Kernel>());
  set(kLog10, unary<Log10Kernel>());
  set(kLogPlusOne, unary<LogPlusOneKernel>());
  set(kTanh, unary<TanhKernel>());
  set(kLogistic, unary<LogisticKernel>());
  set(kSqrt, unary<SqrtKernel>());
  set(kRsqrt, unary<RsqrtKernel>());
  set(kCbrt, unary<CbrtKernel>());
  set(kSine, of_angles<SineKernel>());
  set(kCosine, of_angles<CosineKernel>());
  set(kTan, of_angles<TanKernel>());
  set(kAsin, unary<AsinKernel>());
  set(kAcos, unary<AcosKernel>());
  set(kAtan, unary<AtanKernel>());
  set(kSinh, unary<SinhKernel>());
  set(kCosh, unary<CoshKernel>());
  set(kAsinh, unary<AsinhKernel>());
  set(kAcosh, unary<AcoshKernel>());
  set(kAtanh, unary<AtanhKernel>());
  set(kErf, unary<ErfKernel>());
  set(kErfc, unary<ErfcKernel>());
  return paths;
}();

}  // namespace

FastPath fast_path(Function function) {
  return kPaths[static_cast<size_t>(function)];
}

FastPath2 fast_path(Function2 function) {
  switch (function) {
    case Function2::kPower:
      return {evaluate_power, PowerKernel::kError};
    case Function2::kAtan2:
      return binary<Atan2Kernel>();
    case Function2::kHypot:
      return binary<HypotKernel>();
    default:
      return {};
  }
}

}  // namespace hlo::numeric
