#include "conformance/sets/open_results.h"

#include <cmath>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

bool divides_openly(const Instruction& instruction, const Profile& profile) {
  const ElementFacts& facts = instruction.op->facts;
  return profile.integer_division == Freedom::kAny &&
         is_integer(instruction.shape.element_type) &&
         (facts.arithmetic == Arithmetic::kQuotient ||
          facts.behaviour.kind == Behaviour::Kind::kRemainder);
}

bool converts_openly(const Instruction& instruction, const Profile& profile) {
  return profile.conversions == Freedom::kAny &&
         instruction.op->facts.arithmetic == Arithmetic::kCopy &&
         is_integer(instruction.shape.element_type) &&
         is_float(instruction.operand_shape(0).element_type);
}

/// -1 in the type; all bits are ones.
uint64_t minus_one(ElementType type) {
  return ~uint64_t{0} >> (64 - bits(type));
}

uint64_t least_integer(ElementType type) {
  return uint64_t{1} << (bits(type) - 1);
}

/// Whether the integral part of the number is an integer of the type.
bool fits(const Scalar& number, ElementType type) {
  const double integral =
      std::trunc(numeric::decode(number.bits[0], numeric::format(number.type)));
  const auto width = bits(type);
  const bool has_sign = is_signed(type);
  const double beyond = std::ldexp(1.0, has_sign ? width - 1 : width);
  return integral >= (has_sign ? -beyond : 0) && integral < beyond;
}

}  // namespace

bool is_open(const Instruction& instruction, const Profile& profile,
             std::span<const Scalar> operands) {
  const ElementType type = instruction.shape.element_type;
  if (converts_openly(instruction, profile)) return !fits(operands[0], type);
  if (!divides_openly(instruction, profile)) return false;
  const uint64_t divisor = operands[1].bits[0];
  return divisor == 0 || (is_signed(type) && divisor == minus_one(type) &&
                          operands[0].bits[0] == least_integer(type));
}

bool may_divide_openly(const Instruction& instruction, const Profile& profile,
                       std::span<const ValueSet> operands) {
  const ElementType type = instruction.shape.element_type;
  if (!divides_openly(instruction, profile)) return false;
  return operands[1].contains(0, type) ||
         (is_signed(type) && operands[1].contains(minus_one(type), type) &&
          operands[0].contains(least_integer(type), type));
}

}  // namespace hlo::conformance
