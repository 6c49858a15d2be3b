#include "interpreter/stablehlo/export/export_chlo.h"

#include <fmt/format.h>

#include "interpreter/rules/op.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/stablehlo/export/export_text.h"

// Operations that only the dialect CHLO has.
namespace hlo::stablehlo {
namespace {

/// chlo.top_k takes the largest of the last dimension, in a stable order.
bool topk(Writer& writer, const Instruction& instruction, Leaves& result) {
  if (!instruction.get_or<bool>("largest", true)) return false;
  if (instruction.operand_shape(0).has_dynamic_dimensions()) return false;
  result = plain(writer, instruction, "top_k",
                 "k = " + int_text(instruction.get<int64_t>("k")), {}, "chlo");
  return true;
}

bool scan(Writer& writer, const Instruction& instruction, Leaves& result) {
  const auto carries = instruction.get_or<int64_t>("num_carries", 0);
  const auto inputs = std::ssize(instruction.operands) - carries;
  const auto outputs = std::ssize(leaves(instruction.shape)) - carries;
  result =
      plain(writer, instruction, "scan",
            fmt::format("dimension = {}, is_associative = {}, is_reverse = {}, "
                        "operandSegmentSizes = array<i32: {}, {}>, "
                        "resultSegmentSizes = array<i32: {}, {}>",
                        int_text(instruction.get<Ints>("dimensions").at(0)),
                        instruction.get_or<bool>("is_associative", false),
                        instruction.get_or<bool>("is_reverse", false), inputs,
                        carries, outputs, carries),
            {{.body = instruction.get<Computation*>("to_apply")}}, "chlo");
  return true;
}

bool ragged_dot(Writer& writer, const Instruction& instruction,
                Leaves& result) {
  std::string precision = precision_text(instruction);
  if (precision.find("PACKED") != std::string::npos) return false;
  for (size_t at = 0;
       (at = precision.find("#stablehlo", at)) != std::string::npos;) {
    precision.replace(at, std::string_view("#stablehlo").size(), "#chlo");
  }
  const DotDimensions dims = dot_dimensions(instruction);
  result = plain(
      writer, instruction, "ragged_dot",
      fmt::format(
          "ragged_dot_dimension_numbers = #chlo.ragged_dot<"
          "lhs_batching_dimensions = {}, rhs_batching_dimensions = {}, "
          "lhs_contracting_dimensions = {}, rhs_contracting_dimensions = {}, "
          "lhs_ragged_dimensions = {}, rhs_group_dimensions = {}>{}",
          list_text(dims.lhs_batch), list_text(dims.rhs_batch),
          list_text(dims.lhs_contracting), list_text(dims.rhs_contracting),
          list_text(instruction.get<Ints>("lhs_ragged_dims")),
          list_text(instruction.get_or<Ints>("rhs_group_dims", {})), precision),
      {}, "chlo");
  return true;
}

constexpr ExportRow kRows[] = {
    {"ragged-dot", ragged_dot},
    {"scan", scan},
    {"topk", topk},
};

}  // namespace

ExportRows chlo_exporters() { return kRows; }

}  // namespace hlo::stablehlo
