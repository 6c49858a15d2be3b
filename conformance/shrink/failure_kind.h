#pragma once

#include <optional>
#include <string>

#include "conformance/judge/judge.h"

namespace hlo::conformance {

/// In what way something goes wrong, so that shrinking does not slide from one
/// failure to another.
struct FailureKind {
  Verdict verdict = Verdict::kDiffers;
  /// What is wrong with the first element outside its set ("NaN instead of a
  /// number"); of others what the failure says, without names and numbers.
  std::string what;

  friend bool operator==(const FailureKind&, const FailureKind&) = default;
};

/// Nothing where it is no failure, or the second run had another outcome.
std::optional<FailureKind> failure_kind(const Judgement& judgement);
/// A sentence on what the bits of a difference tell beyond its kind: that a NaN
/// signals, or that a subnormal number became zero; empty where they tell
/// nothing.
std::string bits_words(const Difference& difference);

/// "differs: wrong number".
std::string describe(const FailureKind& kind);

}  // namespace hlo::conformance
