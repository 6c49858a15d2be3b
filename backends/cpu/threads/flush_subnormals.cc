#include "backends/cpu/threads/flush_subnormals.h"

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace hlo::cpu {
namespace {

#if defined(__x86_64__)

// The bits FTZ, for results, and DAZ, for operands, of MXCSR.
constexpr uint32_t kFlushing = 0x8040;

uint32_t control() { return _mm_getcsr(); }

void set_control(uint32_t bits) { _mm_setcsr(bits); }

#elif defined(__aarch64__)

constexpr uint64_t kFlushing = uint64_t{1} << 24;  // FZ of FPCR

uint64_t control() {
  uint64_t bits = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
  return bits;
}

void set_control(uint64_t bits) {
  __asm__ volatile("msr fpcr, %0" : : "r"(bits));
}

#endif

#if defined(__x86_64__) || defined(__aarch64__)

bool flushes() { return (control() & kFlushing) == kFlushing; }

void set_flushing(bool on) {
  const auto others = control() & ~kFlushing;
  set_control(on ? others | kFlushing : others);
}

#else  // such a machine flushes nothing, which is allowed

bool flushes() { return false; }

void set_flushing(bool /*on*/) {}

#endif

}  // namespace

bool flushes_subnormals() { return flushes(); }

FlushSubnormals::FlushSubnormals(bool flushes) : before_(flushes_subnormals()) {
  if (flushes != before_) set_flushing(flushes);
}

FlushSubnormals::~FlushSubnormals() {
  if (flushes_subnormals() != before_) set_flushing(before_);
}

}  // namespace hlo::cpu
