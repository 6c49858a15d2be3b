#include "conformance/sets/element_rule.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "conformance/literals/literal_bits.h"
#include "conformance/sets/admitted.h"
#include "conformance/sets/open_results.h"
#include "interpreter/definition/elementwise_element.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/foreign/targets.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

constexpr size_t kMaxOperands = 3;

bool is_nan(const Scalar& scalar) {
  return is_float(scalar.type) &&
         numeric::is_nan(scalar.bits[0], numeric::format(scalar.type));
}

/// A component of an operand.
struct Component {
  size_t operand;
  size_t part;
};

bool is_subnormal_at(std::span<const Scalar> operands, const Component& at) {
  const Scalar& scalar = operands[at.operand];
  const ElementType type = component_type(scalar.type);
  return is_float(type) &&
         is_subnormal(scalar.bits.at(at.part), numeric::format(type));
}

/// Those components of operands that are subnormal.
struct SubnormalComponents {
  std::array<Component, 2 * kMaxOperands> at{};
  size_t count = 0;

  void find(std::span<const Scalar> operands) {
    for (size_t k = 0; k < operands.size(); ++k) {
      const auto parts = static_cast<size_t>(components(operands[k].type));
      for (size_t part = 0; part < parts; ++part) {
        if (is_subnormal_at(operands, {k, part})) at.at(count++) = {k, part};
      }
    }
  }
};

/// Makes it the zero of its sign, where the format has two.
void flush(std::span<Scalar> operands, const Component& at) {
  Scalar& scalar = operands[at.operand];
  const FloatFormat& format = numeric::format(component_type(scalar.type));
  scalar.bits.at(at.part) &=
      format.has_negative_zero() ? format.sign_mask() : 0;
}

/// A NaN of an operand as an operation returns it: quiet.
uint64_t quieted(uint64_t code, const FloatFormat& format) {
  if (!numeric::is_signaling_nan(code, format)) return code;
  return code | uint64_t{1} << (format.mantissa_bits - 1);
}

/// Whether the operation computes with floats alone, or with others alone. An
/// integer beside a float, such as the random bits of a conversion, may choose
/// among results in ways that no rule of rounding tells.
bool all_of_one_class(const Instruction& instruction) {
  const auto is_like_the_first = [&](const Instruction* operand) {
    return is_float(operand->shape.element_type) ==
           is_float(instruction.operand_shape(0).element_type);
  };
  return instruction.op->accuracy.moves_data ||
         std::ranges::all_of(instruction.operands, is_like_the_first);
}

bool all_real(const Instruction& instruction) {
  return !is_complex(instruction.shape.element_type) &&
         std::ranges::none_of(instruction.operands, [](const Instruction* x) {
           return is_complex(x->shape.element_type);
         });
}

/// Whether what the operation rounds may be kept as it is. Where it rounds on
/// purpose the rounded value is its exact one.
bool may_stay_unrounded(const Instruction& instruction,
                        const Profile& profile) {
  return profile.excess_precision == ExcessPrecision::kAllowed ||
         (profile.contraction == FusedProducts::kFma &&
          instruction.op->facts.arithmetic == Arithmetic::kProduct);
}

/// Whether the exact result is NaN, of numbers that have no exact_value(): a
/// zero stands for it in formats without NaN.
bool is_really_nan(const Op& op, std::span<const double> values) {
  if (std::ranges::any_of(values, [](double x) { return std::isnan(x); })) {
    return true;
  }
  if (op.facts.behaviour.kind == Behaviour::Kind::kRemainder) {
    return std::isinf(values[0]) || values[1] == 0;
  }
  return op.facts.arithmetic != Arithmetic::kNone || op.accuracy.function ||
         op.accuracy.function2;
}

bool is_zero(uint64_t code, const FloatFormat& format) {
  return !numeric::is_nan(code, format) && numeric::ordinal(code, format) == 0;
}

/// By which an error grows: not with an infinity.
double magnitude_of(double x) { return std::isinf(x) ? 0 : std::fabs(x); }

bool is_real_function(const Op& op) {
  return op.accuracy.kind == Accuracy::Kind::kRounded;
}

/// The NaNs of the operands of that type, quiet; any where none is given.
void add_payloads(ValueSet& set, std::span<const Scalar> operands,
                  ElementType type) {
  bool found = false;
  for (const Scalar& operand : operands) {
    if (operand.type != type || !is_nan(operand)) continue;
    found = true;
    set.add_nan_code(quieted(operand.bits[0], numeric::format(type)), type);
  }
  if (!found) set.add_quiet_nan();
}

/// On which side of the number the exact value lies.
int side_of(const definition::Real& exact, const Scalar& number) {
  const definition::Real rounded =
      definition::decode(number.bits[0], number.type);
  return exact > rounded ? 1 : exact < rounded ? -1 : 0;
}

