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

#else  // such a machine flushes nothing, which is allowed

constexpr uint32_t kFlushing = 0;

uint32_t control() { return 0; }

void set_control(uint32_t /*bits*/) {}

#endif

void set_flushing(bool flushes) {
  set_control(flushes ? control() | kFlushing : control() & ~kFlushing);
}

}  // namespace

bool flushes_subnormals() {
  return kFlushing != 0 && (control() & kFlushing) == kFlushing;
}

FlushSubnormals::FlushSubnormals(bool flushes) : before_(flushes_subnormals()) {
  if (flushes != before_) set_flushing(flushes);
}

FlushSubnormals::~FlushSubnormals() {
  if (flushes_subnormals() != before_) set_flushing(before_);
}

}  // namespace hlo::cpu
