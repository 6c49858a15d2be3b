#include "conformance/sweep/measurer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "conformance/sets/exact_value.h"
#include "conformance/sweep/error_units.h"
#include "conformance/sweep/points/hard_arguments.h"
#include "conformance/sweep/recorded/sweep_events.h"
#include "conformance/sweep/testing/first_chunk.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

struct Swept : FirstChunk<Measurer> {
  using FirstChunk::FirstChunk;

  /// Puts `code` where the operand is x.
  void put(uint64_t x, uint64_t code) { ASSERT_GE(set({x}, {code}), 1); }
};

TEST(Measurer, FindsNothingInTheReference) {
  for (const auto* op : {"exponential", "tanh", "rsqrt", "log", "sine", "cbrt",
                         "sqrt", "logistic", "abs", "floor", "negate"}) {
    for (const auto* type : {"f8e4m3fn", "f8e5m2fnuz", "f4e2m1fn", "bf16"}) {
      const Swept swept(op, type);
      const SweepTally tally = swept.tally();
      const int64_t all = int64_t{1} << bits(swept.operation.type);
      EXPECT_EQ(tally.elements, all) << op << type;
      EXPECT_EQ(tally.same, all) << op << type;
      EXPECT_LE(tally.worst.units, kUnitsPerUlp / 2) << op << type;
      EXPECT_EQ(tally.faults, (SweepTally{}.faults)) << op << type;
      EXPECT_EQ(strictest(tally, 0), 0U) << op << type;
      EXPECT_EQ(strictest(tally, 1), 0U) << op << type;
    }
  }
}

TEST(Measurer, KnowsSymmetry) {
  const SweepTally tanh = Swept("tanh", "bf16").tally();
  EXPECT_TRUE(tanh.odd && !tanh.even);
  const SweepTally cosine = Swept("cosine", "f16").tally();
  EXPECT_TRUE(cosine.even && !cosine.odd);
  const SweepTally exponential = Swept("exponential", "f16").tally();
  EXPECT_FALSE(exponential.even || exponential.odd);
}

// bf16: 3f80 is 1, whose tanh is 3f43 (0.7616); 3f7f, the code below 1, is that
// of large numbers; 0001 is the least subnormal number.
TEST(Measurer, NamesWhatIsWrong) {
  Swept swept("tanh", "bf16");
  swept.put(0x4080, 0x3f81);  // tanh(4): above 1
  swept.put(0xbf80, 0xbf44);  // tanh(-1): one step
  swept.put(0x3f00, 0x7fc0);
  swept.put(0x3e80, 0xff80);
  swept.put(0x7fc0, 0x3f80);
  swept.put(0x0005, 0x0000);
  swept.put(0x0000, 0x8000);
  const SweepTally tally = swept.tally();
  EXPECT_EQ(tally.same, 65536 - 7);
  EXPECT_EQ(count(tally, SweepFault::kRange), 1);
  EXPECT_EQ(tally.fault(SweepFault::kRange).first[0][0], 0x4080U);
  EXPECT_EQ(count(tally, SweepFault::kNan), 1);
  EXPECT_EQ(count(tally, SweepFault::kInfinite), 1);
  EXPECT_EQ(count(tally, SweepFault::kNumber), 1);
  EXPECT_EQ(count(tally, SweepFault::kFlushedResult), 1);
  EXPECT_EQ(count(tally, SweepFault::kFlushedOperand), 1);
  EXPECT_EQ(count(tally, SweepFault::kZeroSign), 1);
  EXPECT_EQ(count(tally, SweepFault::kFinite), 0);
  // None of the seven is the mirror of its mirror's.
  EXPECT_EQ(count(tally, SweepFault::kSymmetry), 7);
  // Only relaxed admits NaN for a number, with numbers beyond 1 not even that.
  EXPECT_EQ(strictest(tally, 0), std::nullopt);
}

TEST(Measurer, FindsTheWrongOrder) {
  Swept swept("exponential", "bf16");
  EXPECT_EQ(count(swept.tally(), SweepFault::kMonotone), 0);
  swept.put(0x4000, 0x40ed);  // e^2 is 40ec (7.389): after it comes 40ee
  EXPECT_EQ(count(swept.tally(), SweepFault::kMonotone), 0);
  swept.put(0x4000, 0x4100);
  swept.put(0xc000, 0x3f00);
  EXPECT_EQ(count(swept.tally(), SweepFault::kMonotone), 2);
  // Cosine goes up and down.
  EXPECT_EQ(count(Swept("cosine", "bf16").tally(), SweepFault::kMonotone), 0);
}

