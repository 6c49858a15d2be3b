// spec/ops/pad.md
#include <algorithm>

#include "interpreter/error.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/rules/sizes/fitting.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"padding", AttributeKind::kPadding, /*required=*/true}};

/// The size of a padded dimension; negative where too much is cut off.
int64_t padded_size(int64_t size, const PaddingDimension& padding) {
  const int64_t gaps = std::max<int64_t>(size - 1, 0);
  int64_t inside = 0;
  int64_t result = 0;
  const bool fits = !__builtin_mul_overflow(gaps, padding.interior, &inside) &&
                    !__builtin_add_overflow(inside, size, &inside) &&
                    !__builtin_add_overflow(inside, padding.low, &result) &&
                    !__builtin_add_overflow(result, padding.high, &result);
  return fits ? result : -1;
}

Shape infer(const Instruction& pad) {
  const Shape& operand = pad.operand_shape(0);
  const Shape& value = pad.operand_shape(1);
  const auto& padding = pad.get<PaddingConfig>("padding").dims;
  require(operand.is_array() && value.is_scalar(), "pad.C1",
          {"the operand is ", operand, " and the padding value ", value},
          "an array must be padded with a scalar");
  const auto type = common_type(operand.element_type, value.element_type);
  require(type.has_value(), "pad.C2",
          {"the operand is ", operand, " and the padding value ", value},
          "they must have one element type, or both be floats");
  require(static_cast<int64_t>(padding.size()) == operand.rank(), "pad.C3",
          {"the padding has ", Count{std::ssize(padding), "entry", "entries"},
           " for the operand ", operand},
          "it must have one per dimension");
  Shape result = operand;
  result.element_type =
      chosen_type(pad, *type, value.element_type != operand.element_type);
  result.layout.reset();
  for (size_t d = 0; d < padding.size(); ++d) {
    require(
        padding[d].interior >= 0, "pad.C4",
        {"the interior padding of dimension ", d, " is ", padding[d].interior},
        "it must not be negative");
    result.dims[d] = padded_size(operand.dims[d], padding[d]);
    require(result.dims[d] >= 0, "pad.C5",
            {"dimension ", d, " of ", operand, " would have the size ",
             result.dims[d]},
            "no more elements may be cut off than there are");
  }
  return result;
}

Origin source(const Instruction& pad, Operands, const Index& result) {
  // Differences and steps of 64 bits have more.
  __extension__ using Wide = __int128;
  const Shape& operand = pad.operand_shape(0);
  const auto& padding = pad.get<PaddingConfig>("padding").dims;
  Index index;
  for (size_t d = 0; d < result.size(); ++d) {
    const Wide offset = Wide{result[d]} - padding[d].low;
    const Wide step = Wide{padding[d].interior} + 1;
    const Wide place = offset / step;
    if (offset < 0 || offset % step != 0 || place >= operand.dims[d]) {
      return {.operand = 1};
    }
    index.push_back(static_cast<int64_t>(place));
  }
  return {0, index};
}

/// Where more is to be cut off than there is, nothing is left.
void fit(const Fitting& on) {
  auto padding = on.instruction.get<PaddingConfig>("padding");
  for (size_t d = 0; d < on.sizes[0].size(); ++d) {
    PaddingDimension& edges = padding.dims[d];
    const int64_t gaps = std::max<int64_t>(on.sizes[0][d] - 1, 0);
    // At the bound the sum is not negative: it does not overflow here.
    const int64_t size =
        on.sizes[0][d] + gaps * edges.interior + edges.low + edges.high;
    edges.high -= std::min<int64_t>(size, 0);
  }
  on.change("padding", padding);
}

}  // namespace

extern constinit const Op op_pad{.name = "pad",
                                 .min_operands = 2,
                                 .max_operands = 2,
                                 .attributes = kAttributes,
                                 .infer = infer,
                                 .source = source,
                                 .moving = {.operands = 2},
                                 .accuracy = {.moves_data = true},
                                 .fit = fit};

}  // namespace hlo
