#pragma once

#include <span>
#include <string>
#include <string_view>

#include "interpreter/definition/elementwise_element.h"
#include "interpreter/plans/elementwise/elementwise_loops.h"
#include "interpreter/rules/op.h"

namespace hlo {

inline constexpr Signature kFloats{.classes = {.real = true}};
inline constexpr Signature kFloatsAndComplex{
    .classes = {.real = true, .complex = true}};
inline constexpr Signature kIntegers{
    .classes = {.is_signed = true, .is_unsigned = true}};

/// The shape of an operation on one operand. Violations: "<op>.C1", the
/// element type is not one of the signature's.
Shape unary_shape(const Instruction& instruction, const Signature& signature);
/// The shape of an operation on operands that agree: "<op>.C1", they have not
/// the same dimensions and element type; "<op>.C2", the type is none of the
/// signature's. Two float types may differ; the result then has the type that
/// the text gives, or else the one that holds more.
Shape same_shape(const Instruction& instruction, const Signature& signature);
/// Which of the operation's labels a violation of rule `number` has: "add.C1".
std::string rule_label(const Instruction& instruction, int number);
/// Appends the rule that the classes make: "the element type must be pred, an
/// integer or a float".
void append_words(std::string& text, const Classes& classes);
/// `result` with the dynamic marks of the operand's dimensions added.
void add_dynamic_marks(Shape& result, const Shape& operand);
/// The float type of two that holds more: more bits, else more exponents.
ElementType wider_float(ElementType a, ElementType b);

/// The loop for the instruction's types, of the operation itself or of its
/// plan; null where there is none.
Kernel kernel_of(const Instruction& instruction);
/// The array of instruction.shape that the loop computes, operands of other
/// dimensions than the result's being scalars.
Literal run_kernel(Kernel kernel, const Instruction& instruction,
                   Operands operands, int threads = 1);

namespace loops {

template <typename Rule>
Shape infer(const Instruction& instruction) {
  static constexpr Signature kSignature = signature<Rule>();
  return arity<Rule>() == 1 ? unary_shape(instruction, kSignature)
                            : same_shape(instruction, kSignature);
}

}  // namespace loops

/// The loop of a rule for the instruction's types, or null.
template <typename Rule>
Kernel pick_kernel(const Instruction& instruction) {
  const ElementType type = instruction.operands[0]->shape.element_type;
  if constexpr (HasPred<Rule>) {
    if (type == ElementType::kPred) {
      return loops::native<loops::pred_block<Rule>>;
    }
  }
  if constexpr (HasInteger<Rule>) {
    if (is_integer(type)) return loops::integer_kernel<Rule>(type);
  }
  if constexpr (TakesComplex<Rule>) {
    if (is_complex(type)) return loops::complex_kernel<Rule>(type);
  }
  if constexpr (TakesFloats<Rule>) {
    if (is_float(type)) return loops::float_kernel<Rule>(instruction, type);
  }
  return nullptr;
}

inline constexpr AttributeSpec kResultAccuracy[] = {
    {"result_accuracy", AttributeKind::kResultAccuracy}};

/// The operation of a rule.
template <typename Rule>
constexpr Op elementwise(
    std::string_view name, Accuracy accuracy = {},
    std::span<const AttributeSpec> attributes = {}) noexcept {
  constexpr int64_t kArity = arity<Rule>();
  const bool is_rounded = accuracy.kind == Accuracy::Kind::kRounded;
  if constexpr (HasFunction<Rule>) {
    if (is_rounded) accuracy.function = Rule::kFunction;
  }
  if constexpr (HasFunction2<Rule>) accuracy.function2 = Rule::kFunction2;
  if constexpr (HasComplexFunction<Rule>) {
    accuracy.complex_function = Rule::kComplexFunction;
  }
  if constexpr (HasComplexFunction2<Rule>) {
    accuracy.complex_function2 = Rule::kComplexFunction2;
  }
  Reducer reducer = Reducer::kOther;
  if constexpr (HasReducer<Rule>) reducer = Rule::kReducer;
  std::string_view target;
  if constexpr (requires { Rule::kTarget; }) target = Rule::kTarget;
  return {.name = name,
          .min_operands = kArity,
          .max_operands = kArity,
          .attributes = attributes,
          .infer = loops::infer<Rule>,
          .element = definition::element<Rule>,
          .kernel = pick_kernel<Rule>,
          .accuracy = accuracy,
          .reducer = reducer,
          .facts = definition::facts<Rule>(),
          .target = target};
}

/// The accuracy of real functions; how close they have to be is a matter of
/// levels (conformance/levels).
constexpr Accuracy rounded() noexcept {
  return {.kind = Accuracy::Kind::kRounded};
}

}  // namespace hlo
