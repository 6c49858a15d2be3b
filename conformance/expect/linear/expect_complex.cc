#include "conformance/expect/linear/expect_complex.h"

#include <array>
#include <optional>
#include <vector>

#include "conformance/expect/linear/exact_complex.h"
#include "conformance/expect/linear/expect_normwise.h"
#include "conformance/expect/linear/open_signs.h"
#include "conformance/levels/level.h"
#include "conformance/literals/differences.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/exact_value.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/foreign/targets.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using definition::Real;
using numeric::FloatFormat;

/// The part rounded once, and what lies on the other side of its exact value.
ValueSet neighbours(uint64_t code, const Real& exact,
                    const FloatFormat& format) {
  ValueSet set = ValueSet::of(code, format.type);
  const Place place = place_of(code, format.type);
  if (numeric::is_infinity(code, format)) {
    const Place inward = numeric::sign_bit(code, format) ? 1 : -1;
    if (is_next_to_infinity(exact, format)) {
      set.add(Places{place + inward, place + inward});
    }
    return set;
  }
  const Real rounded = definition::decode(code, format.type);
  if (exact > rounded) set.add(Places{place + 1, place + 1});
  if (exact < rounded) set.add(Places{place - 1, place - 1});
  return set;
}

/// Whether it is the least normal number, and less before it was rounded.
bool becomes_normal(uint64_t code, const Real& exact,
                    const FloatFormat& format) {
  const uint64_t least = uint64_t{1} << format.mantissa_bits;
  return (code & ~format.sign_mask()) == least &&
         fabs(exact) < definition::decode(least, format.type);
}

/// Whether the code is an infinity or a zero, whose sign may be open.
bool has_bare_sign(uint64_t code, const FloatFormat& format) {
  return numeric::is_infinity(code, format) ||
         (code & ~format.sign_mask()) == 0;
}

/// Whether the sign of each part is open where it is an infinity or a zero.
std::array<bool, 2> open_signs_at(const Instruction& instruction,
                                  Operands operands, int64_t i) {
  const auto function = instruction.op->accuracy.complex_function;
  if (!function) return {};
  const Scalar z = operands[0].at(i);
  const FloatFormat& format = numeric::format(component_type(z.type));
  return open_signs(*function, {numeric::decode(z.bits[0], format),
                                numeric::decode(z.bits[1], format)});
}

/// Each part rounded once, or one of the neighbours of its exact value.
ArraySet expect_parts(const Instruction& instruction, Operands operands,
                      const Literal& reference, const Literal* observed,
                      bool faithful, bool ftz) {
  ArraySet set = ArraySet::computed(reference);
  const FloatFormat& format = numeric::format(component_type(reference.type()));
  for_each_difference(reference, observed, [&](int64_t i) {
    const auto exact =
        faithful || ftz ? exact_parts(instruction, operands, i) : std::nullopt;
    const auto open = open_signs_at(instruction, operands, i);
    for (int part = 0; part < components(reference.type()); ++part) {
      const auto k = static_cast<size_t>(part);
      const uint64_t code = reference.at(i).bits.at(k);
      ValueSet own = set.at(i, part);
      if (exact && faithful && !numeric::is_nan(code, format)) {
        own = neighbours(code, exact->at(k), format);
      }
      if (exact && ftz && becomes_normal(code, exact->at(k), format)) {
        own.add(ValueSet::of(code & format.sign_mask(), format.type));
      }
      if (open.at(k) && has_bare_sign(code, format)) {
        own.add(ValueSet::of(code ^ format.sign_mask(), format.type));
      }
      set.put(i, part, own);
    }
  });
  return set;
}

}  // namespace

bool is_next_to_infinity(const Real& exact, const FloatFormat& format) {
  return fabs(exact) < ldexp(Real(1.0), format.max_exponent() + 1);
}

double half_units_of_modulus(const Op& op, ElementType part) {
  if (op.accuracy.complex_units > 0) return op.accuracy.complex_units;
  const Bound& gate = bounds(find_level("tight"), function_name(op), part,
                             /*is_real_function=*/true)
                          .front();
  return 2.0 * gate.steps + 1;
}

Expectation expect_complex(const Instruction& instruction, Operands operands,
                           const Literal& reference, const Literal* observed,
                           const Profile& profile) {
  const ElementType part = component_type(reference.type());
  const ComplexParts rule = complex_parts(find_level(profile.level), part);
  if (rule == ComplexParts::kByModulus) {
    return expect_normwise(half_units_of_modulus(*instruction.op, part),
                           instruction, operands, reference, observed);
  }
  return expect_parts(instruction, operands, reference, observed,
                      rule == ComplexParts::kFaithful, has_ftz(profile));
}

}  // namespace hlo::conformance
