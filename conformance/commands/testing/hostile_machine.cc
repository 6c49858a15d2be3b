// A library for LD_PRELOAD, or to load functions from, that changes what the
// process computes under as libraries do: $HOSTILE_MXCSR and $HOSTILE_X87
// replace control words when it is loaded and at the start of each thread,
// $HOSTILE_EXPONENTS gives MPFR the exponents of f32, $HOSTILE_LOCALE names a
// locale. Of threads that are started $HOSTILE_THREADS are; others fail.
#include <dlfcn.h>
#include <mpfr.h>
#include <pthread.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <clocale>
#include <cstdint>
#include <cstdlib>
#include <new>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

/// The number in the environment; `otherwise` where there is none.
long setting(const char* name, long otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtol(text, nullptr, 0);
}

void change_thread() {
#if defined(__x86_64__)
  const long mxcsr = setting("HOSTILE_MXCSR", -1);
  if (mxcsr >= 0) _mm_setcsr(static_cast<uint32_t>(mxcsr));
  const long word = setting("HOSTILE_X87", -1);
  const auto x87 = static_cast<uint16_t>(word);
  if (word >= 0) __asm__ volatile("fldcw %0" : : "m"(x87));
#endif
  if (setting("HOSTILE_EXPONENTS", 0) == 0) return;
  mpfr_set_emin(-148);
  mpfr_set_emax(128);
}

__attribute__((constructor)) void change_process() {
  if (const char* const locale = std::getenv("HOSTILE_LOCALE")) {
    std::setlocale(LC_ALL, locale);
  }
  change_thread();
}

/// What a thread was to run.
struct Start {
  void* (*routine)(void*);
  void* argument;
};

void* run_changed(void* start) {
  const Start own = *static_cast<Start*>(start);
  delete static_cast<Start*>(start);
  change_thread();
  return own.routine(own.argument);
}

}  // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attr,
                   void* (*routine)(void*), void* arg) {
  using Create =
      int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static auto* const real =
      std::bit_cast<Create*>(dlsym(RTLD_NEXT, "pthread_create"));
  static std::atomic<long> left = setting("HOSTILE_THREADS", 1 << 20);
  if (left-- <= 0) return EAGAIN;
  auto* const start = new (std::nothrow) Start;
  if (start == nullptr) return EAGAIN;
  *start = {routine, arg};
  return real(thread, attr, run_changed, start);
}

// A function of custom-calls that leaves the thread changed.
void change(void* out, void** in) {
  change_thread();
  *static_cast<float*>(out) = *static_cast<float*>(in[0]);
}
}
