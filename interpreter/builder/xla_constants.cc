#include "interpreter/builder/xla_constants.h"

#include <array>

#include "interpreter/error.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::builder {
namespace {

const numeric::FloatFormat& component_format(ElementType type) {
  return numeric::format(component_type(type));
}

uint64_t all_ones(int width) { return ~uint64_t{0} >> (64 - width); }

uint64_t greatest(ElementType type) {
  if (is_float(type)) {
    const numeric::FloatFormat& format = numeric::format(type);
    return format.has_infinity() ? format.infinity() : format.max_finite();
  }
  return all_ones(bits(type)) >> (is_signed(type) ? 1U : 0U);
}

uint64_t least(ElementType type) {
  if (is_float(type)) {
    const uint64_t sign = numeric::format(type).sign_mask();
    return sign == 0 ? 0 : greatest(type) | sign;
  }
  return is_signed(type) ? uint64_t{1} << (bits(type) - 1) : 0;
}

XlaOp scalar(XlaBuilder* builder, ElementType type, uint64_t code) {
  return ConstantLiteral(builder,
                         Literal::of({.type = type, .bits = {code, 0}}));
}

void require_ordered(ElementType type) {
  require(is_array_type(type) && !is_complex(type), "builder.C3",
          {"the type is ", type},
          "a constant must have the element type of an array, and one that is "
          "compared must not be complex");
}

ElementType unsigned_type(ElementType type) {
  constexpr std::array kUnsigned = {ElementType::kU8, ElementType::kU16,
                                    ElementType::kU32, ElementType::kU64};
  for (const ElementType candidate : kUnsigned) {
    if (bits(candidate) == bits(type) && !is_complex(type)) return candidate;
  }
  return type;
}

XlaOp random(XlaOp a, XlaOp b, const Shape& shape, const char* distribution) {
  return a.builder().add("rng", {a, b}, {{"distribution", Word{distribution}}},
                         shape);
}

}  // namespace

XlaOp Parameter(XlaBuilder* builder, int64_t number, const Shape& shape,
                std::string_view name) {
  return builder->add_parameter(number, shape, name);
}

XlaOp ConstantLiteral(XlaBuilder* builder, Literal value) {
  return builder->add_constant(std::move(value));
}

XlaOp Zero(XlaBuilder* builder, ElementType type) {
  require(is_array_type(type), "builder.C3", {"the type is ", type},
          "a constant must have the element type of an array");
  return scalar(builder, type, 0);
}

XlaOp One(XlaBuilder* builder, ElementType type) {
  require(is_array_type(type), "builder.C3", {"the type is ", type},
          "a constant must have the element type of an array");
  if (!is_float(type) && !is_complex(type)) return scalar(builder, type, 1);
  const numeric::FloatFormat& format = component_format(type);
  const auto code = static_cast<uint64_t>(format.bias)
                    << static_cast<unsigned>(format.mantissa_bits);
  return scalar(builder, type, code);
}

XlaOp MinValue(XlaBuilder* builder, ElementType type) {
  require_ordered(type);
  return scalar(builder, type, least(type));
}

XlaOp MaxValue(XlaBuilder* builder, ElementType type) {
  require_ordered(type);
  return scalar(builder, type, greatest(type));
}

XlaOp Iota(XlaBuilder* builder, const Shape& shape, int64_t iota_dimension) {
  return builder->add("iota", {}, {{"iota_dimension", iota_dimension}}, shape);
}

XlaOp Iota(XlaBuilder* builder, ElementType type, int64_t size) {
  return Iota(builder, Shape::array(type, {size}), 0);
}

XlaOp RngNormal(XlaOp mu, XlaOp sigma, const Shape& shape) {
  return random(mu, sigma, shape, "rng_normal");
}

XlaOp RngUniform(XlaOp a, XlaOp b, const Shape& shape) {
  return random(a, b, shape, "rng_uniform");
}

XlaOp RngBitGenerator(RandomAlgorithm algorithm, XlaOp initial_state,
                      const Shape& shape) {
  constexpr std::array kWords = {"rng_default", "rng_three_fry", "rng_philox"};
  Shape generated = shape;
  generated.element_type = unsigned_type(shape.element_type);
  return initial_state.builder().add(
      "rng-bit-generator", {initial_state},
      {{"algorithm", Word{kWords.at(static_cast<size_t>(algorithm))}}},
      Shape::tuple({initial_state.shape(), generated}));
}

}  // namespace hlo::builder
