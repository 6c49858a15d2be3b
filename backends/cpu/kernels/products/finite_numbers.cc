#include "backends/cpu/kernels/products/finite_numbers.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "backends/cpu/threads/share_loop.h"
#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/products/finite_numbers.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// By exponents, which also those threads read right that flush subnormals.
bool finite(const float* numbers, int64_t count) {
  const hn::ScalableTag<float> floats;
  const hn::RebindToUnsigned<decltype(floats)> words;
  const auto lanes = static_cast<int64_t>(hn::Lanes(floats));
  const auto exponent = hn::Set(words, 0x7f800000U);
  auto greatest = hn::Zero(words);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto bits = hn::BitCast(words, hn::LoadU(floats, numbers + i));
    greatest = hn::Max(greatest, hn::And(bits, exponent));
  }
  if (!hn::AllFalse(words, hn::Eq(greatest, exponent))) return false;
  return std::all_of(numbers + i, numbers + count,
                     [](float number) { return std::isfinite(number); });
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(finite);

}  // namespace

bool are_finite(const float* numbers, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(finite)(numbers, count);
}

bool all_finite(std::span<const float> numbers) {
  constexpr int64_t kBlock = int64_t{64} * 1024;  // numbers worth a thread
  const int64_t count = std::ssize(numbers);
  std::atomic<bool> finite{true};
  share_loop((count + kBlock - 1) / kBlock, [&](int64_t i) {
    const int64_t first = i * kBlock;
    if (!are_finite(numbers.data() + first, std::min(kBlock, count - first))) {
      finite = false;
    }
  });
  return finite;
}

}  // namespace hlo::cpu

#endif
