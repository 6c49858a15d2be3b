#include "interpreter/rules/devices/device_rules.h"

#include <algorithm>
#include <utility>

#include "interpreter/rules/reducer.h"

namespace hlo {
namespace {

bool is_scalar_offset(const Shape& offset, int64_t rank) {
  return offset.is_tuple() &&
         static_cast<int64_t>(offset.tuple_shapes.size()) == rank &&
         std::ranges::all_of(offset.tuple_shapes, &Shape::is_array);
}

/// One offset (a tuple of indices), or a tuple of such offsets.
void check_offset(const Shape& buffer, const Shape& offset) {
  const bool several =
      offset.is_tuple() && !offset.tuple_shapes.empty() &&
      std::ranges::all_of(offset.tuple_shapes, &Shape::is_tuple);
  const auto fits = [&](const Shape& one) {
    return is_scalar_offset(one, buffer.rank());
  };
  require(
      several ? std::ranges::all_of(offset.tuple_shapes, fits) : fits(offset),
      "collective-permute.C4",
      {"an offset is ", offset, " for the buffer ", buffer},
      "it must have one index for each dimension");
}

void check_offsets(const Shape& buffers, const Shape& offsets) {
  if (buffers.is_array()) {
    check_offset(buffers, offsets);
    return;
  }
  require(offsets.is_tuple() &&
              offsets.tuple_shapes.size() == buffers.tuple_shapes.size(),
          "collective-permute.C3",
          {"the offsets are ", offsets, " for the buffers ", buffers},
          "each buffer needs its offset");
  for (size_t i = 0; i < buffers.tuple_shapes.size(); ++i) {
    check_offset(buffers.tuple_shapes[i], offsets.tuple_shapes[i]);
  }
}

void check_in_place(const Instruction& permute) {
  require(permute.operands.size() == 4, "collective-permute.C1",
          {"there are ", Count{std::ssize(permute.operands), "operand"}},
          "with slice_sizes there must be four: input, output, input offsets, "
          "output offsets");
  const Shape& input = permute.operand_shape(0);
  const Shape& output = permute.operand_shape(1);
  require((input.is_array() && output.is_array()) ||
              (input.is_tuple() && output.is_tuple() &&
               input.tuple_shapes.size() == output.tuple_shapes.size()),
          "collective-permute.C2",
          {"the inputs are ", input, " and the outputs ", output},
          "they must be as many");
  check_offsets(input, permute.operand_shape(2));
  check_offsets(output, permute.operand_shape(3));
}

/// What is combined is of one type, to which the operands can be converted and
/// back.
void check_combined_types(const Instruction& reduction,
                          const Computation& combiner, std::string_view rule) {
  const ElementType type = combiner.root->shape.element_type;
  for (const Instruction* parameter : combiner.parameters) {
    require(parameter->shape.element_type == type, rule,
            {"to_apply takes ", ParameterShapes{combiner}, " and returns ",
             combiner.root->shape},
            "they must have one type");
  }
  for (const Instruction* operand : reduction.operands) {
    const Shape& shape = operand->shape;
    require(
        !shape.is_array() || is_complex(shape.element_type) == is_complex(type),
        rule, {"an operand is ", shape, " and to_apply combines ", type},
        "both must be complex, or none");
  }
}

}  // namespace

void check_gathered(const Instruction& gather,
                    const std::vector<Shape>& results) {
  for (size_t i = 0; i < results.size(); ++i) {
    const Shape& operand = gather.operand_shape(i);
    require(operand.is_array(), "all-gather.C1",
            {"operand ", i, " is ", operand}, "operands must be arrays");
    const int64_t d = only_dimension(gather, operand.rank(), "all-gather.C2");
    require(same_but_for(operand, results[i], d), "all-gather.C3",
            {"the operand is ", operand, " and the result ", results[i],
             " and dimension ", d, " is gathered"},
            "the other dimensions must have the same sizes");
    require(same_up_to_precision(operand.element_type, results[i].element_type),
            "all-gather.C3",
            {"the operand is ", operand, " and the result ", results[i]},
            "they must have one type, but for the precision of floats");
    const int64_t part = operand.dims[static_cast<size_t>(d)];
    const int64_t whole = results[i].dims[static_cast<size_t>(d)];
    require(part == 0 ? whole == 0 : whole % part == 0, "all-gather.C4",
            {"dimension ", d, " has the size ", part, " in the operand and ",
             whole, " in the result"},
            "the second must be a multiple of the first");
  }
}

bool is_in_place(const Instruction& permute) {
  return permute.find("slice_sizes") != nullptr;
}

Shape permuted(const Instruction& permute) {
  if (is_in_place(permute)) {
    check_in_place(permute);
    return permute.operand_shape(1);
  }
  return one_or_tuple(array_operands(permute, "collective-permute.C5"));
}

void check_combiner(const Instruction& reduction, std::string_view rule) {
  const auto* combiner = reduction.get<Computation*>("to_apply");
  const Shape& result = combiner->root->shape;
  const auto has_result_dims = [&](const Instruction* parameter) {
    return parameter->shape.is_array() && same_dims(parameter->shape, result);
  };
  require(
      combiner->parameters.size() == 2 && result.is_array() &&
          std::ranges::all_of(combiner->parameters, has_result_dims),
      rule,
      {"to_apply takes ", ParameterShapes{*combiner}, " and returns ", result},
      "it must take two arrays of one shape and return one");
  check_combined_types(reduction, *combiner, rule);
}

Shape all_reduced(const Instruction& reduction, std::string_view combiner_rule,
                  std::string_view array_rule) {
  check_combiner(reduction, combiner_rule);
  return one_or_tuple(array_operands(reduction, array_rule));
}

Shape transfer_state(const Shape& data) {
  return Shape::tuple({data, Shape::scalar(ElementType::kU32), Shape::token()});
}

const Shape& data_of_transfer(const Instruction& done, std::string_view rule,
                              std::string_view message) {
  const Shape& operand = done.operand_shape(0);
  require(operand.is_tuple() && operand.tuple_shapes.size() == 3 &&
              operand.tuple_shapes[2].is_token(),
          rule, {"the operand is ", operand}, message);
  return operand.tuple_shapes[0];
}

}  // namespace hlo
