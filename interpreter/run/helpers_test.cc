#include "interpreter/run/helpers.h"

#include <gmp.h>
#include <gtest/gtest.h>
#include <mpfr.h>

#include <atomic>
#include <cstdlib>

namespace hlo {
namespace {

std::atomic<int64_t> taken{0};
std::atomic<int64_t> held{0};

void* take(size_t size) {
  taken += static_cast<int64_t>(size);
  held += static_cast<int64_t>(size);
  return std::malloc(size);
}

void* change(void* memory, size_t from, size_t to) {
  held += static_cast<int64_t>(to) - static_cast<int64_t>(from);
  return std::realloc(memory, to);
}

void give_back(void* memory, size_t size) {
  held -= static_cast<int64_t>(size);
  std::free(memory);
}

/// What GMP and MPFR take is counted as long as it lives.
class CountedMemory {
 public:
  CountedMemory() {
    mpfr_free_cache();
    mp_get_memory_functions(&take_, &change_, &give_back_);
    mp_set_memory_functions(take, change, give_back);
  }

  ~CountedMemory() { mp_set_memory_functions(take_, change_, give_back_); }

  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;

 private:
  void* (*take_)(size_t) = nullptr;
  void* (*change_)(void*, size_t, size_t) = nullptr;
  void (*give_back_)(void*, size_t) = nullptr;
};

// MPFR keeps the digits of pi that it has computed, each thread its own.
TEST(Helpers, LeaveNoConstantsBehind) {
  const CountedMemory memory;
  const std::function<void(int64_t)> work = [](int64_t) {
    mpfr_t pi;
    mpfr_init2(pi, 100'000);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_clear(pi);
  };
  { const Helpers helpers(2, work); }
  EXPECT_GT(taken, 25'000);
  EXPECT_EQ(held, 0);
}

}  // namespace
}  // namespace hlo
