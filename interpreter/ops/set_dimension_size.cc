// spec/ops/set_dimension_size.md
#include <algorithm>

#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts, true},
};

Shape infer(const Instruction& set) {
  Shape result = set.operand_shape(0);
  require(result.is_array(), "set-dimension-size.C1",
          {"the operand is ", result}, "it must be an array");
  const int64_t d = only_dimension(set, result.rank(), "set-dimension-size.C2");
  require(compatible(set.operand_shape(1), Shape::scalar(ElementType::kS32)),
          "set-dimension-size.C3", {"the size is ", set.operand_shape(1)},
          "it must be an s32 scalar");
  result.set_dynamic(d, true);
  return result;
}

/// A size that is no size of the dimension is clamped. Where the text gives a
/// dimension without bound mark, its size is the bound.
Literal value(const Instruction& set, Operands operands,
              Evaluator& /*unused*/) {
  const int64_t d = set.get<Ints>("dimensions")[0];
  const auto at = static_cast<size_t>(d);
  Literal result = operands[0].with_shape(set.shape);
  Ints sizes = operands[0].dynamic_sizes();
  if (sizes.empty()) sizes = set.shape.dims;
  sizes[at] =
      set.shape.is_dynamic(d)
          ? std::clamp<int64_t>(operands[1].integer(0), 0, set.shape.dims[at])
          : set.shape.dims[at];
  result.set_dynamic_sizes(std::move(sizes));
  return result;
}

}  // namespace

extern constinit const Op op_set_dimension_size{
    .name = "set-dimension-size",
    .form = Form::kResize,
    .min_operands = 2,
    .max_operands = 2,
    .attributes = kAttributes,
    .infer = infer,
    .value = value,
    .accuracy = {.moves_data = true},
    .takes_sizes = true};

}  // namespace hlo
