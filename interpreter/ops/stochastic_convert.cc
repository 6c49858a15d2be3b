// spec/ops/stochastic_convert.md
#include <optional>

#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

Shape infer(const Instruction& convert) {
  const Shape& operand = convert.operand_shape(0);
  const Shape& random = convert.operand_shape(1);
  const Shape& given = given_shape(convert);
  require(is_float(operand.element_type), "stochastic-convert.C1",
          {"the first operand is ", operand}, "it must be of a float type");
  require(is_unsigned(random.element_type) &&
              bits(random.element_type) == bits(operand.element_type),
          "stochastic-convert.C2",
          {"the operands are ", operand, " and ", random},
          "the second must be of the unsigned type as wide as the first's");
  require(same_dims(operand, random) && same_dims(operand, given),
          "stochastic-convert.C3",
          {"the operands are ", operand, " and ", random, " and the result ",
           given},
          "they must have the same dimensions");
  require(is_signed(given.element_type) || is_float(given.element_type),
          "stochastic-convert.C4", {"the result is ", given},
          "it must be of a signed integer or float type");
  Shape result = Shape::array(given.element_type, operand.dims);
  add_dynamic_marks(result, operand);
  add_dynamic_marks(result, random);
  return result;
}

using definition::Real;

/// Whether random / 2^bits is less than the fraction, to as many bits.
bool rounds_up(const Real& random, const Real& fraction, int bits) {
  return random < floor(ldexp(fraction, bits));
}

/// Two neighbours, not negative.
struct Neighbours {
  Real low;
  Real high;
};

/// The integers next to x >= 0.
Neighbours whole_neighbours(const Real& x) { return {floor(x), floor(x) + 1}; }

/// The numbers of the type next to x >= 0; nothing where x is such a number or
/// lies beyond them.
std::optional<Neighbours> neighbours(const Real& x, ElementType type) {
  using definition::decode;
  const uint64_t code = definition::encode(x, type);
  const Real nearest = decode(code, type);
  if (nearest == x || !isfinite(nearest)) return std::nullopt;
  if (nearest > x && code == 0) return std::nullopt;  // there is no zero
  const Real other = decode(nearest > x ? code - 1 : code + 1, type);
  if (!isfinite(other) || signbit(other)) return std::nullopt;
  return nearest > x ? Neighbours{other, nearest} : Neighbours{nearest, other};
}

/// x, or the neighbour of it that the random number chooses.
Real choose(const Real& x, const Real& random, int bits, ElementType type) {
  if (!isfinite(x)) return x;
  const Real magnitude = fabs(x);
  const auto near = is_float(type) ? neighbours(magnitude, type)
                                   : std::optional(whole_neighbours(magnitude));
  if (!near) return x;
  const auto& [low, high] = *near;
  const Real fraction = (magnitude - low) / (high - low);
  return copysign(rounds_up(random, fraction, bits) ? high : low, x);
}

Scalar element(const Instruction& convert, std::span<const Scalar> x) {
  const ElementType type = convert.shape.element_type;
  const Real random(definition::integer_of(x[1], false));
  return definition::convert(
      choose(definition::real_of(x[0]), random, bits(x[0].type), type), type);
}

}  // namespace

extern constinit const Op op_stochastic_convert{
    .name = "stochastic-convert",
    .min_operands = 2,
    .max_operands = 2,
    .infer = infer,
    .element = element,
    .work = work_of_each<28>,
    .facts = {.formula = "{0}, away from zero where {1} over 2 to the power of "
                         "its bits is less than the part of the way, else "
                         "toward zero,"}};

}  // namespace hlo
