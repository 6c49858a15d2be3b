#include "conformance/random/general_recipe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/random/region_recipes.h"

namespace hlo::conformance {
namespace {

std::string any_word(ProgramWriter& writer, std::string_view words) {
  std::istringstream all{std::string(words)};
  const std::vector<std::string> choices{
      std::istream_iterator<std::string>(all), {}};
  return writer.draw.of(choices);
}

bool can_be_drawn(AttributeKind kind) {
  return kind == AttributeKind::kBool || kind == AttributeKind::kInt ||
         kind == AttributeKind::kInts || kind == AttributeKind::kWindow ||
         kind == AttributeKind::kWord || kind == AttributeKind::kComputation;
}

/// The text of a value of the attribute for an operand of that shape.
std::string any_value(ProgramWriter& writer, const AttributeSpec& attribute,
                      const Shape& shape) {
  Draw& draw = writer.draw;
  switch (attribute.kind) {
    case AttributeKind::kBool:
      return draw.one_in(2) ? "true" : "false";
    case AttributeKind::kInt:
      return std::to_string(
          draw.between(0, std::max<int64_t>(shape.rank() - 1, 0)));
    case AttributeKind::kInts:
      return list(draw.one_in(2) ? draw.subset(shape.rank())
                                 : draw.permutation(shape.rank()));
    case AttributeKind::kWindow:
      return write_window(writer, shape.dims);
    case AttributeKind::kWord:
      return any_word(writer, attribute.words);
    default:
      return write_reducer(writer, shape.element_type);
  }
}

std::string any_attributes(ProgramWriter& writer, const Op& op,
                           const Shape& shape) {
  std::vector<std::string> texts;
  for (const AttributeSpec& attribute : op.attributes) {
    if (!can_be_drawn(attribute.kind)) continue;
    if (!attribute.required && !writer.draw.one_in(2)) continue;
    texts.push_back(fmt::format("{}={}", attribute.name,
                                any_value(writer, attribute, shape)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

void write_general(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const Shape scalar = Shape::scalar(x.shape.element_type);
  const int64_t folded = op.cells != nullptr ? 1 : op.min_operands;
  Names operands = {x.name};
  for (int64_t k = 1; k < op.min_operands; ++k) {
    operands.push_back(writer.operand(k < folded ? x.shape : scalar));
  }
  writer.add("", op.name, operands, any_attributes(writer, op, x.shape));
}

}  // namespace hlo::conformance
