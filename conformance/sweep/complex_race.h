#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "conformance/levels/level.h"
#include "conformance/levels/profile.h"
#include "conformance/sets/element_rule.h"
#include "conformance/sweep/sweep_tally.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// One complex result that is not the reference's.
struct SweptComplex {
  std::array<Scalar, 2> operands;
  size_t arity = 1;
  Scalar actual;
  Scalar reference;
  /// On which side of the reference's number each part's exact value lies.
  std::array<int, 2> sides{};
  /// Whether the sign of the part, an infinity or zero, is open.
  std::array<bool, 2> open_signs{};
  /// The larger of the parts' errors, in units (error_units.h); -1: not both
  /// were measured.
  int64_t units = -1;

  SweepOperands codes() const { return {operands[0].bits, operands[1].bits}; }
};

/// Which levels complex results pass (spec/sweep.md): those which are stricter
/// than the gate by each part, as real numbers do, and the others by the set
/// that a result is judged by.
class ComplexRace {
 public:
  /// With the axes of this profile; `instruction` outlives it, and its arrays
  /// have one element.
  ComplexRace(const Instruction& instruction, const Profile& profile);

  /// Notes the element at the levels that it is the first not to pass.
  void judge(const SweptComplex& element, SweepTally& tally);

 private:
  struct Entrant {
    Profile profile;
    ComplexParts parts;
    std::unique_ptr<ElementRule> rule;  // of operations exact in each part
  };

  bool passes(Entrant& entrant, const SweptComplex& element) const;
  bool is_admitted(const Entrant& entrant, const SweptComplex& element) const;

  const Instruction& instruction_;
  double half_units_;  // that each part of a result may be off by the modulus
  std::array<std::vector<Entrant>, 2> entrants_;  // by axes, and by rank
};

}  // namespace hlo::conformance
