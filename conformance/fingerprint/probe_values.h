#pragma once

#include <optional>
#include <vector>

#include "conformance/fingerprint/summed_operation.h"

namespace hlo::conformance {

/// Terms of sums by their values: which operands have that product.
class ProbeRows {
 public:
  explicit ProbeRows(const SummedOperation& operation)
      : operation_(operation),
        rows_{.terms = operation.terms, .a = {}, .b = {}} {}

  /// Whether there are operands with these products; only then they are added,
  /// as a row.
  bool add(const std::vector<double>& terms);

  const SumRows& rows() const { return rows_; }

  /// All terms zero.
  std::vector<double> zeros() const {
    return std::vector<double>(static_cast<size_t>(operation_.terms));
  }

 private:
  const SummedOperation& operation_;
  SumRows rows_;
};

/// Exponents of the powers of two that products and sums of an operation can
/// have without underflow or overflow: of normal numbers.
struct ProbeRange {
  int low = 0;
  int high = 0;
};

ProbeRange probe_range(const SummedOperation& operation);

/// Whether that number has a code of that type.
bool has_code(double value, ElementType type);

}  // namespace hlo::conformance
