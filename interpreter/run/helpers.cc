#include "interpreter/run/helpers.h"

#include <new>
#include <system_error>
#include <utility>

#include "interpreter/arithmetic_state.h"
#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/run/shared_limits.h"

namespace hlo {
namespace {

/// One helper. What starts threads may be a library's, which changes them.
void help(const std::function<void(int64_t)>& work, int64_t number,
          SharedLimits limits) {
  const SharedLimitsScope scope(std::move(limits));
  const ReferenceArithmetic arithmetic;
  note_arithmetic(arithmetic.found(), "the start of a thread");
  numeric::free_constants_with_thread();
  work(number);
}

}  // namespace

Helpers::Helpers(int64_t count, const std::function<void(int64_t)>& work) {
  numeric::free_constants_with_thread();  // the caller does part of the work
  const SharedLimits limits = shared_limits();
  try {
    for (int64_t number = 1; number <= count; ++number) {
      threads_.emplace_back(
          [&work, number, limits] { help(work, number, limits); });
    }
  } catch (const std::system_error&) {  // fewer have to do
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace hlo
