#include "conformance/sweep/level_race.h"

#include <algorithm>
#include <cmath>

#include "conformance/sets/exact_value.h"
#include "conformance/sets/membership.h"
#include "conformance/sweep/error_units.h"
#include "interpreter/foreign/targets.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

bool is_real_function(const Op& op) {
  return op.accuracy.kind == Accuracy::Kind::kRounded;
}

bool within(Place place, const Limits& limits) {
  return (!limits.least || place >= *limits.least) &&
         (!limits.greatest || place <= *limits.greatest);
}

}  // namespace

Profile with_axes(const Level& level, Profile profile, bool flushing) {
  profile.level = level.name;
  if (level.profile != Profile{.level = level.name}) profile = level.profile;
  if (flushing) profile.subnormals = Subnormals::kDazFtz;
  return profile;
}

LevelRace::LevelRace(const Instruction& instruction, const Profile& profile)
    : type_(instruction.shape.element_type) {
  const Op& op = *instruction.op;
  if (is_float(type_)) limits_ = limits(op.facts.range, type_);
  for (size_t axes = 0; axes < entrants_.size(); ++axes) {
    for (const Level& level : all_levels()) {
      const Profile own = with_axes(level, profile, axes == 1);
      entrants_.at(axes).push_back(
          {.level = &level,
           .ftz = has_ftz(own),
           .daz = has_daz(own),
           .bounds =
               bounds(level, function_name(op), type_, is_real_function(op)),
           .rule = std::make_unique<ElementRule>(instruction, own)});
    }
  }
}

LevelRace::Gap LevelRace::gap_of(const SweptElement& element) const {
  Gap gap;
  if (element.units < 0) return gap;
  const uint64_t code = element.reference.bits[0];
  const Place actual = place_of(element.actual.bits[0], type_);
  const Place reference = place_of(code, type_);
  // From one end of the range to the other there are more than 64 bits hold.
  if ((actual < 0) != (reference < 0)) return gap;
  gap.known = within(actual, limits_);
  gap.steps = std::abs(actual - reference);
  // The code beside the nearest one is less than a unit away: where both units
  // beside that one are as long, the exact value lies between the two.
  const uint64_t mantissa =
      (uint64_t{1} << numeric::format(type_).mantissa_bits) - 1;
  gap.between =
      gap.steps == 1 && element.units < kUnitsPerUlp && (code & mantissa) != 0;
  gap.ulps = static_cast<double>(element.units + 1) /
             static_cast<double>(kUnitsPerUlp);
  return gap;
}

bool LevelRace::passes_at_once(const Entrant& entrant,
                               const SweptElement& element,
                               const Gap& gap) const {
  if (element.flushed_operand && entrant.daz) return true;
  if (element.flushed_result && entrant.ftz) {
    const auto& format = numeric::format(type_);
    return numeric::sign_bit(element.actual.bits[0], format) ==
           numeric::sign_bit(element.reference.bits[0], format);
  }
  if (!gap.known || entrant.bounds.size() != 1) return false;
  const Bound& bound = entrant.bounds[0];
  if (gap.steps <= bound.steps || bound.unlimited) return true;
  if (bound.faithful && gap.between) return true;
  // As max(|r|, least normal) 2^(1-p) is at least a unit in the last place.
  return gap.ulps <= std::max(bound.ulps, bound.eps);
}

bool LevelRace::passes(Entrant& entrant, const SweptElement& element,
                       const Gap& gap) const {
  if (is_float(type_) && passes_at_once(entrant, element, gap)) return true;
  const std::span<const Scalar> operands(element.operands.data(),
                                         element.arity);
  return entrant.rule->at(operands).contains(element.actual);
}

void LevelRace::judge(const SweptElement& element, SweepTally& tally) {
  const Gap gap = is_float(type_) ? gap_of(element) : Gap{};
  for (size_t axes = 0; axes < entrants_.size(); ++axes) {
    auto& entrants = entrants_[axes];
    auto& counts = tally.levels[axes];
    counts.resize(entrants.size());
    for (size_t i = 0; i < entrants.size(); ++i) {
      if (counts[i].count > 0 || passes(entrants[i], element, gap)) continue;
      counts[i].note(element.codes());
    }
  }
}

}  // namespace hlo::conformance
