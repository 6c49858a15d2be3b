#include "backends/cpu/kernels/products/pair_packing.h"

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/products/pair_packing.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<int16_t> kHalves;
const hn::ScalableTag<uint32_t> kWords;
const hn::Rebind<uint16_t, decltype(kWords)> kHalvesOfWords;

bool has_some(const uint16_t* numbers, int64_t count) {
  const auto step = static_cast<int64_t>(hn::Lanes(kHalves));
  const auto* const halves = reinterpret_cast<const int16_t*>(numbers);
  const auto least = hn::Set(kHalves, int16_t{kLeastOfPairs});
  int64_t i = 0;
  for (; i + step <= count; i += step) {
    const auto magnitude = hn::And(hn::LoadU(kHalves, halves + i),
                                   hn::Set(kHalves, int16_t{0x7fff}));
    const auto found =
        hn::And(hn::Gt(magnitude, hn::Zero(kHalves)), hn::Gt(least, magnitude));
    if (!hn::AllFalse(kHalves, found)) return true;
  }
  for (; i < count; ++i) {
    if (is_small(numbers[i])) return true;
  }
  return false;
}

/// The first of two numbers lies in the low half of a word.
void neighbours(const uint16_t* numbers, int64_t pairs, uint32_t* to) {
  const auto step = static_cast<int64_t>(hn::Lanes(kWords));
  const auto* const words = reinterpret_cast<const uint32_t*>(numbers);
  int64_t i = 0;
  for (; i + step <= pairs; i += step) {
    const auto pair = hn::LoadU(kWords, words + i);
    hn::StoreU(hn::Or(hn::ShiftLeft<16>(pair), hn::ShiftRight<16>(pair)),
               kWords, to + i);
  }
  for (; i < pairs; ++i) to[i] = pair_of(numbers[2 * i], numbers[2 * i + 1]);
}

void lines(const uint16_t* first, const uint16_t* second, int64_t count,
           uint32_t* to) {
  const auto step = static_cast<int64_t>(hn::Lanes(kWords));
  int64_t j = 0;
  for (; j + step <= count; j += step) {
    const auto high =
        hn::PromoteTo(kWords, hn::LoadU(kHalvesOfWords, first + j));
    const auto low =
        hn::PromoteTo(kWords, hn::LoadU(kHalvesOfWords, second + j));
    hn::StoreU(hn::Or(hn::ShiftLeft<16>(high), low), kWords, to + j);
  }
  for (; j < count; ++j) to[j] = pair_of(first[j], second[j]);
}

bool is_widest() { return HWY_TARGET == HWY_AVX3; }

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(has_some);
HWY_EXPORT(neighbours);
HWY_EXPORT(lines);
HWY_EXPORT(is_widest);

}  // namespace

bool has_small(const uint16_t* numbers, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(has_some)(numbers, count);
}

void pair_neighbours(const uint16_t* numbers, int64_t pairs, uint32_t* to) {
  HWY_DYNAMIC_DISPATCH(neighbours)(numbers, pairs, to);
}

void pair_lines(const uint16_t* first, const uint16_t* second, int64_t count,
                uint32_t* to) {
  HWY_DYNAMIC_DISPATCH(lines)(first, second, count, to);
}

bool has_widest_vectors() { return HWY_DYNAMIC_DISPATCH(is_widest)(); }

}  // namespace hlo::cpu

#endif
