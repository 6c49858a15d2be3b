#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string_view>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/op.h"

// Why a value of XLA's evaluator, or one that its tests state, may differ from
// ours. For tests only.

namespace hlo::conformance {

/// What matters of a program and its run for judging a difference.
struct Facts {
  std::set<std::string_view> operations;
  bool computes = false;      // not all operations move data
  bool mixes_floats = false;  // an operation takes two float types
  bool permutes = false;      // a layout is not row-major
  int64_t roundings = 0;      // sums and functions that were evaluated
  std::set<ElementType> types = {};
  double scale = 0;  // largest finite magnitude of any float value

  bool has_complex() const { return std::ranges::any_of(types, is_complex); }

  bool has(std::span<const std::string_view> names) const {
    return std::ranges::any_of(names, [&](std::string_view name) {
      return operations.contains(name);
    });
  }
};

// Whose results XLA's evaluator takes from the host's libm, or composes.
constexpr std::string_view kFunctions[] = {
    "acos",  "acosh", "asin",         "asinh",
    "atan2", "atanh", "cbrt",         "cosine",
    "cosh",  "erf",   "exponential",  "exponential-minus-one",
    "fft",   "log",   "log-plus-one", "logistic",
    "power", "rsqrt", "sine",         "sinh",
    "tan",   "tanh"};
// Functions of complex numbers only.
constexpr std::string_view kComplexFunctions[] = {"abs", "divide", "multiply",
                                                  "sign", "sqrt"};
// A solve is sums of products of what was solved before.
constexpr std::string_view kSums[] = {
    "reduce",           "dot",        "convolution",
    "reduce-window",    "scatter",    "select-and-scatter",
    "triangular-solve", "ragged-dot", "scaled-dot"};

constexpr std::string_view kProducts[] = {
    "dot", "convolution", "triangular-solve", "ragged-dot", "scaled-dot"};

// Results of many operations at once, which XLA expands and rounds one by one.
constexpr std::string_view kExpanded[] = {"batch-norm-grad",
                                          "batch-norm-inference",
                                          "batch-norm-training", "cholesky"};

/// One component of one element, ours and the other's.
struct ComponentDifference {
  ElementType type;  // of the component
  uint64_t ours;
  uint64_t other;
  double our_value;
  double other_value;
  const Facts* facts;

  bool is_of_floats() const { return is_float(type); }

  int64_t steps() const {
    const auto& format = numeric::format(type);
    return std::abs(numeric::ordinal(ours, format) -
                    numeric::ordinal(other, format));
  }

