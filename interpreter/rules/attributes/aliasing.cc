#include "interpreter/rules/attributes/aliasing.h"

#include "interpreter/error.h"

namespace hlo {
namespace {

/// A buffer may be aliased with the value that it holds.
const Shape& contents(const Shape& shape) {
  return shape.element_type == ElementType::kBuffer ? shape.tuple_shapes.front()
                                                    : shape;
}

}  // namespace

std::vector<Alias> aliases_of(const Instruction& instruction) {
  const AttributeValue* value = instruction.find("output_to_operand_aliasing");
  if (value == nullptr) return {};
  return read_aliases(std::get<Verbatim>(*value).text)
      .value_or(std::vector<Alias>{});
}

void check_alias(const Alias& alias, const std::vector<Shape>& operands,
                 const Shape& result) {
  const int64_t count = std::ssize(operands);
  require(alias.operand >= 0 && alias.operand < count, "aliasing.operand",
          {"operand ", alias.operand, " is aliased and there are ",
           Count{count, "operand"}},
          "what is aliased must exist");
  const Shape* operand = find_subshape(
      operands[static_cast<size_t>(alias.operand)], alias.operand_index);
  require(operand != nullptr, "aliasing.operand-index",
          {"part ", alias.operand_index, " of operand ", alias.operand,
           " is aliased"},
          "there must be such a part");
  const Shape* output = find_subshape(result, alias.output);
  require(output != nullptr, "aliasing.output-index",
          {"part ", alias.output, " of the result ", result, " is aliased"},
          "there must be such a part");
  require(
      compatible(contents(*operand), contents(*output), true), "aliasing.shape",
      {"the operand's part ", alias.operand_index, " is ", contents(*operand),
       " and the result's part ", alias.output, " is ", contents(*output)},
      "what is aliased must have one shape");
}

}  // namespace hlo
