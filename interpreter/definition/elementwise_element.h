#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <utility>

#include "interpreter/definition/elementwise_rule.h"
#include "interpreter/definition/functions/real_functions.h"
#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/definition/numbers/unbounded_integer.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"
#include "interpreter/numeric/complex/complex_function.h"
#include "interpreter/numeric/special/function_names.h"
#include "interpreter/rules/element_facts.h"

// The element that the rule of an element-wise operation gives.

namespace hlo::definition {

/// An element of a float type as an exact number.
Real real_of(const Scalar& x);
/// The integer that an element is when it is read as signed or unsigned.
Integer integer_of(const Scalar& x, bool is_signed);

/// The truth value as an element of the type pred; nothing else becomes one.
template <std::same_as<bool> Truth>
Scalar as_scalar(Truth x, ElementType pred) {
  return {pred, {x ? 1U : 0U, 0}};
}

/// The integer as an element of the type, to which it wraps.
Scalar as_scalar(const Integer& x, ElementType type);
/// The number as an element of the float type, rounded once; NaN becomes the
/// canonical one.
Scalar as_scalar(const Real& x, ElementType type);

/// f(x), rounded once to the type.
Scalar round_element(numeric::Function function, const Scalar& x,
                     ElementType type);
/// f(x, y), rounded once to the type.
Scalar round_element(numeric::Function2 function, const Scalar& x,
                     const Scalar& y, ElementType type);
/// f(z), its parts rounded once to those of the type.
Scalar round_element(numeric::ComplexFunction function, const Scalar& z,
                     ElementType type);
/// f(z, w), its parts rounded once to those of the type.
Scalar round_element(numeric::ComplexFunction2 function, const Scalar& z,
                     const Scalar& w, ElementType type);
/// |z|, rounded once to the type.
Scalar modulus(const Scalar& z, ElementType type);

/// A part of a complex number: the real one is part 0.
Scalar part_of(const Scalar& z, size_t part);
/// The complex number of that type with these parts.
Scalar join_parts(const Scalar& re, const Scalar& im, ElementType type);

template <typename Rule, typename... Operand>
Scalar integer_element(ElementType result, const Scalar& first,
                       const Operand&... rest) {
  const IntegerType type{bits(first.type), is_signed(first.type)};
  const bool is_signed = reads_signed<Rule>(type.is_signed);
  return as_scalar(Rule::integer(integer_of(first, is_signed),
                                 integer_of(rest, is_signed)..., type),
                   result);
}

template <typename Rule, typename... Operand>
Scalar float_element(ElementType result, const Operand&... x) {
  if constexpr (HasReal<Rule>) {
    return as_scalar(Rule::real(real_of(x)...), result);
  } else if constexpr (HasFunction<Rule>) {
    return round_element(Rule::kFunction, x..., result);
  } else if constexpr (HasFunction2<Rule>) {
    return round_element(Rule::kFunction2, x..., result);
  } else {
    return {result, {Rule::bits(x.bits[0]..., numeric::format(result)), 0}};
  }
}

template <typename Rule, typename... Operand>
Scalar complex_element(ElementType result, const Operand&... z) {
  if constexpr (HasComplexFunction<Rule>) {
    return round_element(Rule::kComplexFunction, z..., result);
  } else if constexpr (HasComplexFunction2<Rule>) {
    return round_element(Rule::kComplexFunction2, z..., result);
  } else if constexpr (HasModulus<Rule>) {
    return modulus(z..., result);
  } else {
    const ElementType type = component_type(result);
    return join_parts(float_element<Rule>(type, part_of(z, 0)...),
                      float_element<Rule>(type, part_of(z, 1)...), result);
  }
}

template <typename Rule, typename... Operand>
Scalar rule_element(ElementType result, ElementType type, const Operand&... x) {
  if constexpr (HasPred<Rule>) {
    if (type == ElementType::kPred) {
      return as_scalar(Rule::pred((x.bits[0] != 0)...), result);
    }
  }
  if constexpr (HasInteger<Rule>) {
    if (is_integer(type)) return integer_element<Rule>(result, x...);
  }
  if constexpr (TakesComplex<Rule>) {
    if (is_complex(type)) return complex_element<Rule>(result, x...);
  }
  if constexpr (TakesFloats<Rule>) {
    if (is_float(type)) return float_element<Rule>(result, x...);
  }
  return {result, {}};
}

/// What the rule says of the operands' elements.
template <typename Rule>
Scalar element(const Instruction& instruction, std::span<const Scalar> x) {
  return [&]<size_t... k>(std::index_sequence<k...>) {
    return rule_element<Rule>(instruction.shape.element_type, x[0].type,
                              x[k]...);
  }
  (OperandsOf<Rule>());
}

template <typename Rule, typename... Operand>
std::optional<Real> exact_number(const Scalar& first, const Operand&... rest) {
  if constexpr (HasInteger<Rule>) {
    if (is_integer(first.type) && !tests_integers<Rule>()) {
      const IntegerType type{bits(first.type), is_signed(first.type)};
      const bool is_signed = reads_signed<Rule>(type.is_signed);
      return Real(Integer(Rule::integer(integer_of(first, is_signed),
                                        integer_of(rest, is_signed)..., type)));
    }
  }
  if constexpr (HasReal<Rule>) {
    if constexpr (!tests_floats<Rule>()) {
      if (is_float(first.type)) {
        return Rule::real(real_of(first), real_of(rest)...);
      }
    }
  }
  return std::nullopt;
}

/// The exact number of a part of an element (ElementFacts::exact).
template <typename Rule>
std::optional<Real> exact(std::span<const Scalar> x, size_t part) {
  return [&]<size_t... k>(std::index_sequence<k...>) {
    if constexpr (IsComponentwise<Rule>) {
      if (is_complex(x[0].type)) {
        return exact_number<Rule>(part_of(x[k], part)...);
      }
    }
    return exact_number<Rule>(x[k]...);
  }
  (OperandsOf<Rule>());
}

/// The type of the results for operands of that type
/// (ElementFacts::result_type).
template <typename Rule>
std::optional<ElementType> result_type(ElementType operand) {
  static constexpr Signature kSignature = signature<Rule>();
  return kSignature.result_type(operand);
}

/// What the rule says beside the element.
template <typename Rule>
constexpr ElementFacts facts() noexcept {
  ElementFacts facts{.exact = exact<Rule>, .result_type = result_type<Rule>};
  if constexpr (requires { Rule::kFormula; }) facts.formula = Rule::kFormula;
  if constexpr (requires { Rule::kBehaviour; }) {
    facts.behaviour = Rule::kBehaviour;
  }
  if constexpr (requires { Rule::kRange; }) facts.range = Rule::kRange;
  if constexpr (requires { Rule::kArithmetic; }) {
    facts.arithmetic = Rule::kArithmetic;
  }
  return facts;
}

}  // namespace hlo::definition
