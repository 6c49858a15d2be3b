#include "conformance/sets/open_results.h"

#include <cmath>

#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
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

/// The set with its canonical NaN only. NaN of either sign stands for what lies
/// beyond the largest number where there is no infinity.
ValueSet canonical(const ValueSet& set, uint64_t value, ElementType type) {
  const numeric::FloatFormat& format = numeric::format(type);
  if (numeric::is_nan(value, format)) return with_nan(set, value, type);
  if (!set.has_nan() || !format.has_infinity()) return set;
  return with_nan(set, numeric::nan_code(false, format), type);
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

ValueSet with_nan(const ValueSet& set, uint64_t nan, ElementType type) {
  ValueSet own = set.numbers();
  own.add_nan_code(nan, type);
  return own;
}

void add_axes(ValueSet& set, const Profile& profile, ElementType type) {
  if (profile.zero_sign != ZeroSign::kLax || !is_float(type)) return;
  if (!numeric::format(type).has_negative_zero()) return;
  const uint64_t minus_zero = numeric::format(type).sign_mask();
  if (set.contains(0, type) || set.contains(minus_zero, type)) {
    set.add(Places{-1, 0});
  }
}

ValueSet with_axes(ValueSet set, uint64_t value, const Profile& profile,
                   ElementType type) {
  if (profile.nan == NanRule::kCanonical) set = canonical(set, value, type);
  if (profile.nan == NanRule::kFree &&
      numeric::is_nan(value, numeric::format(type))) {
    set.add(ValueSet::everything(type));
  }
  add_axes(set, profile, type);
  return set;
}

void apply_axes(Expectation& set, const Literal* observed,
                const Profile& profile) {
  auto* const array = std::get_if<ArraySet>(&set);
  const bool has_axes = profile.nan == NanRule::kCanonical ||
                        profile.nan == NanRule::kFree ||
                        profile.zero_sign == ZeroSign::kLax;
  if (array == nullptr || !has_axes) return;
  const ElementType type = component_type(array->value.type());
  if (!is_float(type)) return;
  for_each_difference(array->value, observed, [&](int64_t i) {
    const Scalar value = array->value.at(i);
    for (int part = 0; part < components(value.type); ++part) {
      array->put(
          i, part,
          with_axes(array->at(i, part),
                    value.bits.at(static_cast<size_t>(part)), profile, type));
    }
  });
}

}  // namespace hlo::conformance
