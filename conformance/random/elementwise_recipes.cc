#include "conformance/random/elementwise_recipes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hlo::conformance {

namespace {

Shape with_type(const Shape& shape, ElementType type) {
  Shape result = shape;
  result.element_type = type;
  return result;
}

void write_compare(ProgramWriter& writer, const Op& op) {
  constexpr std::array kDirections = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  const Value x = writer.array();
  std::string attributes =
      fmt::format("direction={}", writer.draw.of(kDirections));
  if (is_float(x.shape.element_type) && writer.draw.one_in(2)) {
    attributes += ", type=TOTALORDER";
  }
  writer.add("", op.name, {x.name, writer.operand(x.shape)}, attributes);
}

void write_select(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  Shape which = with_type(x.shape, ElementType::kPred);
  if (writer.draw.one_in(4)) which = Shape::scalar(ElementType::kPred);
  writer.add("", op.name,
             {writer.operand(which), x.name, writer.operand(x.shape)});
}

void write_clamp(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  const Shape bound =
      writer.draw.one_in(2) ? x.shape : Shape::scalar(x.shape.element_type);
  writer.add("", op.name,
             {writer.operand(bound), x.name, writer.operand(bound)});
}

void write_convert(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array();
  writer.add(to_string(with_type(x.shape, writer.draw.type()), false), op.name,
             {x.name});
}

void write_reduce_precision(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array(is_float);
  const int64_t exponent_bits = writer.draw.between(1, 9);
  const int64_t mantissa_bits = writer.draw.between(0, 24);
  writer.add("", op.name, {x.name},
             fmt::format("exponent_bits={}, mantissa_bits={}", exponent_bits,
                         mantissa_bits));
}

void write_stochastic_convert(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array(is_float);
  const ElementType random_type =
      *find_type(fmt::format("u{}", hlo::bits(x.shape.element_type) == 6
                                        ? 8
                                        : hlo::bits(x.shape.element_type)));
  writer.add(to_string(with_type(x.shape, writer.draw.type()), false), op.name,
             {x.name, writer.operand(with_type(x.shape, random_type))});
}

void write_complex(ProgramWriter& writer, const Op& op) {
  const Value x = writer.array(
      [](ElementType type) { return complex_type(type).has_value(); });
  writer.add("", op.name, {x.name, writer.operand(x.shape)});
}

void write_part(ProgramWriter& writer, const Op& op) {
  writer.add("", op.name,
             {writer
                  .array([](ElementType type) {
                    return is_float(type) || is_complex(type);
                  })
                  .name});
}

}  // namespace

std::span<const NamedRecipe> elementwise_recipes() {
  static constexpr std::array<NamedRecipe, 8> kRecipes = {{
      {"compare", write_compare},
      {"select", write_select},
      {"clamp", write_clamp},
      {"convert", write_convert},
      {"reduce-precision", write_reduce_precision},
      {"stochastic-convert", write_stochastic_convert},
      {"complex", write_complex},
      {"real", write_part},
  }};
  return kRecipes;
}

}  // namespace hlo::conformance
