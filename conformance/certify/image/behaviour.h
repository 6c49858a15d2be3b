#pragma once

#include <span>
#include <string_view>

namespace hlo::conformance {

/// Numbers between which an operation is monotone in one operand, whatever the
/// others are; zeros with their signs.
struct Stretch {
  double from;
  double to;
};

/// How an operation behaves over ranges of its operands.
struct Behaviour {
  enum class Kind {
    kMonotone,  // in each operand, over each of its stretches
    kWave,      // sine, cosine: extremes at multiples of pi / 2
    kTangent,   // monotone between poles
    kPower,
    kRemainder,
    kCompare,
    kSelect,
    kFinite,
    kEnumerated,  // only for few values
  };
  Kind kind = Kind::kEnumerated;
  /// Where a function of floats has a value that is no NaN. Empty: one stretch.
  std::span<const Stretch> stretches = {};
};

Behaviour behaviour(std::string_view operation);

}  // namespace hlo::conformance
