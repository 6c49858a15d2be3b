// spec/ops/dynamic_reshape.md
#include <algorithm>

#include "interpreter/rules/op.h"

namespace hlo {
namespace {

Shape infer(const Instruction& reshape) {
  const Shape& result = given_shape(reshape);
  const Shape& operand = reshape.operand_shape(0);
  require(operand.is_array() && operand.element_type == result.element_type,
          "dynamic-reshape.C1",
          {"the operand is ", operand, " and the result ", result},
          "both must be arrays of one type");
  require(operand.element_count() == result.element_count(),
          "dynamic-reshape.C2",
          {"the operand has ", Count{operand.element_count(), "element"},
           " and the result ", result.element_count()},
          "they must have the same number");
  require(static_cast<int64_t>(reshape.operands.size()) == result.rank() + 1,
          "dynamic-reshape.C3",
          {"there are ", Count{std::ssize(reshape.operands) - 1, "size"},
           " for the result ", result},
          "there must be one for each dimension");
  for (size_t i = 1; i < reshape.operands.size(); ++i) {
    require(
        compatible(reshape.operand_shape(i), Shape::scalar(ElementType::kS32)),
        "dynamic-reshape.C4", {"operand ", i, " is ", reshape.operand_shape(i)},
        "sizes must be s32 scalars");
  }
  return result;
}

/// The next index within `sizes` in row-major order; false behind the last.
bool advance(Index& index, const Ints& sizes) {
  for (size_t d = sizes.size(); d-- > 0;) {
    if (++index[d] < sizes[d]) return true;
    index[d] = 0;
  }
  return false;
}

bool has_elements(const Ints& sizes) {
  return std::ranges::none_of(sizes, [](int64_t size) { return size == 0; });
}

int64_t position(const Index& index, const Ints& strides) {
  int64_t sum = 0;
  for (size_t d = 0; d < index.size(); ++d) sum += index[d] * strides[d];
  return sum;
}

/// Elements side by side in row-major order of the sizes, not of the bounds.
Literal eval(const Instruction& reshape, Operands operands,
             Evaluator& /*unused*/) {
  const Literal& operand = operands[0];
  Literal result(reshape.shape);
  const auto& bounds = reshape.shape.dims;
  const Ints from = operand.dynamic_sizes().empty() ? operand.shape().dims
                                                    : operand.dynamic_sizes();
  Ints to;
  for (size_t d = 0; d < bounds.size(); ++d) {
    const bool dynamic = reshape.shape.is_dynamic(static_cast<int64_t>(d));
    const int64_t given = operands[d + 1].integer(0);
    to.push_back(dynamic ? std::clamp<int64_t>(given, 0, bounds[d])
                         : bounds[d]);
  }
  const Ints source_strides = row_major_strides(operand.shape().dims);
  const Ints target_strides = row_major_strides(bounds);
  Index source(from.size(), 0);
  Index target(to.size(), 0);
  bool more = has_elements(from) && has_elements(to);
  while (more) {
    result.set(position(target, target_strides),
               operand.at(position(source, source_strides)));
    more = advance(source, from) && advance(target, to);
  }
  result.set_dynamic_sizes(std::move(to));
  return result;
}

}  // namespace

extern constinit const Op op_dynamic_reshape{.name = "dynamic-reshape",
                                             .min_operands = 1,
                                             .max_operands = -1,
                                             .infer = infer,
                                             .eval = eval,
                                             .accuracy = {.moves_data = true}};

}  // namespace hlo
