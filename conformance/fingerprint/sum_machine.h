#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backends/backend.h"
#include "conformance/fingerprint/summed_operation.h"
#include "conformance/jobs/worker.h"

namespace hlo::conformance {

using MakeMachine = std::function<std::shared_ptr<Backend>()>;

/// A backend that is asked for sums. Errors "fingerprint.unsupported", and
/// "fingerprint.backend" where it fails or gives no answer twice.
class SumMachine {
 public:
  SumMachine(const SummedOperation& operation, const MakeMachine& make,
             Seconds most);

  const SummedOperation& operation() const { return operation_; }

  /// The sum of each row, each in a place that hangs on its number alone.
  std::vector<double> sums(const SumRows& rows);
  /// All cells of one call: with products, that of row r of a and row c of b at
  /// r * rows() + c. There are rows() rows.
  std::vector<double> cells(const SumRows& rows);

  int64_t calls() const { return calls_; }

 private:
  const SummedOperation& operation_;
  const MakeMachine& make_;
  Seconds most_;
  std::shared_ptr<Backend> backend_;
  std::shared_ptr<const Module> module_;
  Worker worker_;
  int64_t calls_ = 0;
};

}  // namespace hlo::conformance
