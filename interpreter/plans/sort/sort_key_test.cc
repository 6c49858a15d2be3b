#include "interpreter/plans/sort/sort_key.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "interpreter/evaluate.h"
#include "interpreter/testing/random_case.h"

namespace hlo {
namespace {

/// The keys of a comparator of f32 elements a, b and of s32 elements c, d, as
/// "<operand><sign of the direction>": '+' ascending, '-' descending; with 't'
/// where by total order, with 'f' where of a function.
std::string keys_of(std::initializer_list<const char*> lines) {
  std::string body;
  for (const char* line : lines) body += line;
  const Module module = verified_module(
      "HloModule m\nless {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
      " c = s32[] parameter(2)\n d = s32[] parameter(3)\n" +
      body + "}\nENTRY e { ROOT p = s32[] parameter(0) }\n");
  Evaluator evaluator(kReference);
  std::string text;
  for (const SortKey& key : find_keys(*module.computations[0], evaluator)) {
    text += std::to_string(key.operand) + (key.descending ? "-" : "+");
    text += key.total_order ? "t" : "";
    text += key.key == nullptr ? "" : "f";
  }
  return text;
}

// The comparisons that the comparators below are made of.
constexpr const char* kLess = " lt = pred[] compare(a, b), direction=LT\n";
constexpr const char* kEqual = " eq = pred[] compare(a, b), direction=EQ\n";
constexpr const char* kGreater = " gt = pred[] compare(a, b), direction=GT\n";
constexpr const char* kNext = " next = pred[] compare(c, d), direction=LT\n";

TEST(SortKey, OneComparisonIsOneKey) {
  EXPECT_EQ(keys_of({" ROOT r = pred[] compare(a, b), direction=LT\n"}), "0+");
  EXPECT_EQ(keys_of({" ROOT r = pred[] compare(d, c), direction=LT\n"}), "1-");
  EXPECT_EQ(keys_of({" x = f32[] negate(a)\n y = f32[] negate(b)\n ROOT r = "
                     "pred[] compare(x, y), direction=GT, type=TOTALORDER\n"}),
            "0-tf");
}

TEST(SortKey, TheSecondKeyDecidesBetweenEquals) {
  EXPECT_EQ(keys_of({kLess, kEqual, kNext,
                     " both = pred[] and(eq, next)\n"
                     " ROOT r = pred[] or(lt, both)\n"}),
            "0+1+");
  EXPECT_EQ(keys_of({kLess, kEqual, kNext,
                     " ROOT r = pred[] select(eq, next, lt)\n"}),
            "0+1+");
  EXPECT_EQ(keys_of({kGreater, kLess, kNext,
                     " not = pred[] not(lt)\n both = pred[] and(not, next)\n"
                     " ROOT r = pred[] or(gt, both)\n"}),
            "0-1+");
}

TEST(SortKey, KeysMayBeFunctionsAndOfOneOperand) {
  EXPECT_EQ(keys_of({" e = s32[] negate(c)\n f = s32[] negate(d)\n"
                     " k = s32[] constant(1)\n g = s32[] and(c, k)\n"
                     " h = s32[] and(d, k)\n"
                     " x = pred[] compare(g, h), direction=GE\n"
                     " y = pred[] compare(h, g), direction=LT\n"
                     " z = pred[] compare(e, f), direction=LT\n"
                     " w = pred[] and(x, z)\n ROOT r = pred[] or(y, w)\n"}),
            "1-f1+f");
}

TEST(SortKey, OtherFunctionsOfComparisonsAreNoOrder) {
  EXPECT_EQ(keys_of({kLess, kNext, " ROOT r = pred[] or(lt, next)\n"}), "");
  EXPECT_EQ(keys_of({kLess, kNext, " ROOT r = pred[] and(lt, next)\n"}), "");
  EXPECT_EQ(keys_of({" ROOT r = pred[] compare(a, b), direction=LE\n"}), "");
  EXPECT_EQ(keys_of({" ROOT r = pred[] compare(a, b), direction=NE\n"}), "");
  EXPECT_EQ(keys_of({" ROOT r = pred[] constant(true)\n"}), "");
  // Equal in both keys, the one would come before the other.
  EXPECT_EQ(keys_of({kLess, kEqual,
                     " next = pred[] compare(c, d), direction=LE\n"
                     " ROOT r = pred[] select(eq, next, lt)\n"}),
            "");
}

TEST(SortKey, AComparatorOfOtherThanKeysHasNone) {
  EXPECT_EQ(keys_of({" x = f32[] subtract(a, b)\n y = f32[] constant(0)\n"
                     " ROOT r = pred[] compare(x, y), direction=LT\n"}),
            "");
  EXPECT_EQ(keys_of({kEqual, kLess,
                     " x = s32[] constant(7)\n"
                     " y = pred[] compare(c, x), direction=LT\n"
                     " ROOT r = pred[] select(eq, y, lt)\n"}),
            "");
}

}  // namespace
}  // namespace hlo
