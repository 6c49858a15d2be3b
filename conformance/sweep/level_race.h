#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "conformance/levels/level.h"
#include "conformance/levels/profile.h"
#include "conformance/sets/element_rule.h"
#include "conformance/sweep/sweep_tally.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// One element that is not the reference's code.
struct SweptElement {
  std::array<Scalar, 2> operands;
  size_t arity = 1;
  Scalar actual;
  Scalar reference;
  int64_t units = -1;  // -1: not measured
  bool flushed_result = false;
  bool flushed_operand = false;

  SweepOperands codes() const { return {operands[0].bits, operands[1].bits}; }
};

/// The profile of a level with these axes, where it has none of its own;
/// `flushing`: with subnormal numbers flushed.
Profile with_axes(const Level& level, Profile profile, bool flushing);

/// Which levels real elements pass. What follows from their error alone is
/// decided so; all else by the sets of ElementRule, which say the same.
class LevelRace {
 public:
  /// With the axes of this profile; `instruction` outlives it.
  LevelRace(const Instruction& instruction, const Profile& profile);

  /// Notes the element at the levels that it is the first not to pass.
  void judge(const SweptElement& element, SweepTally& tally);

 private:
  struct Entrant {
    const Level* level;
    bool ftz;
    bool daz;
    std::span<const Bound> bounds;
    std::unique_ptr<ElementRule> rule;
  };

  /// What of an element says at once that it passes.
  struct Gap {
    bool known = false;  // numbers of one sign, the actual one in the range
    Place steps = 0;
    bool between = false;  // the exact value lies between the two
    double ulps = 0;       // more than the error
  };

  Gap gap_of(const SweptElement& element) const;
  bool passes(Entrant& entrant, const SweptElement& element,
              const Gap& gap) const;
  /// Whether the error alone shows that it passes.
  bool passes_at_once(const Entrant& entrant, const SweptElement& element,
                      const Gap& gap) const;

  ElementType type_;
  Limits limits_;
  std::array<std::vector<Entrant>, 2> entrants_;  // by axes, and by rank
};

}  // namespace hlo::conformance
