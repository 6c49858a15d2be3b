#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "interpreter/model/literal.h"

namespace hlo {

namespace definition {
class Real;
}

/// Numbers between which an operation is monotone in one operand, whatever the
/// others are; zeros with their signs.
struct Stretch {
  double from;
  double to;
};

/// How an element-wise operation behaves over ranges of its operands.
struct Behaviour {
  enum class Kind : uint8_t {
    kEnumerated,  // nothing is said: known for few values only
    kMonotone,    // in each operand, over each of its stretches
    kWave,        // sine, cosine: extremes at multiples of pi / 2
    kTangent,     // monotone between poles
    kPower,
    kRemainder,
    kCompare,
    kSelect,
    kFinite,
  };
  Kind kind = Kind::kEnumerated;
  /// Where a function of floats has a value that is no NaN. Empty: one stretch.
  std::span<const Stretch> stretches = {};
  /// Whether it is monotone on integers, too, as long as nothing wraps.
  bool is_monotone_on_integers = false;
};

inline constexpr double kEndless = std::numeric_limits<double>::infinity();

inline constexpr std::array<Stretch, 1> kOnAll = {{{-kEndless, kEndless}}};
/// Products and quotients are monotone in each factor where the other keeps its
/// sign, the angle atan2 within a quadrant.
inline constexpr std::array<Stretch, 2> kOnHalves = {
    {{-kEndless, -0.0}, {0.0, kEndless}}};
inline constexpr std::array<Stretch, 1> kOnRoots = {{{-0.0, kEndless}}};
inline constexpr std::array<Stretch, 2> kOnInverseRoots = {
    {{-0.0, -0.0}, {0.0, kEndless}}};
inline constexpr std::array<Stretch, 1> kOnUnit = {{{-1, 1}}};
inline constexpr std::array<Stretch, 1> kFromOne = {{{1, kEndless}}};
inline constexpr std::array<Stretch, 1> kFromMinusOne = {{{-1, kEndless}}};
inline constexpr std::array<Stretch, 3> kOnPowers = {
    {{-kEndless, -0.0}, {0.0, 1}, {1, kEndless}}};

constexpr Behaviour monotone(std::span<const Stretch> stretches) noexcept {
  return {Behaviour::Kind::kMonotone, stretches};
}

/// Monotone over everything, integers too.
constexpr Behaviour monotone_on_integers(
    std::span<const Stretch> stretches) noexcept {
  return {Behaviour::Kind::kMonotone, stretches, true};
}

/// The numbers between which the real results of a function lie.
struct ResultRange {
  double least = -kEndless;
  double greatest = kEndless;
};

// pi lies above the double nearest to it, so that the next one bounds it.
inline constexpr double kAbovePi = 0x1.921fb54442d19p+1;
inline constexpr double kAboveHalfPi = 0x1.921fb54442d19p+0;

/// The operation of IEEE 754 that rounds once what an operation gives for
/// floats.
enum class Arithmetic : uint8_t {
  kNone,
  kCopy,
  kSum,
  kDifference,
  kProduct,
  kQuotient,
  kRoot
};

/// What is known of an element-wise operation beside its element. A rule
/// (interpreter/definition/elementwise_rule.h) says it in kFormula,
/// kBehaviour, kRange and kArithmetic.
struct ElementFacts {
  /// The element in words, with the operands as {0}, {1}, {2}: "{0} + {1}".
  std::string_view formula = {};
  /// What is rounded, or wrapped, to a part of the element: an exact number;
  /// nothing where the rule has none for the type of the operands.
  std::optional<definition::Real> (*exact)(std::span<const Scalar>,
                                           size_t part) = nullptr;
  /// The type of the results for operands of that type; nothing where the
  /// operation does not take them.
  std::optional<ElementType> (*result_type)(ElementType) = nullptr;
  Behaviour behaviour = {};
  ResultRange range = {};
  Arithmetic arithmetic = Arithmetic::kNone;
};

}  // namespace hlo
