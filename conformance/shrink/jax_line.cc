#include "conformance/shrink/jax_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "conformance/literals/literal_bits.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

struct Named {
  std::string_view operation;
  std::string_view function;  // of jax.lax
};

constexpr Named kFunctions[] = {
    {"abs", "abs"},
    {"acos", "acos"},
    {"acosh", "acosh"},
    {"add", "add"},
    {"and", "bitwise_and"},
    {"asin", "asin"},
    {"asinh", "asinh"},
    {"atan2", "atan2"},
    {"atanh", "atanh"},
    {"cbrt", "cbrt"},
    {"ceil", "ceil"},
    {"clamp", "clamp"},
    {"cosh", "cosh"},
    {"cosine", "cos"},
    {"count-leading-zeros", "clz"},
    {"divide", "div"},
    {"erf", "erf"},
    {"exponential", "exp"},
    {"exponential-minus-one", "expm1"},
    {"floor", "floor"},
    {"imag", "imag"},
    {"is-finite", "is_finite"},
    {"log", "log"},
    {"log-plus-one", "log1p"},
    {"logistic", "logistic"},
    {"maximum", "max"},
    {"minimum", "min"},
    {"multiply", "mul"},
    {"negate", "neg"},
    {"not", "bitwise_not"},
    {"or", "bitwise_or"},
    {"popcnt", "population_count"},
    {"power", "pow"},
    {"real", "real"},
    {"remainder", "rem"},
    {"rsqrt", "rsqrt"},
    {"select", "select"},
    {"shift-left", "shift_left"},
    {"shift-right-arithmetic", "shift_right_arithmetic"},
    {"shift-right-logical", "shift_right_logical"},
    {"sign", "sign"},
    {"sine", "sin"},
    {"sinh", "sinh"},
    {"sqrt", "sqrt"},
    {"subtract", "sub"},
    {"tan", "tan"},
    {"tanh", "tanh"},
    {"xor", "bitwise_xor"},
};

/// Whether jax.lax takes no operands of this class, though HLO does.
bool is_refused(std::string_view operation, TypeClass operand) {
  const bool is_integer =
      operand == TypeClass::kSigned || operand == TypeClass::kUnsigned;
  // JAX raises integers to constant powers only.
  if (operation == "power") return is_integer;
  if (operation == "real" || operation == "imag") {
    return operand != TypeClass::kComplex;
  }
  return (operation == "add" || operation == "multiply") &&
         operand == TypeClass::kPred;
}

std::string_view function_of(const Instruction& instruction) {
  const std::string_view operation = instruction.op->name;
  const bool has_operands = !instruction.operands.empty();
  if (has_operands &&
      is_refused(operation,
                 type_class(instruction.operand_shape(0).element_type))) {
    return "";
  }
  const auto* const found =
      std::ranges::find(kFunctions, operation, &Named::operation);
  return found == std::end(kFunctions) ? "" : found->function;
}

/// NumPy's name; empty where it has no such type.
std::string numpy_type(ElementType type) {
  switch (type) {
    case ElementType::kPred:
      return "bool_";
    case ElementType::kF16:
    case ElementType::kF32:
    case ElementType::kF64:
      return fmt::format("float{}", bits(type));
    case ElementType::kS8:
    case ElementType::kS16:
    case ElementType::kS32:
    case ElementType::kS64:
      return fmt::format("int{}", bits(type));
    case ElementType::kU8:
    case ElementType::kU16:
    case ElementType::kU32:
    case ElementType::kU64:
      return fmt::format("uint{}", bits(type));
    case ElementType::kC64:
    case ElementType::kC128:
      return fmt::format("complex{}", bits(type));
    default:
      return "";
  }
}

/// The array by the bits of its elements; empty where that is no array that
/// NumPy has, or a long one.
std::string numpy_array(const Literal& array) {
  constexpr int64_t kMost = 16;
  const std::string type = numpy_type(array.type());
  if (type.empty() || array.element_count() > kMost) return "";
  std::string codes;
  for (int64_t i = 0; i < array.element_count(); ++i) {
    for (int part = 0; part < components(array.type()); ++part) {
      codes += fmt::format("{}{:#x}", codes.empty() ? "" : ", ",
                           array.at(i).bits.at(static_cast<size_t>(part)));
    }
  }
  const ElementType part = component_type(array.type());
  std::string dims = fmt::format("{}", fmt::join(array.shape().dims, ", "));
  return fmt::format("np.array([{}], np.uint{}).view(np.{}).reshape({})", codes,
                     std::max(8, bits(part)), type, dims.empty() ? "()" : dims);
}

}  // namespace

std::string jax_line(const Program& program) {
  const Module module = text::parse(program.hlo);
  const Computation& entry = *module.entry;
  const Instruction& root = *entry.root;
  const std::string_view function = function_of(root);
  const bool is_alone =
      entry.instructions.size() == entry.parameters.size() + 1;
  if (function.empty() || !is_alone || !root.attributes.empty()) return "";
  std::string arguments;
  for (const Instruction* operand : root.operands) {
    const auto number = static_cast<size_t>(operand->parameter_number);
    if (number >= program.inputs.size()) return "";
    const std::string array = numpy_array(program.inputs[number]);
    if (array.empty()) return "";
    arguments += (arguments.empty() ? "" : ", ") + array;
  }
  const bool wide =
      std::ranges::any_of(entry.instructions, [](const auto& one) {
        return bits(component_type(one->shape.element_type)) == 64;
      });
  return fmt::format(
      "import jax, numpy as np; {}print(jax.jit(jax.lax.{})({}))\n",
      wide ? "jax.config.update('jax_enable_x64', True); " : "", function,
      arguments);
}

}  // namespace hlo::conformance
