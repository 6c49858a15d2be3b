#include "backends/cpu/kernels/other_products/substitute.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/other_products/substitute.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<double> kDoubles;

/// The unknowns of row k of the order in which they are found.
template <size_t kSides>
HWY_INLINE void substitute_row(const Triangle& a, size_t k, double* x) {
  constexpr size_t kLanes = HWY_LANES(double);
  constexpr size_t kVectors = kSides / kLanes;
  const auto place = [&](size_t m) { return a.is_lower ? m : a.n - 1 - m; };
  const size_t i = place(k);
  const double* const row = a.first + i * a.n;
  double* const own = x + i * kSides;
  hn::Vec<decltype(kDoubles)> rest[kVectors];
#pragma GCC unroll 32
  for (size_t v = 0; v < kVectors; ++v) {
    rest[v] = hn::LoadU(kDoubles, own + v * kLanes);
  }
  for (size_t m = 0; m < k; ++m) {
    const auto factor = hn::Set(kDoubles, row[place(m)]);
    const double* const known = x + place(m) * kSides;
#pragma GCC unroll 32
    for (size_t v = 0; v < kVectors; ++v) {
      rest[v] = hn::Sub(
          rest[v], hn::Mul(factor, hn::LoadU(kDoubles, known + v * kLanes)));
    }
  }
  const auto diagonal = hn::Set(kDoubles, a.has_unit_diagonal ? 1 : row[i]);
#pragma GCC unroll 32
  for (size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(hn::Div(rest[v], diagonal), kDoubles, own + v * kLanes);
  }
}

template <size_t kSides>
void substitute_sides(const Triangle& a, double* x) {
  for (size_t k = 0; k < a.n; ++k) substitute_row<kSides>(a, k, x);
}

void substitute_some(const Triangle& a, size_t sides, double* x) {
  if (sides == kFewSides) return substitute_sides<kFewSides>(a, x);
  substitute_sides<kManySides>(a, x);
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(substitute_some);

}  // namespace

void substitute(const Triangle& a, size_t sides, double* x) {
  HWY_DYNAMIC_DISPATCH(substitute_some)(a, sides, x);
}

}  // namespace hlo::cpu

#endif
