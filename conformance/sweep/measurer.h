#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sweep/level_race.h"
#include "conformance/sweep/points/sweep_points.h"
#include "conformance/sweep/points/swept_operation.h"
#include "conformance/sweep/sweep_tally.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// Tallies what a backend gave for chunks of a sweep. It belongs to one thread.
class Measurer {
 public:
  Measurer(const SweptOperation& operation, const Profile& profile);
  ~Measurer();

  /// `actual` has an element for each of the points.
  SweepTally measure(const SweepPoints& points, const Literal& actual);

 private:
  /// Operands between which the function is monotone, by their places in the
  /// total order; in which direction.
  struct Slope {
    int64_t from;
    int64_t to;
    int direction;
  };

  template <typename Code>
  void measure_codes(const SweepPoints& points, const Code* actual,
                     SweepTally& tally);
  template <typename Code>
  void refer(const SweepPoints& points, const Code* actual, int64_t n);
  template <typename Code>
  void tally_run(const SweepPoints& points, const SweepRun& run,
                 const Code* actual, SweepTally& tally);
  template <typename Code>
  void note_worst(const SweepPoints& points, const SweepRun& block,
                  int32_t units, const Code* actual, SweepTally& tally) const;
  template <typename Code>
  void judge_block(const SweepPoints& points, const SweepRun& block,
                   const Code* actual, SweepTally& tally);
  template <typename Code>
  void judge(const SweepPoints& points, int64_t i, const Code* actual,
             SweepTally& tally);
  template <typename Code>
  void check_order(const SweepPoints& points, const SweepRun& run,
                   const Code* actual, SweepTally& tally) const;
  template <typename Code>
  void check_steps(std::span<const Code> x, const Code* actual, int direction,
                   SweepTally& tally) const;
  template <typename Code>
  void check_symmetry(const SweepPoints& points, const Code* actual,
                      SweepTally& tally) const;

  Literal evaluate(const std::vector<Literal>& operands) const;
  uint64_t reference_at(uint64_t x) const;
  SweptElement element(const SweepPoints& points, int64_t i,
                       uint64_t actual) const;
  int64_t units_of(const SweptElement& element) const;
  void refer_again(SweptElement& element, int64_t i, SweepTally& tally);
  SweepFault fault_of_special(const SweptElement& element) const;
  void note_numbers(SweptElement& element, SweepTally& tally) const;
  void classify(SweptElement& element, SweepTally& tally) const;
  void find_slopes();
  std::optional<Slope> slope_of(const Stretch& stretch) const;

  SweptOperation operation_;
  Module one_;  // for single elements
  LevelRace race_;
  Limits limits_;
  std::array<uint64_t, 2> at_zeros_{};  // what +0 and -0 give
  std::vector<Slope> slopes_;
  Literal reference_;           // of the chunk
  std::vector<int32_t> units_;  // of its elements (f32_errors.h)
};

}  // namespace hlo::conformance
