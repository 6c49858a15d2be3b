#include "conformance/golden/golden_diff.h"

#include <gtest/gtest.h>

#include "conformance/literals/literal_bits.h"

namespace hlo::conformance {
namespace {

using Lines = std::vector<std::string>;

Case stated(const std::string& bits) {
  Case c;
  c.id = "golden/a/x";
  c.statement = "s";
  c.hlo = "HloModule m\n";
  c.inputs = {parse_bits("s32[] 00000001")};
  c.expect = {ArraySet::computed(parse_bits(bits))};
  return c;
}

Lines differences(const Case& a, const Case& b) {
  return golden_differences({a}, {b});
}

TEST(GoldenDiff, SaysNothingOfWhatIsTheSame) {
  const Case c = stated("f32[2] 3f800000 7fc00000");
  EXPECT_EQ(differences(c, c), Lines());
  EXPECT_EQ(golden_differences({}, {}), Lines());
}

TEST(GoldenDiff, TellsTheFirstOtherBits) {
  EXPECT_EQ(differences(stated("s32[3] 00000000 00000001 00000002"),
                        stated("s32[3] 00000000 00000005 00000006")),
            Lines{"golden/a/x: leaf 0: 2 of 3 elements have other bits, first "
                  "{1}: 1 (bits 00000001), now 5 (bits 00000005)"});
  EXPECT_EQ(differences(stated("s32[1] 00000000"), stated("s32[2] 00000000*2")),
            Lines{"golden/a/x: leaf 0: s32[1], now s32[2]"});
  // +0 and -0 are other bits, and so are two NaNs.
  EXPECT_EQ(differences(stated("f32[2] 00000000 7fc00000"),
                        stated("f32[2] 80000000 7fc00001"))
                .size(),
            1U);
}

TEST(GoldenDiff, TellsOtherSetsOfTheSameBits) {
  const Case one = stated("f32[2] 3f800000 40000000");
  Case wide = one;
  auto& set = std::get<ArraySet>(wide.expect[0]);
  set.sets.resize(2);
  for (int64_t i = 0; i < 2; ++i) set.put(i, set.element(i));
  set.sets = {ValueSet::of(0x3f800000, ElementType::kF32),
              ValueSet::of(0x40000000, ElementType::kF32)};
  EXPECT_EQ(differences(one, wide), Lines());
  set.sets[1].add(ValueSet::of(0x40000001, ElementType::kF32));
  const Lines lines = differences(one, wide);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with(
      "golden/a/x: leaf 0: 1 of 2 elements has other sets, first {1}: "))
      << lines[0];
}

TEST(GoldenDiff, TellsWhichClauseDiffers) {
  const Case a = stated("s32[] 00000001");
  Case b = a;
  b.hlo += " ";
  b.statement = "t";
  b.why = {"Other"};
  b.certified = true;
  b.inputs = {parse_bits("s32[] 00000002"), parse_bits("s32[] 00000002")};
  b.expect.emplace_back(UnspecifiedSet{"why"});
  EXPECT_EQ(differences(a, b),
            (Lines{"golden/a/x: program: it is another one",
                   "golden/a/x: statement: it is another one",
                   "golden/a/x: why: it is another one",
                   "golden/a/x: source: exact, now certified",
                   "golden/a/x: inputs: there are 1, now 2",
                   "golden/a/x: expect: there are 1, now 2"}));
  Case open = a;
  open.expect = {
      UnspecifiedSet{.reason = "why", .value = parse_bits("s32[] 00000003")}};
  EXPECT_EQ(differences(a, open),
            (Lines{"golden/a/x: leaf 0: a set, now unspecified, why",
                   "golden/a/x: leaf 0: 1 of 1 element has other bits, first "
                   "{}: 1 (bits 00000001), now 3 (bits 00000003)"}));
  Case rejected = a;
  rejected.expect = {RejectedSet{"pad.C1"}};
  EXPECT_EQ(differences(rejected, a),
            Lines{"golden/a/x: leaf 0: rejected by pad.C1, now a set"});
  Case asking = a;
  asking.asks_reference = true;
  EXPECT_EQ(differences(asking, a),
            Lines{"golden/a/x: expect: not blessed, now it is"});
}

TEST(GoldenDiff, TellsCasesThatOnlyOneHas) {
  Case other = stated("s32[] 00000001");
  other.id = "golden/b/x";
  EXPECT_EQ(
      differences(stated("s32[] 00000001"), other),
      (Lines{"golden/a/x: case: it is gone", "golden/b/x: case: it is new"}));
}

}  // namespace
}  // namespace hlo::conformance
