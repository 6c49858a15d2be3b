#include "backends/cpu/kernels/repeat_words.h"

#include <cstdint>
#include <cstring>

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/repeat_words.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void repeat(const std::byte* word, size_t count, std::byte* to) {
  const hn::ScalableTag<uint32_t> words;
  uint32_t one = 0;
  std::memcpy(&one, word, sizeof(one));
  auto* const target = reinterpret_cast<uint32_t*>(to);
  const auto many = hn::Set(words, one);
  size_t i = 0;
  for (; i + hn::Lanes(words) <= count; i += hn::Lanes(words)) {
    hn::StoreU(many, words, target + i);
  }
  for (; i < count; ++i) target[i] = one;
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(repeat);

}  // namespace

void repeat_words(const std::byte* word, size_t count, std::byte* to) {
  HWY_DYNAMIC_DISPATCH(repeat)(word, count, to);
}

}  // namespace hlo::cpu

#endif
