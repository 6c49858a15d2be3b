#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sweep/complex_race.h"
#include "conformance/sweep/points/sweep_points.h"
#include "conformance/sweep/points/swept_operation.h"
#include "conformance/sweep/sweep_tally.h"
#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// Tallies what a backend gave for chunks of a sweep of complex numbers, part
/// by part. It belongs to one thread.
class ComplexMeasurer {
 public:
  ComplexMeasurer(const SweptOperation& operation, const Profile& profile);

  /// `actual` has an element for each of the points.
  SweepTally measure(const SweepPoints& points, const Literal& actual);

 private:
  /// The exact values of the parts, where they are finite.
  using Exact = std::optional<std::vector<definition::Real>>;

  SweptComplex element(const SweepPoints& points, int64_t i,
                       const Literal& actual) const;
  Exact exact(const SweptComplex& element, const SweepPoints& points,
              int64_t i) const;
  void tally_element(const SweepPoints& points, int64_t i,
                     const Literal& actual, SweepTally& tally);
  void measure_parts(SweptComplex& element, const Exact& exact,
                     std::array<int32_t, 2>& units) const;
  void note_faults(const SweptComplex& element, std::array<int32_t, 2>& units,
                   SweepTally& tally) const;
  bool is_flushed_operand(const SweptComplex& element) const;
  void check_symmetry(const SweepPoints& points, const Literal& actual,
                      SweepTally& tally) const;

  SweptOperation operation_;
  Module one_;  // for single elements
  ComplexRace race_;
  const numeric::FloatFormat& format_;  // of the parts
  Literal reference_;                   // of the chunk
  std::vector<int32_t> units_;          // of its parts
};

}  // namespace hlo::conformance
