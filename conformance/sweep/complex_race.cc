#include "conformance/sweep/complex_race.h"

#include <variant>

#include "conformance/expect/expect.h"
#include "conformance/expect/linear/expect_complex.h"
#include "conformance/sets/value_set.h"
#include "conformance/sweep/error_units.h"
#include "conformance/sweep/level_race.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

/// Whether the part is the one nearest to the exact value, or with `faithful`
/// the one on its other side.
bool passes_part(const SweptComplex& element, size_t part, bool faithful) {
  const ElementType type = component_type(element.actual.type);
  const FloatFormat& format = numeric::format(type);
  const uint64_t actual = element.actual.bits.at(part);
  const uint64_t reference = element.reference.bits.at(part);
  if (actual == reference) return true;
  const bool is_nan = numeric::is_nan(actual, format);
  if (is_nan || numeric::is_nan(reference, format)) {
    return is_nan && numeric::is_nan(reference, format);
  }
  const bool opposite = (actual ^ reference) == format.sign_mask();
  if (opposite && element.open_signs.at(part)) return true;
  const int side = element.sides.at(part);
  return faithful && side != 0 &&
         place_of(actual, type) == place_of(reference, type) + side;
}

}  // namespace

ComplexRace::ComplexRace(const Instruction& instruction, const Profile& profile)
    : instruction_(instruction),
      half_units_(half_units_of_modulus(
          *instruction.op, component_type(instruction.shape.element_type))) {
  const bool ruled = ElementRule::applies_to(instruction);
  for (size_t axes = 0; axes < entrants_.size(); ++axes) {
    for (const Level& level : all_levels()) {
      const Profile own = with_axes(level, profile, axes == 1);
      entrants_.at(axes).push_back(
          {.profile = own,
           .parts = complex_parts(
               level, component_type(instruction.shape.element_type)),
           .rule = ruled ? std::make_unique<ElementRule>(instruction, own)
                         : nullptr});
    }
  }
}

bool ComplexRace::passes(Entrant& entrant, const SweptComplex& element) const {
  if (entrant.rule != nullptr) {
    const std::span<const Scalar> operands(element.operands.data(),
                                           element.arity);
    return entrant.rule->at(operands).contains(element.actual);
  }
  if (entrant.parts != ComplexParts::kByModulus) {
    const bool faithful = entrant.parts == ComplexParts::kFaithful;
    return passes_part(element, 0, faithful) &&
           passes_part(element, 1, faithful);
  }
  // A unit in the last place of a part is at most two half ones of the modulus.
  const auto units = static_cast<double>(element.units + 1);
  const bool near =
      element.units >= 0 && 2 * units <= half_units_ * double{kUnitsPerUlp};
  return near || is_admitted(entrant, element);
}

/// By the set that judges a program of this instruction alone.
bool ComplexRace::is_admitted(const Entrant& entrant,
                              const SweptComplex& element) const {
  const auto array = [&](const Scalar& x) {
    return Literal::splat(instruction_.shape, x);
  };
  std::vector<Literal> operands;
  for (size_t k = 0; k < element.arity; ++k) {
    operands.push_back(array(element.operands.at(k)));
  }
  const std::vector<Literal> observed = {array(element.actual)};
  const std::vector<Expectation> sets =
      expect(instruction_, operands, array(element.reference), &observed,
             entrant.profile);
  const auto* set = std::get_if<ArraySet>(&sets.at(0));
  return set == nullptr || set->element(0).contains(element.actual);
}

void ComplexRace::judge(const SweptComplex& element, SweepTally& tally) {
  for (size_t axes = 0; axes < entrants_.size(); ++axes) {
    auto& entrants = entrants_[axes];
    auto& counts = tally.levels[axes];
    counts.resize(entrants.size());
    for (size_t i = 0; i < entrants.size(); ++i) {
      if (counts[i].count > 0 || passes(entrants[i], element)) continue;
      counts[i].note(element.codes());
    }
  }
}

}  // namespace hlo::conformance
