#include "conformance/sweep/unit_counts.h"

#include <algorithm>
#include <utility>

namespace hlo::conformance {
namespace {

struct Sums {
  int64_t measured = 0;
  int64_t sum = 0;
  int32_t most = -1;
};

Sums sums_of(const int32_t* units, int64_t n) {
  Sums sums;
  for (int64_t i = 0; i < n; ++i) {
    const bool measured = units[i] >= 0;
    sums.measured += measured ? 1 : 0;
    sums.sum += measured ? units[i] : 0;
    sums.most = std::max(sums.most, units[i]);
  }
  return sums;
}

}  // namespace

void UnitCounts::add(const int32_t* units, int64_t n) {
  const Sums sums = sums_of(units, n);
  measured_ += sums.measured;
  sum_ += static_cast<uint64_t>(sums.sum);
  most_ = std::max(most_, sums.most);
  const bool plain =
      sums.measured == n && sums.most < bucket_begin(kFineBuckets);
  if (!plain) {
    for (int64_t i = 0; i < n; ++i) {
      if (units[i] >= 0) ++all_[bucket_of(units[i])];
    }
    return;
  }
  int64_t i = 0;
  for (; i + int64_t{kSides} <= n; i += kSides) {
    for (size_t side = 0; side < kSides; ++side) {
      const int32_t one = units[i + static_cast<int64_t>(side)];
      ++fine_[side][static_cast<size_t>(one / kFineUnits)];
    }
  }
  for (; i < n; ++i) ++fine_[0][static_cast<size_t>(units[i] / kFineUnits)];
}

int32_t UnitCounts::take_most() { return std::exchange(most_, -1); }

void UnitCounts::add_to(SweepTally& tally) const {
  tally.measured += measured_;
  tally.sum += sum_;
  for (size_t i = 0; i < kSweepBuckets; ++i) tally.histogram[i] += all_[i];
  for (const auto& side : fine_) {
    for (size_t i = 0; i < side.size(); ++i) tally.histogram[i] += side[i];
  }
}

}  // namespace hlo::conformance