TEST(Measurer, KnowsTheOrderOfWhatGoesFromOneInfinityToTheOther) {
  for (const auto* op : {"log", "cbrt", "log-plus-one", "sinh", "sqrt"}) {
    const SweepRange range = parse_sweep_range("0.99:1.01", ElementType::kF64);
    Swept swept(op, "f64", range);
    EXPECT_EQ(count(swept.tally(), SweepFault::kMonotone), 0) << op;
    swept.put(0x3ff0000000000000, 0xffefffffffffffff);  // at 1 the least
    EXPECT_EQ(count(swept.tally(), SweepFault::kMonotone), 1) << op;
    swept.put(0x3ff0000000000001, 0x7fefffffffffffff);  // then the largest
    EXPECT_EQ(count(swept.tally(), SweepFault::kMonotone), 2) << op;
  }
}

TEST(Measurer, FlushedResultsPassWhereTheyMay) {
  Swept swept("exponential", "bf16");
  const Literal reference = swept.results;
  for (int64_t i = 0; i < reference.element_count(); ++i) {
    const uint64_t code = reference.at(i).bits[0];
    if (code < 0x80) swept.results.set(i, {.type = ElementType::kBF16});
  }
  const SweepTally tally = swept.tally();
  EXPECT_GT(count(tally, SweepFault::kFlushedResult), 0);
  EXPECT_EQ(strictest(tally, 1), 0U);
  EXPECT_EQ(all_levels()[strictest(tally, 0).value_or(0)].name, "relaxed");
}

// What the error alone decides is what the sets say, and the sums are those of
// the elements one by one.
TEST(Measurer, GivesWhatTheSetsSay) {
  std::mt19937_64 draw(3);
  for (const auto* type : {"bf16", "f16"}) {
    for (const uint64_t most : {1U, 2U, 7U}) {
      Swept swept("exponential", type);
      const numeric::FloatFormat& format =
          numeric::format(swept.operation.type);
      std::map<size_t, bool> failed;
      const Module one = swept.operation.on(1);
      for (int64_t i = 0; i < swept.results.element_count(); i += 97) {
        Scalar code = swept.results.at(i);
        if (!is_finite(code.bits[0], format) || code.bits[0] == 0) continue;
        code.bits[0] += draw() % (most + 1);
        swept.results.set(i, code);
        const std::vector<Scalar> x = {swept.points.operands[0].at(i)};
        for (const Level& level : all_levels()) {
          const bool own = level.profile != Profile{.level = level.name};
          ElementRule rule(*one.entry->root,
                           own ? level.profile : Profile{.level = level.name});
          failed[static_cast<size_t>(level.rank)] |= !rule.at(x).contains(code);
        }
      }
      const SweepTally tally = swept.tally();
      for (const auto& [rank, fails] : failed) {
        EXPECT_EQ(tally.levels[0].at(rank).count > 0, fails)
            << type << most << all_levels()[rank].name;
      }
    }
  }
}

TEST(Measurer, SweepsPairs) {
  for (const auto* type : {"f8e4m3fn", "f8e5m2", "s8", "u4"}) {
    const Swept swept("add", type);
    const SweepTally tally = swept.tally();
    const int64_t all = int64_t{1} << 2 * bits(swept.operation.type);
    EXPECT_EQ(tally.elements, all);
    EXPECT_EQ(tally.same, all) << type;
  }
  Swept integers("add", "s8");
  integers.results.set(5, {.type = ElementType::kS8, .bits = {0x80, 0}});
  EXPECT_EQ(count(integers.tally(), SweepFault::kInteger), 1);
}

// All codes once, whatever the chunks are.
TEST(SweepPlan, HasEveryCodeOnce) {
  const SweptOperation operation = swept_operation("exp", "f16");
  const SweepPlan plan(operation, std::nullopt);
  std::vector<int> seen(65536);
  for (int64_t chunk = 0; chunk < plan.chunk_count(); ++chunk) {
    const SweepPoints points = plan.points(chunk);
    for (const SweepRun& run : points.runs) {
      for (int64_t i = run.begin; i < run.end; ++i) {
        ++seen.at(points.operands[0].at(i).bits[0]);
      }
    }
  }
  EXPECT_EQ(seen, std::vector<int>(65536, 1));
}

