#include "interpreter/stablehlo/export/export_control.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/foreign/targets.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/op.h"
#include "interpreter/stablehlo/export/export_text.h"
#include "interpreter/stablehlo/mlir_words.h"

// Operations that run computations, and those that only name values.
namespace hlo::stablehlo {
namespace {

/// The first leaf of element `index` of a tuple shape.
size_t first_leaf(const Shape& tuple, int64_t index) {
  size_t first = 0;
  for (int64_t i = 0; i < index; ++i) {
    first += leaves(tuple.tuple_shapes.at(static_cast<size_t>(i))).size();
  }
  return first;
}

/// The leaves of one element of a tuple.
Leaves element(const Leaves& all, const Shape& tuple, int64_t index) {
  const auto begin = static_cast<std::ptrdiff_t>(first_leaf(tuple, index));
  const auto end = static_cast<std::ptrdiff_t>(first_leaf(tuple, index + 1));
  return {all.begin() + begin, all.begin() + end};
}

bool tuple(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = writer.operands(instruction);
  return true;
}

/// copy, domain, add-dependency: the first operand. What else they say is for
/// compilers, and the order of the operations stays.
bool first_operand(Writer& writer, const Instruction& instruction,
                   Leaves& result) {
  result = writer.of(*instruction.operands.at(0));
  return true;
}

bool get_tuple_element(Writer& writer, const Instruction& instruction,
                       Leaves& result) {
  const Instruction& operand = *instruction.operands[0];
  result = element(writer.of(operand), operand.shape,
                   instruction.get<int64_t>("index"));
  return true;
}

bool call(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = writer.call(callee_of(instruction), writer.operands(instruction),
                       &instruction);
  return true;
}

bool loop(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = plain(writer, instruction, "while", {},
                 {{.body = instruction.get<Computation*>("condition")},
                  {.body = instruction.get<Computation*>("body")}});
  return true;
}

bool conditional(Writer& writer, const Instruction& instruction,
                 Leaves& result) {
  const auto* several = instruction.find("branch_computations");
  const Computations branches =
      several != nullptr
          ? std::get<Computations>(*several)
          : Computations{instruction.get<Computation*>("true_computation"),
                         instruction.get<Computation*>("false_computation")};
  std::vector<RegionText> regions;
  for (size_t b = 0; b < branches.size(); ++b) {
    regions.push_back({.body = branches[b],
                       .captured = &writer.of(*instruction.operands[b + 1])});
  }
  result = writer.add({.name = several != nullptr ? "case" : "if",
                       .operands = writer.of(*instruction.operands[0]),
                       .regions = std::move(regions),
                       .results = leaf_shapes(instruction.shape)},
                      &instruction);
  return true;
}

bool after_all(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = plain(writer, instruction,
                 instruction.operands.empty() ? "create_token" : "after_all");
  return true;
}

bool opt_barrier(Writer& writer, const Instruction& instruction,
                 Leaves& result) {
  if (leaves(instruction.shape).empty()) return true;
  result = plain(writer, instruction, "optimization_barrier");
  return true;
}

/// Appends zeros for the leaves of the shape that are still missing.
void fill(Writer& writer, const Shape& shape, Leaves& result) {
  const std::vector<Shape> shapes = leaf_shapes(shape);
  while (result.size() < shapes.size()) {
    result.push_back(writer.zero(shapes[result.size()]));
  }
}

bool copy_start(Writer& writer, const Instruction& instruction,
                Leaves& result) {
  const Leaf operand = writer.operands(instruction).at(0);
  result = {operand, operand};
  fill(writer, instruction.shape, result);
  return true;
}

bool copy_done(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = {writer.operands(instruction).at(0)};
  return true;
}

/// Runs the computation where it starts. Declined where the operands or the
/// results come bit by bit.
bool async_start(Writer& writer, const Instruction& instruction,
                 Leaves& result) {
  const auto* callee = instruction.get<Computation*>("calls");
  const Shape& state = instruction.shape;
  if (state.tuple_shapes[0].tuple_shapes.size() != callee->parameters.size() ||
      !compatible(state.tuple_shapes[1], callee->root->shape, true)) {
    cannot_export(instruction, "its operands or its result are not complete");
  }
  result = writer.operands(instruction);
  const Leaves called = writer.call(*callee, result, &instruction);
  result.insert(result.end(), called.begin(), called.end());
  fill(writer, state, result);
  return true;
}

bool async_update(Writer& writer, const Instruction& instruction,
                  Leaves& result) {
  if (instruction.operands.size() != 1) {
    cannot_export(instruction, "it brings more operands");
  }
  return first_operand(writer, instruction, result);
}

bool async_done(Writer& writer, const Instruction& instruction,
                Leaves& result) {
  const Instruction& start = *instruction.operands[0];
  result = element(writer.of(start), start.shape, 1);
  return true;
}

bool is_flat(const Instruction& instruction) {
  for (const Instruction* operand : instruction.operands) {
    if (operand->shape.is_tuple()) return false;
  }
  if (!instruction.shape.is_tuple()) return true;
  for (const Shape& part : instruction.shape.tuple_shapes) {
    if (part.is_tuple()) return false;
  }
  return instruction.shape.tuple_shapes.size() != 1;
}

/// Attributes of custom-call that StableHLO has, or that do not change what is
/// called.
bool has_known_attributes(const Instruction& instruction) {
  static const std::set<std::string_view> known = {
      "custom_call_target", "custom_call_has_side_effect",
      "backend_config",     "metadata",
      "sharding",           "frontend_attributes"};
  return std::ranges::all_of(instruction.attributes, [](const auto& attribute) {
    return known.contains(attribute.first);
  });
}

std::string backend_config(const Instruction& instruction) {
  const auto* value = instruction.find("backend_config");
  if (value == nullptr) return "";
  const auto* text = std::get_if<std::string>(value);
  return ", backend_config = " +
         string_text(text != nullptr ? *text : std::get<Verbatim>(*value).text);
}

/// Functions are CHLO's operations, or StableHLO's; other targets stay what
/// they are.
bool custom_call(Writer& writer, const Instruction& instruction,
                 Leaves& result) {
  const auto& target = instruction.get<std::string>("custom_call_target");
  if (!is_flat(instruction) || !has_known_attributes(instruction)) return false;
  if (find_target(target) != nullptr &&
      instruction.find("backend_config") == nullptr) {
    const std::string_view name =
        std::string_view(target).substr(target.find('.') + 1);
    const bool is_own = target.starts_with("stablehlo.");
    result =
        plain(writer, instruction, name, {}, {}, is_own ? "stablehlo" : "chlo");
    return true;
  }
  result = plain(
      writer, instruction, "custom_call",
      fmt::format(
          "call_target_name = {}, has_side_effect = {}{}", string_text(target),
          instruction.get_or<bool>("custom_call_has_side_effect", false),
          backend_config(instruction)));
  return true;
}

constexpr ExportRow kRows[] = {
    {"add-dependency", first_operand},
    {"after-all", after_all},
    {"async-done", async_done},
    {"async-start", async_start},
    {"async-update", async_update},
    {"call", call},
    {"conditional", conditional},
    {"copy", first_operand},
    {"copy-done", copy_done},
    {"copy-start", copy_start},
    {"custom-call", custom_call},
    {"domain", first_operand},
    {"fusion", call},
    {"get-tuple-element", get_tuple_element},
    {"opt-barrier", opt_barrier},
    {"tuple", tuple},
    {"while", loop},
};

}  // namespace

ExportRows control_exporters() { return kRows; }

}  // namespace hlo::stablehlo