/// What lies between the codes next to an exact value on that side.
void add_unrounded(ValueSet& set, const Scalar& rounded, int side) {
  if (side == 0 || is_nan(rounded)) return;
  const Place place = place_of(rounded.bits[0], rounded.type);
  // Beyond the last code there are no places.
  const Place next = std::clamp(place + side, least_place(rounded.type),
                                greatest_place(rounded.type));
  set.add(Places{std::min(place, next), std::max(place, next)});
}

/// What an operation without exact_value() gives before it is rounded, by its
/// definition: of operands of other types that may be no code.
std::optional<ExactValue> value_by_definition(const Op& op,
                                              std::span<const Scalar> operands,
                                              const Scalar& result) {
  const FloatFormat& format = numeric::format(result.type);
  if (op.facts.exact == nullptr || numeric::is_nan(result.bits[0], format)) {
    return std::nullopt;
  }
  const auto exact = op.facts.exact(operands, 0);
  if (!exact || isnan(*exact)) return std::nullopt;
  return ExactValue{.rounded = {result.bits[0], side_of(*exact, result)},
                    .wide = std::nullopt};
}

/// Whether a result is zero in place of the NaN that its type lacks.
bool stands_for_nan(const Scalar& result, const Op& op,
                    std::span<const double> operands) {
  const FloatFormat& format = numeric::format(result.type);
  return !format.has_nan() && is_zero(result.bits[0], format) &&
         is_really_nan(op, operands);
}

}  // namespace

bool moves_bits(const Instruction& instruction) {
  const auto is_converted = [&](const Instruction* operand) {
    const ElementType type = component_type(operand->shape.element_type);
    return is_float(type) &&
           type != component_type(instruction.shape.element_type);
  };
  const Op& op = *instruction.op;
  // The others take bytes as they are, and so does what reads bits.
  const bool takes_elements =
      op.form != Form::kBits && (op.form == Form::kIdentity ||
                                 op.source != nullptr || op.element != nullptr);
  return op.accuracy.moves_data &&
         !(takes_elements && instruction.shape.is_array() &&
           std::ranges::any_of(instruction.operands, is_converted));
}

bool keeps_bits(const Instruction& instruction) {
  return moves_bits(instruction) || instruction.op->accuracy.sets_sign;
}

bool leaves_axes(const Instruction& instruction) {
  return !keeps_bits(instruction) && instruction.op->updates == nullptr &&
         !ElementRule::applies_to(instruction);
}

bool ElementRule::applies_to(const Instruction& instruction) {
  const Op& op = *instruction.op;
  // Only what is exact or rounded has a rule for each element.
  if (op.element == nullptr || !all_of_one_class(instruction)) return false;
  return all_real(instruction) || (op.accuracy.kind == Accuracy::Kind::kExact &&
                                   op.accuracy.complex_units == 0);
}

ElementRule::ElementRule(const Instruction& instruction, const Profile& profile,
                         bool is_intermediate)
    : lanes_(instruction),
      profile_(profile),
      bounds_(bounds(find_level(profile.level), function_name(*instruction.op),
                     instruction.shape.element_type,
                     is_real_function(*instruction.op))),
      limits_(is_float(instruction.shape.element_type)
                  ? limits(instruction.op->facts.range,
                           instruction.shape.element_type)
                  : Limits{}),
      computes_(!keeps_bits(instruction)),
      keeps_excess_(is_intermediate &&
                    may_stay_unrounded(instruction, profile)) {}

ElementSet ElementRule::at_end(std::span<const Scalar> operands,
                               double largest_x) {
  is_end_ = true;
  largest_x_ = largest_x;
  const ElementSet set = at(operands);
  is_end_ = false;
  return set;
}

bool ElementRule::has_one_bound(double low, double high) const {
  for (const Bound& bound : bounds_) {
    if (bound.from <= low && high <= bound.to) return true;
    if (bound.from <= high && low <= bound.to) return false;
  }
  return true;
}

ElementSet ElementRule::at(std::span<const Scalar> operands) {
  ElementSet set;
  SubnormalComponents subnormal;
  if (has_daz(profile_) && computes_) subnormal.find(operands);
  // Each of these is flushed and is not.
  for (size_t choice = 0; choice < (size_t{1} << subnormal.count); ++choice) {
    std::array<Scalar, kMaxOperands> variant{};
    std::ranges::copy(operands, variant.begin());
    for (size_t k = 0; k < subnormal.count; ++k) {
      if ((choice >> k & 1) != 0) flush(variant, subnormal.at.at(k));
    }
    set.add(of_variant({variant.data(), operands.size()}));
  }
  if (!moves_bits(lanes_.instruction())) {
    add_axes(set.parts[0], profile_, component_type(lanes_.result_type()));
  }
  return set;
}

