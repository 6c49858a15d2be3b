#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/shrink/candidates.h"
#include "conformance/shrink/haste.h"
#include "conformance/shrink/shrink.h"
#include "conformance/shrink/testing/faulty_backend.h"
#include "interpreter/error.h"
#include "interpreter/run/budget.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

constexpr const char* kLoop = R"(
  more { s = (s32[], f32[2]) parameter(0)
         i = s32[] get-tuple-element(s), index=0  three = s32[] constant(3)
         ROOT c = pred[] compare(i, three), direction=LT }
  turn { s = (s32[], f32[2]) parameter(0)
         i = s32[] get-tuple-element(s), index=0
         x = f32[2] get-tuple-element(s), index=1
         one = s32[] constant(1)  j = s32[] add(i, one)  y = f32[2] add(x, x)
         ROOT t = (s32[], f32[2]) tuple(j, y) }
  ENTRY e { i = s32[] constant(0)  x = f32[2] parameter(0)
            s = (s32[], f32[2]) tuple(i, x)
            w = (s32[], f32[2]) while(s), condition=more, body=turn
            ROOT r = f32[2] get-tuple-element(w), index=1 }
)";

TEST(SimplerComputations, LeaveALoopWithOneElementOfItsState) {
  const auto spoils_loops = [](const Module& module,
                               std::vector<Literal>& results) {
    if (!has(module, "while") || !results[0].shape().is_array()) return;
    for (Literal& result : results) {
      Scalar element = result.at(0);
      element.bits[0] ^= 1;
      result.set(0, element);
    }
  };
  Edit edit({.hlo = kLoop,
             .inputs = {text::parse_literal_with_shape("f32[2] {1,2}")}});
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils_loops), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_LE(shrunk.after.instructions, 3) << shrunk.smallest.program.hlo;
  const Module module = verified_module(shrunk.smallest.program.hlo);
  EXPECT_TRUE(has(module, "while"));
  EXPECT_TRUE(module.entry->root->shape.is_array());
}

/// The reference ends what is left, so that not to end is the backend's fault.
TEST(SimplerComputations, KeepLoopsThatEnd) {
  const auto never_ends = [](const Module& module, std::vector<Literal>&) {
    if (!has(module, "while")) return;
    Budget own(1000);
    for (;;) own.spend(1);
  };
  Edit edit({.hlo = kLoop,
             .inputs = {text::parse_literal_with_shape("f32[2] {1,2}")}});
  const Shrunk shrunk = shrink(edit.finish(), faulty(never_ends), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_LE(shrunk.after.instructions, 3) << shrunk.smallest.program.hlo;
  EXPECT_TRUE(ends_within(shrunk.smallest.program, 1'000'000));
}

// As of a backend that is wrong about where elements lie.
TEST(SimplerComputations, GiveWayToAnArrayThatIsHandedOn) {
  const auto spoils_twelve = [](const Module& module,
                                std::vector<Literal>& results) {
    constexpr uint64_t kTwelve = 0x41400000;
    if (!has(module, "while") && !has(module, "transpose")) return;
    for (Literal& result : results) {
      for (int64_t i = 0; i < result.element_count(); ++i) {
        Scalar element = result.at(i);
        element.bits[0] ^= element.bits[0] == kTwelve ? 1 : 0;
        result.set(i, element);
      }
    }
  };
  // 6 doubled once.
  Edit edit({.hlo = R"(
  more { s = (s32[], f32[]) parameter(0)
         i = s32[] get-tuple-element(s), index=0  one = s32[] constant(1)
         ROOT c = pred[] compare(i, one), direction=LT }
  turn { s = (s32[], f32[]) parameter(0)
         i = s32[] get-tuple-element(s), index=0
         x = f32[] get-tuple-element(s), index=1
         one = s32[] constant(1)  j = s32[] add(i, one)  y = f32[] add(x, x)
         ROOT t = (s32[], f32[]) tuple(j, y) }
  ENTRY e { s = (s32[], f32[]) parameter(0)
            ROOT w = (s32[], f32[]) while(s), condition=more, body=turn })",
             .inputs = {text::parse_literal_with_shape("s32[] 0"),
                        text::parse_literal_with_shape("f32[] 6")}});
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils_twelve), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.instructions, 1) << shrunk.smallest.program.hlo;
}

