// spec/ops/rng.md
#include <array>

#include "interpreter/definition/functions/real_functions.h"
#include "interpreter/definition/generate.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/definition/random_words.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

using definition::Integer;
using definition::Real;

constexpr AttributeSpec kAttributes[] = {
    {"distribution", AttributeKind::kWord, true, "rng_uniform rng_normal"},
};

bool is_normal(const Instruction& rng) {
  return rng.get<Word>("distribution").value == "rng_normal";
}

Shape infer(const Instruction& rng) {
  const Shape& result = given_shape(rng);
  require(rng.operands.size() == 2 && rng.operand_shape(0).is_scalar() &&
              rng.operand_shape(1).is_scalar(),
          "rng.C1", {"the operands are ", OperandShapes{rng}},
          "they must be two scalars");
  const ElementType type = rng.operand_shape(0).element_type;
  require(
      type == rng.operand_shape(1).element_type && type == result.element_type,
      "rng.C2",
      {"the operands are ", OperandShapes{rng}, " and the result is ", result},
      "they must have one element type");
  if (is_normal(rng)) {
    require(is_float(type), "rng.C3", {"the type is ", type},
            "rng_normal can give floats only");
  } else {
    require(!is_complex(type), "rng.C4", {"the type is ", type},
            "rng_uniform can give floats, integers or pred only");
  }
  return result;
}

/// The number of 128 bits in a block.
Integer number_of(const std::array<uint32_t, 4>& words) {
  Integer r = 0;
  for (size_t i = 4; i-- > 0;) r = (r << 32) + words.at(i);
  return r;
}

/// a + floor((b - a) R / 2^128)
uint64_t uniform_integer(const Scalar& a, const Scalar& b, const Integer& r) {
  const int width = bits(a.type);
  const auto decode = [&](const Scalar& x) {
    return definition::decode_integer(x.bits[0], width, is_signed(x.type));
  };
  if (decode(b) <= decode(a)) return a.bits[0];
  return definition::wrap(decode(a) + ((decode(b) - decode(a)) * r >> 128),
                          width);
}

/// a + (b - a) u rounded down
uint64_t uniform_float(const Real& a, const Real& b, const Integer& r,
                       ElementType type) {
  if (a == b) return encode(a, type);
  if (!(a < b) || isinf(a) || isinf(b)) return encode(Real::nan(), type);
  const int p = definition::precision(type);
  const Real u = Real(r >> (128 - p)) / Real(Integer(1) << p);
  return encode_down(a + (b - a) * u, type);
}

/// x, rounded to f64.
Real in_f64(const Real& x) {
  const uint64_t code = encode(x, ElementType::kF64);
  return definition::decode(code, ElementType::kF64);
}

Real in_f64(definition::Function function, const Real& x) {
  return in_f64(rounded_to_odd(function, x));
}

/// a + b z with z = sqrt(-2 log u) cos(2pi v), whose operations are those of
/// f64.
uint64_t normal(const Real& a, const Real& b, const Integer& r,
                ElementType type) {
  using enum definition::Function;
  const Real steps = 0x1p53;
  const Real u = Real((r >> 75) + 1) / steps;
  const Real v = Real((r >> 11) % (Integer(1) << 53)) / steps;
  const Real two_pi = 0x1.921fb54442d18p+2;
  const Real radius = in_f64(kSqrt, -2 * in_f64(kLog, u));
  const Real z = in_f64(radius * in_f64(kCosine, in_f64(two_pi * v)));
  return encode(a + b * z, type);
}

uint64_t draw(const Instruction& rng, const Scalar& a, const Scalar& b,
              const Integer& r) {
  if (!is_float(a.type)) return uniform_integer(a, b, r);
  const Real low = definition::decode(a.bits[0], a.type);
  const Real high = definition::decode(b.bits[0], b.type);
  return is_normal(rng) ? normal(low, high, r, a.type)
                        : uniform_float(low, high, r, a.type);
}

Literal value(const Instruction& rng, Operands operands, Evaluator& evaluator) {
  std::array<uint64_t, 2>& state = evaluator.random_state();
  const Integer s = state[0] + (Integer(state[1]) << 64);
  const Shape& shape = rng.shape;
  Literal result = definition::generate(shape, [&](const Index& index) {
    const Integer counter = s + linearize(index, shape.dims);
    const Integer r = number_of(definition::philox(counter, 0));
    return Scalar{
        shape.element_type,
        {draw(rng, operands[0].scalar(), operands[1].scalar(), r), 0}};
  });
  const Integer end = s + result.element_count();
  state = {definition::wrap(end, 64), definition::wrap(end >> 64, 64)};
  return result;
}

int64_t work(const Instruction& random) {
  constexpr int64_t kElement = 100;
  return saturating_product({result_elements(random), kElement});
}

}  // namespace

extern constinit const Op op_rng{.name = "rng",
                                 .min_operands = 0,
                                 .max_operands = -1,
                                 .attributes = kAttributes,
                                 .infer = infer,
                                 .value = value,
                                 .work = work,
                                 .accuracy = {Accuracy::Kind::kDrawn},
                                 .randomness = Randomness::kNumbers,
                                 .fit = fit_shapes};

}  // namespace hlo
