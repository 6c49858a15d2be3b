#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "backends/registry/make_backend.h"
#include "conformance/fingerprint/fingerprint_report.h"
#include "conformance/fingerprint/sum_fingerprint.h"
#include "conformance/fingerprint/testing/known_units.h"
#include "conformance/fingerprint/testing/simulated_unit.h"
#include "conformance/fingerprint/tree_families.h"

// Sums whose terms lie in another way.

namespace hlo::conformance {
namespace {

using enum ElementType;

SumFingerprint fingerprint_of_two(const SimulatedSum& transposed,
                                  const SimulatedSum& column_major,
                                  SumKind kind) {
  const MakeMachine make = [&] {
    return std::make_shared<SimulatedUnit>(sequential, transposed,
                                           column_major);
  };
  return sum_fingerprint({kind, kF32, kF32, 12}, make, {.sums = 4096});
}

TEST(SumFingerprint, FindsAnArrangementsOwnOrder) {
  for (const SumKind kind :
       {SumKind::kDot, SumKind::kConvolution, SumKind::kReduce}) {
    const SumFingerprint both = fingerprint_of_two(pairwise, four_lanes, kind);
    EXPECT_EQ(both.explained, Explained::kYes) << both.message;
    EXPECT_EQ(tree_name(both.found.model->tree), "sequential");
    ASSERT_EQ(both.arranged.size(), 2);
    for (const ArrangedReplay& one : both.arranged) {
      ASSERT_TRUE(one.own);
      EXPECT_LT(one.result.equal, one.result.sums);
      EXPECT_EQ(one.own->result.equal, one.own->result.sums);
      EXPECT_GE(one.own->result.sums, 4096);
      const bool transposed = one.arrangement == Arrangement::kTransposed;
      const std::string order = tree_name(one.own->model->tree);
      EXPECT_TRUE(order.starts_with(transposed ? "pairwise" : "4 lanes"))
          << order;
    }
  }
}

TEST(SumFingerprint, DoesNotNameWhatHoldsForOneArrangementOnly) {
  for (const SumKind kind :
       {SumKind::kDot, SumKind::kConvolution, SumKind::kReduce}) {
    const SumFingerprint other = fingerprint_of_two(lying, {}, kind);
    EXPECT_EQ(other.explained, Explained::kNo);
    EXPECT_FALSE(other.found.model);
    EXPECT_NE(other.message.find("transposed operands only"), std::string::npos)
        << other.message;
    ASSERT_TRUE(other.found.result.first);
    const Refutation& first = *other.found.result.first;
    EXPECT_EQ(lying(first.a, first.b), first.machine);
    EXPECT_EQ(sequential(first.a, first.b), first.model);

    const SumFingerprint layout = fingerprint_of_two({}, lying, kind);
    EXPECT_EQ(layout.explained, Explained::kNo);
    EXPECT_NE(layout.message.find("column-major operands only"),
              std::string::npos)
        << layout.message;
  }
}

TEST(SumFingerprint, HoldsForAllArrangements) {
  for (const SumKind kind : all_sum_kinds()) {
    const SumFingerprint found = sum_fingerprint(
        {kind, kF32, kF32, 9},
        [&] { return std::shared_ptr<Backend>(make_backend("interpreter:")); },
        {.sums = 1000});
    EXPECT_EQ(found.explained, Explained::kYes) << found.message;
    ASSERT_EQ(found.arranged.size(), 2);
    for (const ArrangedReplay& one : found.arranged) {
      EXPECT_TRUE(one.is_supported);
      EXPECT_GE(one.result.sums, 1000);
      EXPECT_EQ(one.result.equal, one.result.sums);
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
