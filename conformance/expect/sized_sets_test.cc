#include "conformance/expect/sized_sets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/literals/literal_bits.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo::conformance {
namespace {

/// Whether the arrays are cut to the sizes of f32[<=3](2) and s32[].
std::optional<std::vector<Literal>> cut_to_two(
    const std::vector<std::string>& texts) {
  const Literal two = parse_bits("f32[<=3](2) 3f800000*3");
  const Literal scalar = parse_bits("s32[] 00000000");
  std::vector<Literal> observed;
  for (const std::string& text : texts) observed.push_back(parse_bits(text));
  return cut_alike({&two, &scalar}, observed);
}

TEST(SizedSets, CutWhatIsObservedToTheSizesThatAreWanted) {
  for (const std::string first : {"f32[3] 00000001 00000002 00000003",
                                  "f32[<=3](2) 00000001 00000002 00000003"}) {
    const auto arrays = cut_to_two({first, "s32[] 00000007"});
    ASSERT_TRUE(arrays) << first;
    ASSERT_EQ(arrays->size(), 2U);
    EXPECT_TRUE(
        identical((*arrays)[0], parse_bits("f32[2] 00000001 00000002")));
    EXPECT_TRUE(identical((*arrays)[1], parse_bits("s32[] 00000007")));
  }
}

TEST(SizedSets, CutNothingOfOtherShapesOrSizes) {
  const std::string good = "f32[3] 00000001*3";
  EXPECT_FALSE(cut_to_two({good}));
  EXPECT_FALSE(cut_to_two({good, "s32[] 00000007", "s32[] 00000007"}));
  EXPECT_FALSE(cut_to_two({"f32[2] 00000001*2", "s32[] 00000007"}));
  EXPECT_FALSE(cut_to_two({"f32[<=3](1) 00000001*3", "s32[] 00000007"}));
  EXPECT_FALSE(cut_to_two({good, "u32[] 00000007"}));
}

// Two columns of three exist: elements 0 1, 2 3 become 0 1, 3 4.
TEST(SizedSets, LayEachPartIntoItsPlace) {
  ArraySet set = ArraySet::computed(parse_bits(
      "c64[2,2] 3f800000:40000000 3f800000:40000000 3f800000:40000000 "
      "3f800000:40000000"));
  constexpr ElementType kF32 = ElementType::kF32;
  set.put(1, 1, ValueSet::of(0x41000000, kF32));
  set.put(3, 0, ValueSet::of(0x42000000, kF32));
  set.empty_bounds = {false, false, false, true, false, false, true, false};
  Expectation laid = set;
  lay_into_bounds(laid, parse_bits("c64[2,<=3](2,2) 00000000:00000000*6"));
  const auto& found = std::get<ArraySet>(laid);
  EXPECT_EQ(found.at(1, 1), ValueSet::of(0x41000000, kF32));
  EXPECT_EQ(found.at(4, 0), ValueSet::of(0x42000000, kF32));
  EXPECT_EQ(found.at(3, 0), ValueSet::of(0x3f800000, kF32));
  EXPECT_EQ(found.empty_bounds,
            (std::vector<bool>{false, false, false, true, false, false, false,
                               false, true, false, false, false}));
}

}  // namespace
}  // namespace hlo::conformance
