#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "interpreter/model/element_type.h"
#include "interpreter/numeric/format/float_codes.h"

// What an element-wise operation's rule may be made of.

namespace hlo {

using Complex = std::complex<double>;
using numeric::FloatFormat;

/// What a rule for integers gets to know of their type.
struct IntegerType {
  int bits;
  bool is_signed;
};

// A rule is a struct with static functions, one for each class of types that
// the operation takes. Absent members mean that the class is not allowed.
//
//   struct Add {
//     static bool pred(bool a, bool b) { return a || b; }
//     static uint64_t integer(uint64_t a, uint64_t b, IntegerType) {
//       return a + b;  // wraps when it is stored
//     }
//     static double real(double a, double b) { return a + b; }
//     static constexpr bool kComponentwise = true;  // complex
//   };
//   extern constinit const Op op_add = elementwise<Add>("add");
//
// The functions have as many operands as the operation; one that returns bool
// gives pred.
// integer: operands are sign- or zero-extended to 64 bits, the result is
// truncated to the type.
// real: operands are exact, the result is rounded once to the type, so that it
// must be exact in double or a single IEEE operation (+ - * / sqrt), which is
// innocuous for formats of at most 24 bits and exact for f64 itself. A NaN
// becomes the canonical one.
// bits(uint64_t.., const FloatFormat&): in place of real, a rule on codes, for
// what is not a function of values (sign bits, NaN payloads).
// kFunction, kFunction2: in place of real, a correctly rounded function.
// complex(Complex.., const FloatFormat&): the parts are rounded to the format;
// one that returns double gives the type of the parts. In its place:
// kComplexFunction, kComplexFunction2: a function part by part;
// kComponentwise: real or bits holds for each part;
// kSignedOnly: no unsigned types.

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
};

template <typename Rule>
concept HasPred = requires {
  &Rule::pred;
};
template <typename Rule>
concept HasInteger = requires {
  &Rule::integer;
};
template <typename Rule>
concept HasReal = requires {
  &Rule::real;
};
template <typename Rule>
concept HasBits = requires {
  &Rule::bits;
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

// Calls, since g++ 12 takes the address of functions whose constraints fail.
template <typename Rule>
concept HasComplex1 = requires(Complex z, const FloatFormat& format) {
  Rule::complex(z, format);
};

template <typename Rule>
concept HasComplex2 = requires(Complex z, const FloatFormat& format) {
  Rule::complex(z, z, format);
};

template <typename Rule>
concept HasComplex = HasComplex1<Rule> || HasComplex2<Rule>;
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
concept TakesComplex = HasComplex<Rule> || HasComplexFunction<Rule> ||
    HasComplexFunction2<Rule> || IsComponentwise<Rule>;
template <typename Rule>
concept IsSignedOnly = requires {
  Rule::kSignedOnly;
};

namespace loops {

template <typename F>
struct Traits;

template <typename R, typename... T>
struct Traits<R(T...)> {
  using Result = R;
  static constexpr size_t kParameters = sizeof...(T);
};

template <typename Rule>
constexpr size_t arity() {
  if constexpr (HasReal<Rule>) {
    return Traits<decltype(Rule::real)>::kParameters;
  } else if constexpr (HasBits<Rule>) {
    return Traits<decltype(Rule::bits)>::kParameters - 1;
  } else if constexpr (HasInteger<Rule>) {
    return Traits<decltype(Rule::integer)>::kParameters - 1;
  } else {
    return HasFunction2<Rule> ? 2 : 1;
  }
}

/// Whether a function of a rule returns bool.
template <typename F>
constexpr bool kTests = std::is_same_v<typename Traits<F>::Result, bool>;

template <typename Rule>
constexpr Signature signature() {
  Signature s;
  s.classes.pred = s.to_pred.pred = HasPred<Rule>;
  if constexpr (HasInteger<Rule>) {
    s.classes.is_signed = true;
    s.classes.is_unsigned = !IsSignedOnly<Rule>;
    s.to_pred.is_signed = s.to_pred.is_unsigned =
        kTests<decltype(Rule::integer)>;
  }
  s.classes.real = TakesFloats<Rule>;
  if constexpr (HasReal<Rule>) s.to_pred.real = kTests<decltype(Rule::real)>;
  if constexpr (HasBits<Rule>) s.to_pred.real = kTests<decltype(Rule::bits)>;
  s.classes.complex = TakesComplex<Rule>;
  if constexpr (HasComplex<Rule>) {
    using Result = typename Traits<decltype(Rule::complex)>::Result;
    s.to_pred.complex = std::is_same_v<Result, bool>;
    s.to_component = std::is_same_v<Result, double>;
  }
  return s;
}

}  // namespace loops

}  // namespace hlo
