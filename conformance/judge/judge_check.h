#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// What a program's own check says of a computed value (spec/conformance.md,
/// Declared checks): the same bits, what the check declares to be enough, or
/// neither.
enum class CheckVerdict : uint8_t { kBitEqual, kWithin, kMismatch };

/// One element that is not as expected.
struct CheckDifference {
  int64_t position = 0;  // row-major
  Scalar computed;
  Scalar expected;
};

struct CheckOutcome {
  std::string target;  // "check.expect_close"
  Location location;
  CheckVerdict verdict = CheckVerdict::kBitEqual;
  Shape shape;
  int64_t differing = 0;    // elements whose bits differ
  int64_t mismatching = 0;  // those outside of what the check declares
  /// The name of a probe that has not met as many values of that shape.
  std::string missing = {};
  /// The first element outside, else the first whose bits differ.
  std::optional<CheckDifference> first;
  /// The operation that computed a value that differs, where the expected value
  /// too is one that it may return (spec/conformance.md, Sets).
  std::string admitted_by = {};
};

/// The verdict of a verified check on its operands (computed, expected).
CheckOutcome judge_check(const Instruction& check, Operands operands);

/// A run of a program, and what its own checks say, in the order in which they
/// were met.
struct CheckedRun {
  GridResult run;
  std::vector<CheckOutcome> outcomes;
};

/// As evaluate_devices(). The observer of `options` is replaced.
CheckedRun evaluate_with_checks(const Module& module,
                                std::vector<std::vector<Literal>> arguments,
                                EvaluatorOptions options);

/// "check.expect_close: within its tolerance (at most 3 steps): 2 of 20
/// elements differ, first at [3]: computed 1.5, expected 1.25".
std::string describe(const CheckOutcome& outcome);

}  // namespace hlo::conformance