ElementSet ElementRule::of_variant(std::span<const Scalar> operands) {
  const Scalar result = lanes_.apply(operands);
  ElementSet set;
  if (is_open(lanes_.instruction(), profile_, operands)) {
    set.parts[0] = ValueSet::everything(result.type);
    return set;
  }
  if (is_complex(result.type) && !moves_bits(lanes_.instruction())) {
    return of_complex(result);
  }
  if (!computes_ || !is_float(result.type)) {
    set = ElementSet::of(result);
    // The sign of a NaN is a matter of its payload.
    if (!moves_bits(lanes_.instruction()) && is_nan(result) &&
        profile_.nan != NanRule::kPayload) {
      add_nan(set.parts[0], operands, result);
    }
    return set;
  }
  set.parts[0] = of_real(operands, result);
  return set;
}

/// The parts of a complex number, each of which obeys the axes.
ElementSet ElementRule::of_complex(const Scalar& result) const {
  const FloatFormat& format = numeric::format(component_type(result.type));
  ElementSet set;
  for (size_t part = 0; part < 2; ++part) {
    const uint64_t code = result.bits.at(part);
    ValueSet own = exactly(code, computes_ && has_ftz(profile_), format);
    if (!computes_ && numeric::is_nan(code, format)) {
      // Only the sign has changed: the NaN may be signaling.
      if (profile_.nan == NanRule::kPayload)
        own = ValueSet::of(code, format.type);
      own.add_nan_code(code, format.type);
    }
    set.parts.at(part) = with_axes(own, code, profile_, format.type);
  }
  return set;
}

ValueSet ElementRule::of_real(std::span<const Scalar> operands,
                              const Scalar& result) {
  const FloatFormat& format = numeric::format(result.type);
  ValueSet set;
  if (is_nan(result)) {
    add_nan(set, operands, result);
    const bool is_given = std::ranges::any_of(operands, [](const Scalar& x) {
      return is_nan(x) || !is_float(x.type);
    });
    if (is_given) return set;
  }
  const auto integer = std::ranges::find_if_not(
      operands, [](const Scalar& x) { return is_float(x.type); });
  if (integer != operands.end()) return of_integers(*integer, result);
  std::array<double, kMaxOperands> values{};
  std::ranges::transform(operands, values.begin(), [](const Scalar& x) {
    return numeric::decode(x.bits[0], numeric::format(x.type));
  });
  const Op& op = *lanes_.instruction().op;
  const std::span<const double> numbers(values.data(), operands.size());
  auto value = exact_value(op, numbers, result.bits[0], format);
  if (!value && stands_for_nan(result, op, numbers)) {
    set.add(Places{-1, 0});
    return set;
  }
  if (!value) value = value_by_definition(op, operands, result);
  if (!value) {
    if (!is_nan(result)) {
      set.add(exactly(result.bits[0], has_ftz(profile_), format));
    }
    return set;
  }
  set.add(admitted(*value,
                   {.bound = bound_at(bounds_, values[0]),
                    .x = is_end_ ? largest_x_ : magnitude_of(values[0]),
                    .limits = limits_,
                    .ftz = has_ftz(profile_),
                    .spans_binades = is_end_},
                   format));
  if (is_nan(result) && profile_.nan == NanRule::kCanonical) {
    set = with_nan(set, result.bits[0], result.type);
  }
  if (keeps_excess_) add_unrounded(set, result, value->rounded.side);
  return set;
}

/// A float of an integer: it may have lost digits.
ValueSet ElementRule::of_integers(const Scalar& operand,
                                  const Scalar& result) const {
  const FloatFormat& format = numeric::format(result.type);
  ValueSet set = exactly(result.bits[0], has_ftz(profile_), format);
  if (!keeps_excess_ || is_nan(result)) return set;
  const definition::Real exact(
      definition::integer_of(operand, is_signed(operand.type)));
  add_unrounded(set, result, side_of(exact, result));
  return set;
}

void ElementRule::add_nan(ValueSet& set, std::span<const Scalar> operands,
                          const Scalar& result) const {
  switch (profile_.nan) {
    case NanRule::kAny:
      set.add_quiet_nan();
      break;
    case NanRule::kCanonical:
      break;
    case NanRule::kFree:
      set.add(ValueSet::everything(result.type));
      break;
    case NanRule::kPayload:
      add_payloads(set, operands, result.type);
      break;
  }
  // A conversion to the same type may keep a signaling one.
  if (profile_.nan == NanRule::kCanonical ||
      numeric::is_signaling_nan(result.bits[0], numeric::format(result.type))) {
    set.add_nan_code(result.bits[0], result.type);
  }
}

}  // namespace hlo::conformance
