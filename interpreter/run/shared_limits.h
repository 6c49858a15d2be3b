#pragma once

#include <cstdint>
#include <memory>

#include "interpreter/model/array_memory.h"
#include "interpreter/run/budget.h"

namespace hlo {

/// What everything that a caller asks for draws from together, however many
/// evaluations that takes. Null: nothing is shared.
struct SharedLimits {
  std::shared_ptr<Budget> budget = {};
  std::shared_ptr<ArrayAllowance> arrays = {};
};

/// Those of this thread.
SharedLimits shared_limits();

/// Sets the limits of this thread while it exists: evaluators that are told no
/// budget draw from the shared one. Helpers take over those of who starts them.
class SharedLimitsScope {
 public:
  explicit SharedLimitsScope(SharedLimits limits);
  ~SharedLimitsScope();
  SharedLimitsScope(const SharedLimitsScope&) = delete;
  SharedLimitsScope& operator=(const SharedLimitsScope&) = delete;

 private:
  SharedLimits limits_;
  const std::shared_ptr<Budget>* outer_;
  ArrayAllowanceScope arrays_;
};

/// Spends of this thread's budget, where it has one; 0 only asks whether
/// anything is left. Evaluate error "evaluate.work".
void spend_shared(int64_t work);

}  // namespace hlo