  /// Whether as many roundings as the run has account for it: each by up to
  /// two steps, of the result or (where it cancels) of the largest value.
  bool is_rounding() const {
    if (!is_of_floats() || !std::isfinite(our_value) ||
        !std::isfinite(other_value)) {
      return false;
    }
    const auto roundings = static_cast<double>(2 * facts->roundings);
    const double step =
        std::ldexp(facts->scale, -numeric::format(type).precision());
    return static_cast<double>(steps()) <= roundings ||
           std::abs(our_value - other_value) <= roundings * step;
  }
};

inline double value_of(uint64_t bits, ElementType type) {
  if (is_float(type)) return numeric::decode(bits, numeric::format(type));
  const int shift = 64 - hlo::bits(type);
  return is_signed(type)
             ? static_cast<double>(static_cast<int64_t>(bits << shift) >> shift)
             : static_cast<double>(bits);
}

inline bool both_nan(const ComponentDifference& d) {
  return std::isnan(d.our_value) && std::isnan(d.other_value);
}

inline bool are_nans(const ComponentDifference& d) {
  return d.facts->computes && both_nan(d);
}

inline bool is_function(const ComponentDifference& d) {
  return (d.facts->has(kFunctions) ||
          (d.facts->has(kComplexFunctions) && d.facts->has_complex())) &&
         d.is_rounding();
}

inline bool is_sum(const ComponentDifference& d) {
  return d.facts->has(kSums) && d.is_rounding();
}

inline bool is_expanded(const ComponentDifference& d) {
  return d.facts->has(kExpanded) && d.is_rounding();
}

inline bool is_past_size(const ComponentDifference& d) {
  return d.facts->operations.contains("set-dimension-size");
}

inline bool is_saturated(const ComponentDifference& d) {
  return d.facts->operations.contains("convolution") && is_integer(d.type);
}

inline bool is_swapped_scatter(const ComponentDifference& d) {
  return d.facts->operations.contains("select-and-scatter");
}

inline bool is_mixed(const ComponentDifference& d) {
  return d.facts->mixes_floats;
}

inline bool is_flushed(const ComponentDifference& d) {
  return d.is_of_floats() && d.other_value == 0 && d.our_value != 0 &&
         (d.ours &
          ((uint64_t{1} << numeric::format(d.type).mantissa_bits) - 1)) != 0 &&
         std::abs(d.our_value) <
             std::ldexp(1.0,
                        2 - (1 << (numeric::format(d.type).exponent_bits - 1)));
}

inline bool is_lost_nan(const ComponentDifference& d) {
  return d.facts->operations.contains("convert") && d.is_of_floats() &&
         !numeric::format(d.type).has_nan() && d.our_value == 0 &&
         d.other_value == 0;
}

inline bool is_permuted_bytes(const ComponentDifference& d) {
  return d.facts->operations.contains("bitcast-convert") && d.facts->permutes;
}

/// exp(y log x) in the type: the rounding of the exponent, log |result| of it,
/// counts that many times.
inline bool is_composed_power(const ComponentDifference& d) {
  return d.facts->operations.contains("power") && d.facts->has_complex() &&
         d.is_of_floats() && std::isfinite(d.our_value) &&
         std::isfinite(d.other_value) && d.our_value != 0 &&
         static_cast<double>(d.steps()) <=
             1 + std::abs(std::log(std::abs(d.our_value)));
}

/// Why our value may differ from that of XLA's evaluator.
struct Reason {
  std::string_view name;
  bool (*explains)(const ComponentDifference&);
};

constexpr Reason kReasons[] = {
    // Any quiet NaN is right where an operation computes.
    {"NaN with other bits", are_nans},
    // Some of its loops run with subnormals switched off.
    {"subnormal flushed to zero", is_flushed},
    // Exact sums here; sums in double or in the type there.
    {"sum rounded otherwise", is_sum},
    // Rounded once here; every step there.
    {"expanded operation", is_expanded},
    // Correctly rounded here; the host's libm there.
    {"function of the host", is_function},
    // Correctly rounded here; an exponential of a product there.
    {"power of complex numbers in steps", is_composed_power},
    // spec/ops/convolution.md: integers wrap here and saturate there.
    {"saturating integer convolution", is_saturated},
    // spec/ops/select_and_scatter.md: (current, source) here and in the
    // documentation, (source, current) there.
    {"scatter arguments swapped", is_swapped_scatter},
    // It reads the bytes of one float type as those of the other.
    {"mixed float types", is_mixed},
    // spec/ops/convert.md: NaN becomes a zero of either sign.
    {"NaN in a type without NaN", is_lost_nan},
    // spec/ops/set_dimension_size.md: elements past the size do not count here,
    // and sizes out of range are clamped.
    {"elements past a run-time size", is_past_size},
    // It copies bytes in the order of the layouts, not of the indices.
    {"bitcast-convert between layouts", is_permuted_bytes},
};

inline bool is_doubled_exponent(const ComponentDifference& d) {
  return d.facts->types.contains(ElementType::kF8E8M0FNU) &&
         d.other_value == 2 * d.our_value && d.other_value <= 0x1p-126;
}

/// Where a test states a value that is not ours.
constexpr Reason kStatedReasons[] = {
    // spec/ops/convert.md: subnormals become f8e8m0fnu as if they were normal.
    {"f8e8m0fnu of a subnormal", is_doubled_exponent},
};

}  // namespace hlo::conformance
