#include "backends/cpu/kernels/stream.h"

#include <cstdint>

#include "backends/vector_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/kernels/stream.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();

namespace hlo::cpu::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void stream(const std::byte* from, size_t size, std::byte* to) {
  const hn::ScalableTag<uint32_t> words;
  const auto* const source = reinterpret_cast<const uint32_t*>(from);
  auto* const target = reinterpret_cast<uint32_t*>(to);
  const size_t count = size / sizeof(uint32_t);
  for (size_t i = 0; i < count; i += hn::Lanes(words)) {
    hn::Stream(hn::LoadU(words, source + i), words, target + i);
  }
}

}  // namespace
}  // namespace hlo::cpu::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace hlo::cpu {
namespace {

HWY_EXPORT(stream);

}  // namespace

void stream_bytes(const std::byte* from, size_t size, std::byte* to) {
  HWY_DYNAMIC_DISPATCH(stream)(from, size, to);
}

void end_stream() { hwy::FlushStream(); }

}  // namespace hlo::cpu

#endif
