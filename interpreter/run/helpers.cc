#include "interpreter/run/helpers.h"

#include <new>
#include <system_error>

#include "interpreter/arithmetic_state.h"
#include "interpreter/numeric/real/mpfr_real.h"

namespace hlo {
namespace {

/// One helper. What starts threads may be a library's, which changes them.
void help(const std::function<void(int64_t)>& work, int64_t number) {
  const ReferenceArithmetic arithmetic;
  note_arithmetic(arithmetic.found(), "the start of a thread");
  numeric::free_constants_with_thread();
  work(number);
}

}  // namespace

Helpers::Helpers(int64_t count, const std::function<void(int64_t)>& work) {
  numeric::free_constants_with_thread();  // the caller does part of the work
  try {
    for (int64_t number = 1; number <= count; ++number) {
      threads_.emplace_back([&work, number] { help(work, number); });
    }
  } catch (const std::system_error&) {  // fewer have to do
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace hlo
