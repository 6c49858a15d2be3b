#include "interpreter/stablehlo/export/export_elementwise.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/stablehlo/export/export_marks.h"
#include "interpreter/stablehlo/operation_names.h"

namespace hlo::stablehlo {
namespace {

/// The type that all operands have or, where their floats differ, that the
/// result has and that holds each of them exactly. Then the value computed in
/// it is HLO's, which is rounded once. Nothing where StableHLO, which has one
/// type for all, would round twice.
std::optional<ElementType> working_type(const Instruction& instruction) {
  const ElementType first = instruction.operand_shape(0).element_type;
  ElementType widest = first;
  bool is_mixed = false;
  for (const Instruction* operand : instruction.operands) {
    const ElementType type = operand->shape.element_type;
    is_mixed = is_mixed || type != first;
    const std::optional<ElementType> common = common_type(widest, type);
    if (!common) return std::nullopt;
    widest = *common;
  }
  const ElementType result = instruction.shape.element_type;
  const bool gives_floats = is_float(result) && is_float(first);
  if (!is_mixed && (!gives_floats || result == first)) return first;
  if (!gives_floats) return widest;
  return result == widest ? std::optional(result) : std::nullopt;
}

bool holds(const numeric::FloatFormat& outer,
           const numeric::FloatFormat& inner) {
  return outer.mantissa_bits >= inner.mantissa_bits &&
         outer.max_exponent() >= inner.max_exponent() &&
         outer.min_exponent() - outer.mantissa_bits <=
             inner.min_exponent() - inner.mantissa_bits &&
         outer.specials == numeric::Specials::kIeee;
}

/// Operands in the type; nothing where one of them would lose something.
bool convert_operands(Writer& writer, ElementType type, Leaves& operands) {
  for (const Leaf& operand : operands) {
    const ElementType from = operand.shape.element_type;
    if (from == type) continue;
    if (!holds(numeric::format(type), numeric::format(from))) return false;
  }
  for (Leaf& operand : operands) operand = writer.converted(operand, type);
  return true;
}

bool write(Writer& writer, const Instruction& instruction, Leaves& result,
           std::string_view name, std::string properties = {},
           std::string_view dialect = "stablehlo") {
  const std::optional<ElementType> type = working_type(instruction);
  Leaves operands = writer.operands(instruction);
  if (!type || !convert_operands(writer, *type, operands)) return false;
  result = writer.add({.dialect = dialect,
                       .name = std::string(name),
                       .operands = std::move(operands),
                       .properties = std::move(properties),
                       .results = {instruction.shape}},
                      &instruction);
  return true;
}

bool elementwise(Writer& writer, const Instruction& instruction,
                 Leaves& result) {
  const OperationName& name = *find_opcode(instruction.op->name);
  const ElementType type = instruction.operand_shape(0).element_type;
  if (!name.takes(type)) return false;
  // The operations of CHLO have no such attribute.
  std::string accuracy;
  if (name.dialect() == "stablehlo") accuracy = accuracy_text(instruction);
  return write(writer, instruction, result, name.short_name(),
               std::move(accuracy), name.dialect());
}

bool convert(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = plain(writer, instruction, "convert");
  return true;
}

Leaf with_type(Writer& writer, const Leaf& value, ElementType type) {
  Shape shape = value.shape;
  shape.element_type = type;
  return writer.add(
      {.name = "convert", .operands = {value}, .results = {shape}}, nullptr)[0];
}

// HLO's pred has 8 bits, StableHLO's i1 one: it goes by way of a byte.
bool bitcast_convert(Writer& writer, const Instruction& instruction,
                     Leaves& result) {
  Leaf value = writer.operands(instruction).at(0);
  Shape to = instruction.shape;
  const bool from_pred = value.shape.element_type == ElementType::kPred;
  const bool to_pred = to.element_type == ElementType::kPred;
  if (from_pred == to_pred) {
    result = plain(writer, instruction, "bitcast_convert");
    return true;
  }
  if (from_pred) value = with_type(writer, value, ElementType::kU8);
  if (to_pred) to.element_type = ElementType::kU8;
  value = writer.add(
      {.name = "bitcast_convert", .operands = {value}, .results = {to}},
      nullptr)[0];
  result = {to_pred ? with_type(writer, value, ElementType::kPred) : value};
  return true;
}

bool compare(Writer& writer, const Instruction& instruction, Leaves& result) {
  std::string properties =
      fmt::format("comparison_direction = #stablehlo<comparison_direction {}>",
                  instruction.get<Word>("direction").value);
  if (const auto* type = instruction.find("type")) {
    properties += fmt::format(", compare_type = #stablehlo<comparison_type {}>",
                              std::get<Word>(*type).value);
  }
  return write(writer, instruction, result, "compare", properties);
}

bool reduce_precision(Writer& writer, const Instruction& instruction,
                      Leaves& result) {
  return write(writer, instruction, result, "reduce_precision",
               fmt::format("exponent_bits = {} : i32, mantissa_bits = {} : i32",
                           instruction.get<int64_t>("exponent_bits"),
                           instruction.get<int64_t>("mantissa_bits")));
}

/// Moves bits: floats of different types are declined.
bool select(Writer& writer, const Instruction& instruction, Leaves& result) {
  const ElementType type = instruction.shape.element_type;
  if (instruction.operand_shape(1).element_type != type ||
      instruction.operand_shape(2).element_type != type) {
    return false;
  }
  result = plain(writer, instruction, "select");
  return true;
}

std::vector<ExportRow> rows() {
  std::vector<ExportRow> all = {{"bitcast-convert", bitcast_convert},
                                {"compare", compare},
                                {"convert", convert},
                                {"reduce-precision", reduce_precision},
                                {"select", select}};
  for (const OperationName& name : operation_names()) {
    all.push_back({name.opcode, elementwise});
  }
  return all;
}

}  // namespace

ExportRows elementwise_exporters() {
  static const std::vector<ExportRow> all = rows();
  return all;
}

}  // namespace hlo::stablehlo
