// spec/ops/concatenate.md
#include "interpreter/error.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, /*required=*/true}};

Shape infer(const Instruction& concatenate) {
  const Shape& first = concatenate.operand_shape(0);
  require(first.is_array(), "concatenate.C1", {"the first operand is ", first},
          "the operands must be arrays");
  const int64_t d = only_dimension(concatenate, first.rank(), "concatenate.C2");
  Shape result = first;
  result.layout.reset();
  int64_t size = 0;
  bool mixed = false;
  for (const Shape& operand : operand_shapes(concatenate)) {
    const auto type = common_type(result.element_type, operand.element_type);
    require(type.has_value(), "concatenate.C3",
            {"the operands are ", OperandShapes{concatenate}},
            "they must have one element type, or all be floats");
    result.element_type = *type;
    mixed |= operand.element_type != first.element_type;
    require(same_but_for(operand, first, d), "concatenate.C4",
            {"the operands are ", first, " and ", operand, " and dimension ", d,
             " is concatenated"},
            "the other dimensions must have the same sizes");
    require(!__builtin_add_overflow(size, operand.dims[static_cast<size_t>(d)],
                                    &size),
            "concatenate.C5",
            {"the sizes of dimension ", d, " add up to more than 2^63 - 1"},
            "the size of the result must be a 64-bit integer");
    for (int64_t i = 0; i < first.rank(); ++i) {
      if (operand.is_dynamic(i)) result.set_dynamic(i, true);
    }
  }
  result.dims[static_cast<size_t>(d)] = size;
  result.element_type = chosen_type(concatenate, result.element_type, mixed);
  return result;
}

Origin source(const Instruction& concatenate, Operands, const Index& result) {
  const auto d = static_cast<size_t>(concatenate.get<Ints>("dimensions")[0]);
  Origin origin{0, result};
  while (
      origin.index[d] >=
      concatenate.operand_shape(static_cast<size_t>(origin.operand)).dims[d]) {
    origin.index[d] -=
        concatenate.operand_shape(static_cast<size_t>(origin.operand)).dims[d];
    ++origin.operand;
  }
  return origin;
}

/// Joined arrays have the least of their sizes in the other dimensions.
void fit(const Fitting& on) {
  const auto joined =
      static_cast<size_t>(on.instruction.get<Ints>("dimensions")[0]);
  Ints lengths;
  for (const Ints& size : on.sizes) lengths.push_back(size[joined]);
  fit_alike(on);
  for (size_t i = 0; i < lengths.size(); ++i) on.sizes[i][joined] = lengths[i];
}

}  // namespace

extern constinit const Op op_concatenate{.name = "concatenate",
                                         .min_operands = 1,
                                         .max_operands = -1,
                                         .attributes = kAttributes,
                                         .infer = infer,
                                         .source = source,
                                         .moving = {.operands = Moving::kAll},
                                         .accuracy = {.moves_data = true},
                                         .fit = fit};

}  // namespace hlo