void spoil(std::vector<Literal>& results) {
  Scalar element = results[0].at(0);
  element.bits[0] ^= 1;
  results[0].set(0, element);
}

TEST(SimplerComputations, LetABranchGiveItsOperand) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (has(module, "conditional")) spoil(results);
  };
  Edit edit({.hlo = R"(
  one { p = (s32[], f32[2]) parameter(0)  ROOT c = s32[] constant(1) }
  two { p = f32[] parameter(0)            ROOT c = s32[] constant(2) }
  ENTRY e { q = pred[] parameter(0)  t = (s32[], f32[2]) parameter(1)
            x = f32[] parameter(2)
            ROOT r = s32[] conditional(q, t, x), true_computation=one,
                                                 false_computation=two })",
             .inputs = {text::parse_literal_with_shape("pred[] true"),
                        text::parse_literal_with_shape("s32[] 7"),
                        text::parse_literal_with_shape("f32[2] {1,2}"),
                        text::parse_literal_with_shape("f32[] 3")}});
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.instructions, 1) << shrunk.smallest.program.hlo;
}

// The place of the greatest hangs on the values, of which zeros are left.
TEST(SimplerComputations, FoldOneOfSeveralArrays) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (has(module, "reduce")) spoil(results);
  };
  Edit edit({.hlo = R"(
  argmax { a = f32[] parameter(0)  i = s32[] parameter(1)
           b = f32[] parameter(2)  j = s32[] parameter(3)
           p = pred[] compare(a, b), direction=GE  v = f32[] select(p, a, b)
           k = s32[] select(p, i, j)  ROOT t = (f32[], s32[]) tuple(v, k) }
  ENTRY e { x = f32[2] parameter(0)  y = s32[2] parameter(1)
            u = f32[] parameter(2)   w = s32[] parameter(3)
            r = (f32[], s32[]) reduce(x, y, u, w), dimensions={0},
                                                   to_apply=argmax
            ROOT place = s32[] get-tuple-element(r), index=1 })",
             .inputs = {text::parse_literal_with_shape("f32[2] {1,2}"),
                        text::parse_literal_with_shape("s32[2] {0,1}"),
                        text::parse_literal_with_shape("f32[] 0"),
                        text::parse_literal_with_shape("s32[] 0")}});
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.instructions, 1) << shrunk.smallest.program.hlo;
}

TEST(SimplerComputations, TakeWhatATupleIsMadeOf) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (has(module, "negate") && has(module, "add")) spoil(results);
  };
  Edit edit({.hlo = R"(
  ENTRY e { x = f32[] parameter(0)  n = f32[] negate(x)
            t = (f32[], f32[]) tuple(x, n)
            y = f32[] get-tuple-element(t), index=1
            ROOT r = f32[] add(y, x) })",
             .inputs = {text::parse_literal_with_shape("f32[] 3")}});
  const Shrunk shrunk = shrink(edit.finish(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  EXPECT_EQ(shrunk.after.instructions, 2) << shrunk.smallest.program.hlo;
}

// There is no number below the least one.
TEST(SimplerAttributes, AreNearerToZeroThanTheLeastInteger) {
  const Failing failing{
      .program = {.hlo =
                      "ENTRY e { ROOT r = u64[2] rng-get-and-update-state(), "
                      "delta=-9223372036854775808 }",
                  .inputs = {}},
      .judgement = {}};
  std::string all;
  for (const Candidate& candidate : simpler_attributes(failing)) {
    try {
      all += candidate().hlo;
    } catch (const Error&) {  // one without it
    }
  }
  EXPECT_NE(all.find("delta=0"), std::string::npos) << all;
  EXPECT_NE(all.find("delta=-4611686018427387904"), std::string::npos) << all;
}

}  // namespace
}  // namespace hlo::conformance
