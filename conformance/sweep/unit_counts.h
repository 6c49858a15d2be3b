#pragma once

#include <array>
#include <cstdint>

#include "conformance/sweep/sweep_tally.h"

namespace hlo::conformance {

/// Counts errors in units, fast: negative ones are not measured.
class UnitCounts {
 public:
  void add(const int32_t* units, int64_t n);
  /// The largest since the last call of it; negative where none was measured.
  int32_t take_most();
  /// Adds what was counted to `measured`, `sum` and `histogram`.
  void add_to(SweepTally& tally) const;

 private:
  // Beside each other, so that one increment does not wait for the last one.
  static constexpr size_t kSides = 4;

  std::array<std::array<int64_t, kFineBuckets>, kSides> fine_{};
  std::array<int64_t, kSweepBuckets> all_{};
  int64_t measured_ = 0;
  uint64_t sum_ = 0;
  int32_t most_ = -1;
};

}  // namespace hlo::conformance
