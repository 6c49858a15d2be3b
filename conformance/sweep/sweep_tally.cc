#include "conformance/sweep/sweep_tally.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "conformance/sweep/error_units.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kCoarse = int64_t{kFineBuckets} * kFineUnits;
static_assert(kCoarse == 4 * kUnitsPerUlp);
constexpr int kCoarseBits = 12;
static_assert(int64_t{1} << kCoarseBits == kCoarse);

struct FaultText {
  std::string_view name;
  std::string_view text;
};

constexpr std::array<FaultText, kSweepFaults> kTexts = {{
    {"nan", "NaN in place of a number"},
    {"number", "a number in place of NaN"},
    {"infinite", "infinite in place of finite"},
    {"finite", "finite in place of infinite"},
    {"flushed_result", "subnormal results flushed to zero"},
    {"flushed_operand", "subnormal operands taken for zero"},
    {"zero_sign", "zeros of the wrong sign"},
    {"range", "outside of the function's range"},
    {"monotone", "neighbours in the wrong order"},
    {"symmetry", "not symmetric"},
    {"integer", "another integer"},
}};

}  // namespace

std::string_view name(SweepFault fault) {
  return kTexts.at(static_cast<size_t>(fault)).name;
}

std::string_view describe(SweepFault fault) {
  return kTexts.at(static_cast<size_t>(fault)).text;
}

void SweepCount::note(const SweepOperands& operands) {
  if (count++ == 0) first = operands;
}

void SweepCount::add(const SweepCount& later) {
  if (count == 0) first = later.first;
  count += later.count;
}

size_t bucket_of(int64_t units) {
  if (units < kCoarse) return static_cast<size_t>(units / kFineUnits);
  const int power =
      static_cast<int>(std::bit_width(static_cast<uint64_t>(units))) - 1;
  return static_cast<size_t>(kFineBuckets + power - kCoarseBits);
}

int64_t bucket_begin(size_t bucket) {
  if (bucket >= kSweepBuckets) return kMostUnits + 1;
  const auto b = static_cast<int>(bucket);
  if (b < kFineBuckets) return int64_t{b} * kFineUnits;
  return int64_t{1} << (b - kFineBuckets + kCoarseBits);
}

void SweepTally::add(const SweepTally& later) {
  elements += later.elements;
  same += later.same;
  measured += later.measured;
  sum += later.sum;
  if (later.worst.units > worst.units) worst = later.worst;
  for (size_t i = 0; i < kSweepBuckets; ++i) {
    histogram.at(i) += later.histogram.at(i);
  }
  for (size_t i = 0; i < kSweepFaults; ++i) {
    faults.at(i).add(later.faults.at(i));
  }
  for (size_t sign = 0; sign < peaks.size(); ++sign) {
    std::ranges::copy(later.peaks.at(sign), std::back_inserter(peaks.at(sign)));
  }
  odd = odd && later.odd;
  even = even && later.even;
  for (size_t axes = 0; axes < levels.size(); ++axes) {
    auto& own = levels.at(axes);
    const auto& others = later.levels.at(axes);
    own.resize(std::max(own.size(), others.size()));
    for (size_t i = 0; i < others.size(); ++i) own.at(i).add(others.at(i));
  }
}

size_t percentile(const SweepTally& tally, int percent) {
  constexpr int64_t kAll = 100;
  // Not percent * measured / 100, which may leave one too few.
  const int64_t above = tally.measured / kAll * (kAll - percent) +
                        tally.measured % kAll * (kAll - percent) / kAll;
  int64_t left = tally.measured;
  for (size_t bucket = 0; bucket < kSweepBuckets; ++bucket) {
    left -= tally.histogram.at(bucket);
    if (left <= above) return bucket;
  }
  return kSweepBuckets - 1;
}

std::optional<size_t> strictest(const SweepTally& tally, size_t axes) {
  const auto& levels = tally.levels.at(axes);
  for (size_t rank = 0; rank < levels.size(); ++rank) {
    if (levels.at(rank).count == 0) return rank;
  }
  return std::nullopt;
}

}  // namespace hlo::conformance
