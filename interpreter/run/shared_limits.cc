#include "interpreter/run/shared_limits.h"

#include <utility>

namespace hlo {
namespace {

// Points into the scope that is innermost; null outside of all.
constinit thread_local const std::shared_ptr<Budget>* current = nullptr;

}  // namespace

SharedLimits shared_limits() {
  return {.budget = current == nullptr ? nullptr : *current,
          .arrays = array_allowance()};
}

SharedLimitsScope::SharedLimitsScope(SharedLimits limits)
    : limits_(std::move(limits)), outer_(current), arrays_(limits_.arrays) {
  current = limits_.budget == nullptr ? nullptr : &limits_.budget;
}

SharedLimitsScope::~SharedLimitsScope() { current = outer_; }

void spend_shared(int64_t work) {
  if (current != nullptr) (*current)->spend(work);
}

}  // namespace hlo