TEST(SweepPlan, TakesRangesOfNumbers) {
  const SweptOperation operation = swept_operation("exp", "bf16");
  const auto range = parse_sweep_range("-0.5:2", operation.type);
  const SweepPoints points = SweepPlan(operation, range).points(0);
  ASSERT_EQ(points.runs.size(), 2U);
  EXPECT_EQ(points.runs[0].size(), 0x4001);  // 0 to 4000
  EXPECT_EQ(points.runs[1].size(), 0x3f01);  // 8000 to bf00
  EXPECT_FALSE(points.mirrored);
  for (const auto* text : {"", "1", "2:1", "a:b", "nan:1", "1:2:3", "0x:1"}) {
    EXPECT_THROW(SweepPlan(operation, parse_sweep_range(text, operation.type)),
                 Error)
        << text;
  }
}

// The f32 plan: neighbours of chunks meet, and the ends are where they should.
TEST(SweepPlan, HasAllOfF32) {
  const SweepPlan plan(swept_operation("exp", "f32"), std::nullopt);
  EXPECT_EQ(plan.chunk_count(), 2048);
  const SweepPoints first = plan.points(0);
  EXPECT_EQ(first.runs[0].size(), 1 << 20);
  EXPECT_TRUE(first.runs[0].next);
  EXPECT_EQ(first.operands[0].at(1 << 20).bits[0], 1U << 20);
  const SweepPoints last = plan.points(2047);
  EXPECT_FALSE(last.runs[1].next);
  EXPECT_EQ(last.operands[0].at(last.runs[1].end - 1).bits[0], 0xffffffffU);
}

// Strata and hard arguments in one order, each once.
TEST(SweepPlan, HasTheHardArgumentsOfF64) {
  const SweepPlan plan(swept_operation("exp", "f64"), std::nullopt);
  const SweepPoints points = plan.points(0);
  const SweepRun& plus = points.runs[0];
  std::set<uint64_t> seen;
  uint64_t before = 0;
  for (int64_t i = plus.begin; i < plus.end; ++i) {
    const uint64_t code = points.operands[0].at(i).bits[0];
    EXPECT_TRUE(code > before || i == plus.begin) << i;
    before = code;
    seen.insert(code);
  }
  EXPECT_EQ(seen.size(),
            (uint64_t{1} << 19U) + hard_arguments("exponential").size());
  // The first two of `exponential` in hard_doubles.txt, without their signs.
  EXPECT_TRUE(seen.contains(0x403135d295b18f5a));
  EXPECT_TRUE(seen.contains(0x3fc19e0ea00e7b95));
  EXPECT_TRUE(hard_arguments("negate").empty());
}

TEST(SweptOperation, RefusesWhatCannotBeSwept) {
  for (const auto* op : {"", "nothing", "dot", "compare", "select", "clamp"}) {
    EXPECT_THROW(swept_operation(op, "f32"), Error) << op;
  }
  for (const auto* type : {"", "f31", "s32", "token"}) {
    EXPECT_THROW(swept_operation("exp", type), Error) << type;
  }
}

TEST(SweepEvents, AreReadBack) {
  Swept swept("tanh", "f16");
  swept.put(0x3c00, 0x7e00);
  swept.put(0x3c01, 0x0001);
  const SweepTally tally = swept.tally();
  const std::string line = sweep_chunk(7, tally);
  const RecordedChunk read = read_sweep_chunk(line);
  EXPECT_EQ(read.chunk, 7);
  EXPECT_EQ(read.tally, tally);
  EXPECT_EQ(sweep_chunk(7, read.tally), line);
}

TEST(SweepTally, HasExactPercentiles) {
  SweepTally tally;
  tally.measured = 100;
  tally.histogram.at(0) = 50;
  tally.histogram.at(3) = 49;
  tally.histogram.at(9) = 1;
  EXPECT_EQ(percentile(tally, 50), 0U);
  EXPECT_EQ(percentile(tally, 51), 3U);
  EXPECT_EQ(percentile(tally, 99), 3U);
  EXPECT_EQ(percentile(tally, 100), 9U);
  for (int64_t units = 1; units < kMostUnits; units = units * 9 / 8 + 1) {
    const size_t bucket = bucket_of(units);
    EXPECT_LE(bucket_begin(bucket), units);
    EXPECT_LT(units, bucket_begin(bucket + 1));
  }
}

}  // namespace
}  // namespace hlo::conformance
