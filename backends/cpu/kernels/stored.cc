#include "backends/cpu/kernels/stored.h"

#include <cstring>

#include "backends/cpu/threads/flush_subnormals.h"
#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/stored.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backends/cpu/kernels/fused_numbers.h"

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

const hn::ScalableTag<float> kFloats;
const hn::ScalableTag<int32_t> kInts;
const hn::Rebind<uint8_t, decltype(kInts)> kBytes;
const hn::Rebind<int8_t, decltype(kInts)> kSignedBytes;
const hn::Rebind<uint16_t, decltype(kInts)> kHalves;
const hn::Rebind<int16_t, decltype(kInts)> kSignedHalves;

using Floats = hn::Vec<decltype(kFloats)>;
using Ints = hn::Vec<decltype(kInts)>;

constexpr int32_t kHalfSign = 0x8000;
constexpr int32_t kHalfMagnitude = 0x7fff;
constexpr int32_t kHalfInfinity = 0x7c00;
constexpr int32_t kInfinity = 0x7f800000;
// Where f16's exponents lie among those of f32.
constexpr float kScale = 0x1p112F;

Ints set(int32_t bits) { return hn::Set(kInts, bits); }

/// The bits of f32 of those of f16, subnormals by a product.
Ints widened_f16(Ints half) {
  const Ints magnitude = hn::ShiftLeft<13>(hn::And(half, set(kHalfMagnitude)));
  const Ints scaled = hn::BitCast(
      kInts,
      hn::Mul(hn::BitCast(kFloats, magnitude), hn::Set(kFloats, kScale)));
  const auto is_finite =
      hn::Lt(hn::And(half, set(kHalfMagnitude)), set(kHalfInfinity));
  const Ints bits =
      hn::IfThenElse(is_finite, scaled, hn::Or(magnitude, set(kInfinity)));
  return hn::Or(bits, hn::ShiftLeft<16>(hn::And(half, set(kHalfSign))));
}

/// The bits of f16 of a lane that holds such a number.
Ints narrowed_f16(Ints word) {
  const Ints magnitude = hn::And(word, set(INT32_MAX));
  const Ints scaled = hn::BitCast(
      kInts,
      hn::Mul(hn::BitCast(kFloats, magnitude), hn::Set(kFloats, 1 / kScale)));
  const Ints payload = hn::And(hn::ShiftRight<13>(magnitude), set(0x3ff));
  const Ints half = hn::IfThenElse(hn::Lt(magnitude, set(kInfinity)),
                                   hn::ShiftRight<13>(scaled),
                                   hn::Or(payload, set(kHalfInfinity)));
  return hn::Or(half, hn::And(hn::ShiftRight<16>(word), set(kHalfSign)));
}

Ints narrowed_bf16(Ints word) {
  return hn::And(hn::ShiftRight<16>(word), set(0xffff));
}

/// Numbers of type T become words.
template <class Tag, class Convert>
void widen(Tag tag, const std::byte* from, int64_t n, float* to,
           const Convert& convert) {
  using T = hn::TFromD<Tag>;
  constexpr int64_t kMost = HWY_LANES(int32_t);
  const auto lanes = static_cast<int64_t>(hn::Lanes(kInts));
  const auto some = [&](const T* own, float* out) {
    const Ints words = hn::PromoteTo(kInts, hn::LoadU(tag, own));
    hn::StoreU(hn::BitCast(kFloats, convert(words)), kFloats, out);
  };
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    some(reinterpret_cast<const T*>(from) + i, to + i);
  }
  if (i == n) return;
  T last[kMost] = {};
  float out[kMost];
  std::memcpy(last, from + i * int64_t{sizeof(T)},
              static_cast<size_t>(n - i) * sizeof(T));
  some(last, out);
  std::memcpy(to + i, out, static_cast<size_t>(n - i) * sizeof(float));
}

/// Words become numbers of type T.
template <class Tag, class Convert>
void narrow(Tag tag, const float* from, int64_t n, std::byte* to,
            const Convert& convert) {
  using T = hn::TFromD<Tag>;
  constexpr int64_t kMost = HWY_LANES(int32_t);
  const auto lanes = static_cast<int64_t>(hn::Lanes(kInts));
  const auto some = [&](const float* own, T* out) {
    const Ints words = hn::BitCast(kInts, hn::LoadU(kFloats, own));
    hn::StoreU(hn::DemoteTo(tag, convert(words)), tag, out);
  };
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    some(from + i, reinterpret_cast<T*>(to) + i);
  }
  if (i == n) return;
  float last[kMost] = {};
  T out[kMost];
  std::memcpy(last, from + i, static_cast<size_t>(n - i) * sizeof(float));
  some(last, out);
  std::memcpy(to + i * int64_t{sizeof(T)}, out,
              static_cast<size_t>(n - i) * sizeof(T));
}

Ints same(Ints words) { return words; }

Ints widened_bf16(Ints half) { return hn::ShiftLeft<16>(half); }

void read(Stored stored, const std::byte* from, int64_t n, float* to) {
  switch (stored) {
    case Stored::kWord:
      std::memcpy(to, from, static_cast<size_t>(n) * sizeof(float));
      return;
    case Stored::kPred:
    case Stored::kU8:
      return widen(kBytes, from, n, to, Inlined<same>());
    case Stored::kS8:
      return widen(kSignedBytes, from, n, to, Inlined<same>());
    case Stored::kU16:
      return widen(kHalves, from, n, to, Inlined<same>());
    case Stored::kS16:
      return widen(kSignedHalves, from, n, to, Inlined<same>());
    case Stored::kBf16:
      return widen(kHalves, from, n, to, Inlined<widened_bf16>());
    case Stored::kF16:
      return widen(kHalves, from, n, to, Inlined<widened_f16>());
    case Stored::kWide:
      return;  // has no lanes of 32 bits
  }
}

void write(Stored stored, const float* from, int64_t n, std::byte* to) {
  switch (stored) {
    case Stored::kWord:
      std::memcpy(to, from, static_cast<size_t>(n) * sizeof(float));
      return;
    case Stored::kPred:
    case Stored::kU8:
      return narrow(kBytes, from, n, to, Inlined<same>());
    case Stored::kS8:
      return narrow(kSignedBytes, from, n, to, Inlined<same>());
    case Stored::kU16:
      return narrow(kHalves, from, n, to, Inlined<same>());
    case Stored::kS16:
      return narrow(kSignedHalves, from, n, to, Inlined<same>());
    case Stored::kBf16:
      return narrow(kHalves, from, n, to, Inlined<narrowed_bf16>());
    case Stored::kF16:
      return narrow(kHalves, from, n, to, Inlined<narrowed_f16>());
    case Stored::kWide:
      return;
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(read);
HWY_EXPORT(write);

/// Exponents of f16 are moved by products, of which some have subnormal numbers
/// of f32. To ask the thread takes as long as a few numbers do.
template <class Convert>
void without_flushing(Stored stored, Convert convert) {
  if (stored != Stored::kF16) return convert();
  const FlushSubnormals keep(false);
  convert();
}

}  // namespace

void read_lanes(Stored stored, const std::byte* from, int64_t n, float* to) {
  without_flushing(stored, [&] {
    HWY_DYNAMIC_DISPATCH(read)(stored, from, n, to);
  });
}

void write_lanes(Stored stored, const float* from, int64_t n, std::byte* to) {
  without_flushing(stored, [&] {
    HWY_DYNAMIC_DISPATCH(write)(stored, from, n, to);
  });
}

}  // namespace hlo::cpu

#endif
