#include "interpreter/stablehlo/export/export_movement.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "interpreter/rules/op.h"
#include "interpreter/stablehlo/export/export_literal.h"
#include "interpreter/stablehlo/export/export_text.h"

namespace hlo::stablehlo {
namespace {

std::string dimensions_of(const Instruction& instruction) {
  return array_text(instruction.get_or<Ints>("dimensions", {}));
}

bool constant(Writer& writer, const Instruction& instruction, Leaves& result) {
  if (instruction.literal == nullptr) {
    cannot_export(instruction, "the constant's elements were left out");
  }
  const std::vector<Shape> shapes = leaf_shapes(instruction.shape);
  const std::vector<const Literal*> parts = leaves(*instruction.literal);
  for (size_t i = 0; i < parts.size(); ++i) {
    const Leaves one = writer.add(
        {.name = "constant",
         .properties = "value = " + dense_text(*parts[i]),
         .results = {Shape::array(shapes[i].element_type, shapes[i].dims)}},
        &instruction);
    result.push_back(one[0]);
  }
  return true;
}

bool iota(Writer& writer, const Instruction& instruction, Leaves& result) {
  if (instruction.shape.has_dynamic_dimensions()) return false;
  result = plain(writer, instruction, "iota",
                 "iota_dimension = " +
                     int_text(instruction.get<int64_t>("iota_dimension")));
  return true;
}

bool broadcast(Writer& writer, const Instruction& instruction, Leaves& result) {
  if (instruction.shape.has_dynamic_dimensions()) return false;
  result = moved(writer, instruction, "broadcast_in_dim",
                 "broadcast_dimensions = " + dimensions_of(instruction));
  return true;
}

bool reshape(Writer& writer, const Instruction& instruction, Leaves& result) {
  if (instruction.shape.has_dynamic_dimensions()) return false;
  if (instruction.operand_shape(0).has_dynamic_dimensions()) return false;
  result = plain(writer, instruction, "reshape");
  return true;
}

bool transpose(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = moved(writer, instruction, "transpose",
                 "permutation = " + dimensions_of(instruction));
  return true;
}

bool reverse(Writer& writer, const Instruction& instruction, Leaves& result) {
  result = moved(writer, instruction, "reverse",
                 "dimensions = " + dimensions_of(instruction));
  return true;
}

bool concatenate(Writer& writer, const Instruction& instruction,
                 Leaves& result) {
  const ElementType type = instruction.operand_shape(0).element_type;
  for (const Instruction* operand : instruction.operands) {
    if (operand->shape.element_type != type) return false;
  }
  result = moved(
      writer, instruction, "concatenate",
      "dimension = " + int_text(instruction.get<Ints>("dimensions").at(0)));
  return true;
}

bool slice(Writer& writer, const Instruction& instruction, Leaves& result) {
  Ints starts;
  Ints limits;
  Ints strides;
  for (const SliceDimension& d : instruction.get<SliceConfig>("slice").dims) {
    starts.push_back(d.start);
    limits.push_back(d.limit);
    strides.push_back(d.stride);
  }
  result = moved(
      writer, instruction, "slice",
      fmt::format("limit_indices = {}, start_indices = {}, strides = {}",
                  array_text(limits), array_text(starts), array_text(strides)));
  return true;
}

bool pad(Writer& writer, const Instruction& instruction, Leaves& result) {
  Ints low;
  Ints high;
  Ints interior;
  if (instruction.operand_shape(0).element_type !=
      instruction.operand_shape(1).element_type) {
    return false;
  }
  for (const PaddingDimension& d :
       instruction.get<PaddingConfig>("padding").dims) {
    low.push_back(d.low);
    high.push_back(d.high);
    interior.push_back(d.interior);
  }
  result = moved(
      writer, instruction, "pad",
      fmt::format("edge_padding_high = {}, edge_padding_low = {}, "
                  "interior_padding = {}",
                  array_text(high), array_text(low), array_text(interior)));
  return true;
}

/// The start indices are scalars; HLO also takes them as one vector.
bool has_scalar_starts(const Instruction& instruction, size_t first) {
  for (size_t i = first; i < instruction.operands.size(); ++i) {
    if (instruction.operand_shape(i).rank() != 0) return false;
    if (instruction.operand_shape(i).element_type !=
        instruction.operand_shape(first).element_type) {
      return false;
    }
  }
  return true;
}

bool dynamic_slice(Writer& writer, const Instruction& instruction,
                   Leaves& result) {
  if (!has_scalar_starts(instruction, 1)) return false;
  result = moved(writer, instruction, "dynamic_slice",
                 "slice_sizes = " +
                     array_text(instruction.get<Ints>("dynamic_slice_sizes")));
  return true;
}

bool dynamic_update_slice(Writer& writer, const Instruction& instruction,
                          Leaves& result) {
  if (!has_scalar_starts(instruction, 2) ||
      instruction.operand_shape(0).element_type !=
          instruction.operand_shape(1).element_type) {
    return false;
  }
  result = plain(writer, instruction, "dynamic_update_slice");
  return true;
}

bool gather(Writer& writer, const Instruction& instruction, Leaves& result) {
  const auto list = [&](std::string_view name) {
    return list_text(instruction.get_or<Ints>(name, {}));
  };
  result = moved(
      writer, instruction, "gather",
      fmt::format("dimension_numbers = #stablehlo.gather<offset_dims = {}, "
                  "collapsed_slice_dims = {}, operand_batching_dims = {}, "
                  "start_indices_batching_dims = {}, start_index_map = {}, "
                  "index_vector_dim = {}>, slice_sizes = {}, "
                  "indices_are_sorted = {}",
                  list("offset_dims"), list("collapsed_slice_dims"),
                  list("operand_batching_dims"),
                  list("start_indices_batching_dims"), list("start_index_map"),
                  instruction.get<int64_t>("index_vector_dim"),
                  array_text(instruction.get<Ints>("slice_sizes")),
                  instruction.get_or<bool>("indices_are_sorted", false)));
  return true;
}

bool get_dimension_size(Writer& writer, const Instruction& instruction,
                        Leaves& result) {
  result = plain(
      writer, instruction, "get_dimension_size",
      "dimension = " + int_text(instruction.get<Ints>("dimensions").at(0)));
  return true;
}

bool set_dimension_size(Writer& writer, const Instruction& instruction,
                        Leaves& result) {
  result = plain(
      writer, instruction, "set_dimension_size",
      "dimension = " + int_text(instruction.get<Ints>("dimensions").at(0)));
  return true;
}

constexpr ExportRow kRows[] = {
    {"broadcast", broadcast},
    {"concatenate", concatenate},
    {"constant", constant},
    {"dynamic-slice", dynamic_slice},
    {"dynamic-update-slice", dynamic_update_slice},
    {"gather", gather},
    {"get-dimension-size", get_dimension_size},
    {"iota", iota},
    {"pad", pad},
    {"reshape", reshape},
    {"reverse", reverse},
    {"set-dimension-size", set_dimension_size},
    {"slice", slice},
    {"transpose", transpose},
};

}  // namespace

ExportRows movement_exporters() { return kRows; }

}  // namespace hlo::stablehlo
