#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "interpreter/model/element_type.h"
#include "interpreter/numeric/format/float_format.h"

// What an element-wise operation's rule may be made of.

namespace hlo {

using numeric::FloatFormat;

// What rules call without a namespace, because exact numbers have functions by
// these names, too (interpreter/definition/numbers/extended_real.h).
using std::ceil;
using std::copysign;
using std::floor;
using std::fmod;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::nearbyint;
using std::round;
using std::signbit;
using std::sqrt;

/// What a rule for integers gets to know of their type.
struct IntegerType {
  int bits;
  bool is_signed;
};

/// How a rule for integers reads its operands.
enum class ReadAs : uint8_t { kOwnType, kSigned, kUnsigned };

// A rule is a struct with static functions, one for each class of types that
// the operation takes. Absent members mean that the class is not allowed.
//
//   struct Add {
//     static bool pred(bool a, bool b) { return a || b; }
//     static auto integer(auto a, auto b, IntegerType) { return a + b; }
//     static auto real(auto a, auto b) { return a + b; }
//     static constexpr bool kComponentwise = true;  // complex
//   };
//   extern constinit const Op op_add = elementwise<Add>("add");
//
// The functions have as many operands as the operation; one that returns bool
// gives pred. integer and real are templates: the definition calls them for
// exact numbers (definition::Integer, definition::Real), loops for int64_t or
// uint64_t, which wrap (-fwrapv), and for double.
//
// * integer: the result is wrapped to the type.
// * kReadAs: integer operands are read as if the type were signed, or unsigned.
// * fast_integer: another text for loops, at least three times as fast.
// * real: the result is rounded once to the type, so that for doubles it must
//   be exact or a single IEEE operation (+ - * / sqrt), which is innocuous for
//   formats of at most 24 bits and exact for f64 itself. A NaN becomes the
//   canonical one.
// * kFunction, kFunction2, in place of real: a function, rounded once.
// * bits, in its place: codes to codes.
// * kComplexFunction, kComplexFunction2: complex numbers, part by part.
// * kComponentwise, in their place: real or bits holds for each part.
// * kEveryPart, in their place: real is true of every part.
// * kModulus, in their place: |z|.
// * kSignedOnly: no unsigned types.
// * kFormula, kBehaviour, kRange, kArithmetic: what is known of it beside
//   (interpreter/rules/element_facts.h).
// * kTarget: the target of custom-calls that has this rule, "chlo.erf".

/// The classes of element types that an operation takes.
struct Classes {
  bool pred = false;
  bool is_signed = false;
  bool is_unsigned = false;
  bool real = false;
  bool complex = false;

  bool contains(ElementType type) const;
};

/// What an element-wise operation accepts and returns. A class is `to_pred`
/// where its results are pred.
struct Signature {
  Classes classes = {};
  Classes to_pred = {};
  bool to_component = false;  // of complex operands

