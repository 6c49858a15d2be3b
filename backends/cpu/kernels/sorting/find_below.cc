#include "backends/cpu/kernels/sorting/find_below.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/sorting/find_below.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<int32_t> kInts;
using Ints = hn::Vec<decltype(kInts)>;

/// The numbers of elements, as KeyOf gives them, but with the sign turned, so
/// that vectors of integers with a sign have them in their order.
class Numbers {
 public:
  explicit Numbers(const KeyWords<uint32_t>& key)
      : magnitude_(set(key.sign - 1)),
        infinity_(set(key.infinity)),
        nan_(set(key.nan)),
        flips_(set(key.flips ^ kSign)),
        turn_(set(key.turn)),
        one_zero_(key.one_zero),
        one_nan_(key.one_nan) {}

  static constexpr uint32_t kSign = 0x80000000;

  static Ints set(uint32_t word) {
    return hn::Set(kInts, static_cast<int32_t>(word));
  }

  HWY_INLINE Ints of(Ints bits) const {
    const Ints magnitude = hn::And(bits, magnitude_);
    if (one_zero_) {
      bits = hn::IfThenZeroElse(hn::Eq(magnitude, hn::Zero(kInts)), bits);
    }
    if (one_nan_) {
      bits = hn::IfThenElse(hn::Gt(magnitude, infinity_), nan_, bits);
    }
    // All bits where the sign is set.
    const Ints negative = hn::ShiftRight<31>(bits);
    return hn::Xor(hn::Xor(bits, flips_), hn::And(negative, turn_));
  }

 private:
  Ints magnitude_;
  Ints infinity_;
  Ints nan_;
  Ints flips_;
  Ints turn_;
  bool one_zero_;
  bool one_nan_;
};

int64_t find(const KeyWords<uint32_t>& key, const uint32_t* line,
             int64_t blocks, uint32_t limit) {
  constexpr auto kStep = static_cast<int64_t>(HWY_LANES(int32_t));
  const Numbers numbers(key);
  const Ints above = Numbers::set(limit ^ Numbers::kSign);
  const auto* const words = reinterpret_cast<const int32_t*>(line);
  for (int64_t b = 0; b < blocks; ++b) {
    Ints least = above;
    for (int64_t i = 0; i < kLookedAt; i += kStep) {
      least = hn::Min(least,
                      numbers.of(hn::LoadU(kInts, words + b * kLookedAt + i)));
    }
    if (!hn::AllFalse(kInts, hn::Lt(least, above))) return b;
  }
  return blocks;
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(find);

}  // namespace

int64_t find_below(const KeyOf<uint32_t>& key, const uint32_t* line,
                   int64_t blocks, uint32_t limit) {
  return HWY_DYNAMIC_DISPATCH(find)(key.words(), line, blocks, limit);
}

}  // namespace hlo::cpu

#endif