  /// The type of the results for operands of that type; nothing where they are
  /// not taken.
  std::optional<ElementType> result_type(ElementType operand) const;
};

template <typename Rule, typename... T>
concept RealTakes = requires(T... x) {
  Rule::real(x...);
};

template <typename Rule, typename... T>
concept IntegerTakes = requires(T... x, IntegerType type) {
  Rule::integer(x..., type);
};

template <typename Rule, typename... T>
concept BitsTakes = requires(T... x, const FloatFormat& format) {
  Rule::bits(x..., format);
};

template <typename Rule>
concept HasPred = requires {
  &Rule::pred;
};
template <typename Rule>
concept HasInteger =
    IntegerTakes<Rule, int64_t> || IntegerTakes<Rule, int64_t, int64_t> ||
    IntegerTakes<Rule, int64_t, int64_t, int64_t>;
template <typename Rule>
concept HasReal = RealTakes<Rule, double> || RealTakes<Rule, double, double> ||
    RealTakes<Rule, double, double, double>;
template <typename Rule>
concept HasBits =
    BitsTakes<Rule, uint64_t> || BitsTakes<Rule, uint64_t, uint64_t>;

template <typename Rule>
concept HasFastInteger = requires(uint64_t x, IntegerType type) {
  Rule::fast_integer(x, type);
}

|| requires(uint64_t x, IntegerType type) { Rule::fast_integer(x, x, type); };

template <typename Rule>
concept HasReadAs = requires {
  Rule::kReadAs;
};
template <typename Rule>
concept HasFunction = requires {
  Rule::kFunction;
};
template <typename Rule>
concept HasReducer = requires {
  Rule::kReducer;
};
template <typename Rule>
concept HasFunction2 = requires {
  Rule::kFunction2;
};
template <typename Rule>
concept TakesFloats =
    HasReal<Rule> || HasBits<Rule> || HasFunction<Rule> || HasFunction2<Rule>;
template <typename Rule>
concept HasComplexFunction = requires {
  Rule::kComplexFunction;
};
template <typename Rule>
concept HasComplexFunction2 = requires {
  Rule::kComplexFunction2;
};
template <typename Rule>
concept IsComponentwise = requires {
  Rule::kComponentwise;
};
template <typename Rule>
concept HasEveryPart = requires {
  requires Rule::kEveryPart;
};
template <typename Rule>
concept HasModulus = requires {
  Rule::kModulus;
};
template <typename Rule>
concept TakesComplex = HasComplexFunction<Rule> || HasComplexFunction2<Rule> ||
    IsComponentwise<Rule> || HasEveryPart<Rule> || HasModulus<Rule>;
template <typename Rule>
concept IsSignedOnly = requires {
  Rule::kSignedOnly;
};

/// The number of a rule's operands.
template <typename Rule>
constexpr size_t arity() {
  constexpr bool kIsOne = RealTakes<Rule, double> ||
                          IntegerTakes<Rule, int64_t> ||
                          BitsTakes<Rule, uint64_t>;
  constexpr bool kIsThree = RealTakes<Rule, double, double, double> ||
                            IntegerTakes<Rule, int64_t, int64_t, int64_t>;
  if constexpr (kIsOne || HasFunction<Rule> || HasComplexFunction<Rule>) {
    return 1;
  }
  return kIsThree ? 3 : 2;
}

/// An index_sequence of a rule's operands.
template <typename Rule>
using OperandsOf = std::make_index_sequence<arity<Rule>()>;

template <typename T, size_t>
using Repeated = T;

/// Whether what a rule has for floats gives pred.
template <typename Rule>
constexpr bool tests_floats() {
  return []<size_t... k>(std::index_sequence<k...>) {
    if constexpr (HasReal<Rule>) {
      return std::same_as<bool, decltype(Rule::real(
                                    std::declval<Repeated<double, k>>()...))>;
    } else if constexpr (HasBits<Rule>) {
      return std::same_as<bool, decltype(Rule::bits(
                                    std::declval<Repeated<uint64_t, k>>()...,
                                    std::declval<const FloatFormat&>()))>;
    } else {
      return false;
    }
  }
  (OperandsOf<Rule>());
}

/// Whether a rule gives pred for integers.
template <typename Rule>
constexpr bool tests_integers() {
  return []<size_t... k>(std::index_sequence<k...>) {
    return std::same_as<bool, decltype(Rule::integer(
                                  std::declval<Repeated<int64_t, k>>()...,
                                  std::declval<IntegerType>()))>;
  }
  (OperandsOf<Rule>());
}

/// Whether a rule reads operands of the type as signed numbers.
template <typename Rule>
constexpr bool reads_signed(bool is_signed) {
  if constexpr (HasReadAs<Rule>) return Rule::kReadAs == ReadAs::kSigned;
  return is_signed;
}

template <typename Rule>
constexpr Signature signature() {
  Signature s;
  s.classes.pred = s.to_pred.pred = HasPred<Rule>;
  if constexpr (HasInteger<Rule>) {
    s.classes.is_signed = true;
    s.classes.is_unsigned = !IsSignedOnly<Rule>;
    s.to_pred.is_signed = s.to_pred.is_unsigned = tests_integers<Rule>();
  }
  s.classes.real = TakesFloats<Rule>;
  s.to_pred.real = tests_floats<Rule>();
  s.classes.complex = TakesComplex<Rule>;
  s.to_pred.complex = HasEveryPart<Rule>;
  s.to_component = HasModulus<Rule>;
  return s;
}

}  // namespace hlo
