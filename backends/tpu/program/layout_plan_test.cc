#include "backends/tpu/program/layout_plan.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "interpreter/verify/verify.h"

namespace hlo::tpu {
namespace {

class TpuLayoutPlan : public ::testing::Test {
 protected:
  void plan(const std::string& text) {
    module_.emplace(verified_module(text));
    plan_.emplace(*module_, generations().front());
  }

  std::string layout_of(const std::string& name) const {
    for (const Computation* computation : plan_->computations()) {
      for (const auto& each : computation->instructions) {
        if (each->name != name) continue;
        std::string text;
        for (const Shape& leaf : plan_->leaves_of(*each)) {
          text += (text.empty() ? "" : " ") + to_string(*leaf.layout);
        }
        return text;
      }
    }
    return "none";
  }

  /// "x {1,0} to {0,1:T(8,128)} for y".
  std::vector<std::string> copies() const {
    std::vector<std::string> all;
    for (const LayoutCopy& copy : plan_->copies()) {
      all.push_back(copy.value->name + " " + to_string(*copy.from.layout) +
                    " to " + to_string(*copy.to.layout) + " for " +
                    (copy.reader == nullptr ? "result" : copy.reader->name));
    }
    return all;
  }

  std::optional<Module> module_;
  std::optional<LayoutPlan> plan_;
};

using Lines = std::vector<std::string>;

TEST_F(TpuLayoutPlan, KeepsWhatTheProgramStates) {
  plan(R"(ENTRY main {
    x = f32[300,257] parameter(0)
    n = f32[300,257] negate(x)
    m = f32[300,257]{1,0:T(4,128)} abs(n)
    ROOT r = f32[300,257] negate(n)
  })");
  EXPECT_EQ(layout_of("x"), "{1,0}");
  EXPECT_EQ(layout_of("n"), "{0,1:T(8,128)}");
  EXPECT_EQ(layout_of("m"), "{1,0:T(4,128)}");
  EXPECT_EQ(layout_of("r"), "{0,1:T(8,128)}");
  EXPECT_EQ(copies(), (Lines{"x {1,0} to {0,1:T(8,128)} for n",
                             "n {0,1:T(8,128)} to {1,0:T(4,128)} for m",
                             "r {0,1:T(8,128)} to {1,0} for result"}));
}

TEST_F(TpuLayoutPlan, CarriesLayoutsThroughElementWiseOperations) {
  plan(
      R"(HloModule m, entry_computation_layout={(f32[64,64]{0,1:T(4,128)})->bf16[64,64]{0,1:T(4,128)(2,1)}}
  ENTRY main {
    x = f32[64,64] parameter(0)
    n = f32[64,64] negate(x)
    s = s32[64,64] bitcast-convert(n)
    t = s32[64,64] abs(s)
    ROOT r = bf16[64,64] convert(n)
  })");
  EXPECT_EQ(layout_of("x"), "{0,1:T(4,128)}");
  EXPECT_EQ(layout_of("n"), "{0,1:T(4,128)}");
  EXPECT_EQ(layout_of("r"), "{0,1:T(4,128)(2,1)}");
  EXPECT_EQ(copies(), Lines());
}

TEST_F(TpuLayoutPlan, GivesAnOperationTheLayoutOfMostOperands) {
  plan(R"(ENTRY main {
    a = f32[64,64]{1,0:T(8,128)} parameter(0)
    b = f32[64,64]{0,1:T(8,128)} parameter(1)
    p = pred[64,64] parameter(2)
    c = f32[64,64]{0,1:T(8,128)} clamp(b, a, b)
    d = f32[64,64] clamp(b, a, b)
    e = f32[64,64] add(a, b)
    ROOT r = f32[64,64] add(b, b)
  })");
  EXPECT_EQ(layout_of("d"), "{0,1:T(8,128)}");
  EXPECT_EQ(layout_of("e"), "{1,0:T(8,128)}");
  EXPECT_EQ(layout_of("r"), "{0,1:T(8,128)}");
  // One copy of a for c and d; one of b for e.
  EXPECT_EQ(copies(), (Lines{"a {1,0:T(8,128)} to {0,1:T(8,128)} for c",
                             "b {0,1:T(8,128)} to {1,0:T(8,128)} for e",
                             "r {0,1:T(8,128)} to {1,0} for result"}));
}

TEST_F(TpuLayoutPlan, HandsLayoutsOnInTuples) {
  plan(R"(ENTRY main {
    a = f32[3]{0:T(4)} parameter(0)
    b = (f32[2]{0:T(2)}, s8[2]{0:T(8)}) parameter(1)
    t = (f32[3], (f32[2], s8[2])) tuple(a, b)
    u = (f32[2], s8[2]) get-tuple-element(t), index=1
    ROOT v = s8[2] get-tuple-element(u), index=1
  })");
  EXPECT_EQ(layout_of("t"), "{0:T(4)} {0:T(2)} {0:T(8)}");
  EXPECT_EQ(layout_of("u"), "{0:T(2)} {0:T(8)}");
  EXPECT_EQ(layout_of("v"), "{0:T(8)}");
}

TEST_F(TpuLayoutPlan, TakesTuplesOfNothing) {
  plan("ENTRY main { ROOT t = () tuple() }");
  EXPECT_EQ(layout_of("t"), "");
}

TEST_F(TpuLayoutPlan, CopiesWhatOtherComputationsTakeAndGive) {
  plan(R"(
  condition { p = f32[4] parameter(0)
              ROOT q = pred[] constant(false) }
  body { s = f32[4] parameter(0)
         ROOT g = f32[4]{0:T(2)} negate(s) }
  twice { o = f32[4] parameter(0)
          ROOT i = f32[4]{0:T(8)} add(o, o) }
  region { l = f32[] parameter(0)
           z = f32[] parameter(1)
           ROOT k = f32[] add(l, z) }
  ENTRY main {
    x = f32[4] parameter(0)
    w = f32[4] while(x), condition=condition, body=body
    c = f32[4] call(w), to_apply=twice
    zero = f32[] constant(0)
    ROOT r = f32[] reduce(c, zero), dimensions={0}, to_apply=region
  })");
  EXPECT_EQ(layout_of("s"), "{0:T(256)}");
  EXPECT_EQ(layout_of("w"), "{0:T(256)}");
  EXPECT_EQ(layout_of("c"), "{0:T(8)}");
  EXPECT_EQ(layout_of("k"), "none");  // in lanes
  EXPECT_EQ(
      copies(),
      (Lines{"s {0:T(256)} to {0:T(2)} for g", "o {0:T(256)} to {0:T(8)} for i",
             "x {0} to {0:T(256)} for w", "x {0} to {0:T(256)} for w",
             "g {0:T(2)} to {0:T(256)} for w", "r {:T(128)} to  for result"}));
}

// 256 by 384 pads nothing in either order, so that the order stays.
TEST_F(TpuLayoutPlan, CarriesOrdersThroughWhatMovesDimensions) {
  plan(R"(ENTRY main {
    x = f32[256,384]{1,0:T(8,128)} parameter(0)
    t = f32[384,256] transpose(x), dimensions={1,0}
    one = f32[384,1,256] reshape(t)
    part = f32[128,1,256] slice(one), slice={[0:128], [0:1], [0:256]}
    two = f32[] constant(2)
    twos = f32[128,1,256] broadcast(two), dimensions={}
    m = f32[128,1,256] multiply(part, twos)
    back = f32[256,1,128] transpose(m), dimensions={2,1,0}
    n = f32[256,1,128] negate(back)
    ROOT r = f32[256,128]{1,0:T(8,128)} reshape(n)
  })");
  EXPECT_EQ(layout_of("t"), "{0,1:T(8,128)}");
  EXPECT_EQ(layout_of("one"), "{0,2,1:T(8,128)}");
  EXPECT_EQ(layout_of("part"), "{0,2,1:T(8,128)}");
  EXPECT_EQ(layout_of("twos"), "{0,2,1:T(8,128)}");  // as its reader
  EXPECT_EQ(layout_of("m"), "{0,2,1:T(8,128)}");
  EXPECT_EQ(layout_of("back"), "{2,0,1:T(8,128)}");
  EXPECT_EQ(layout_of("n"), "{2,0,1:T(8,128)}");
  EXPECT_EQ(copies(), Lines());
}

// 384 is 3 times 128, 16 tiles of 8; 96 are whole tiles, too, and 4 are not. A
// dimension that no tile extends along is split and merged as it comes.
TEST_F(TpuLayoutPlan, CarriesOrdersThroughReshapesThatCutNoTile) {
  plan(R"(ENTRY main {
    x = f32[256,384]{0,1:T(8,128)} parameter(0)
    split = f32[256,3,128] reshape(x)
    merged = f32[256,384] bitcast(split)
    four = f32[256,4,96] reshape(merged)
    cut = f32[256,96,4] reshape(merged)
    y = f32[6,128,128]{1,2,0:T(8,128)} parameter(1)
    major = f32[2,3,128,128] reshape(y)
    minor = f32[6,2,64,128] reshape(y)
    ROOT t = () tuple()
  })");
  EXPECT_EQ(layout_of("split"), "{0,2,1:T(8,128)}");
  EXPECT_EQ(layout_of("merged"), "{0,1:T(8,128)}");
  EXPECT_EQ(layout_of("four"), "{0,2,1:T(8,128)}");
  // {0,2,1} and {0,1,2} pad nothing, and the first is nearer to row-major.
  EXPECT_EQ(layout_of("cut"), "{0,2,1:T(4,128)}");
  EXPECT_EQ(layout_of("major"), "{2,3,1,0:T(8,128)}");
  EXPECT_EQ(layout_of("minor"), "{3,2,1,0:T(8,128)}");  // 64 cut tiles of 128
  EXPECT_EQ(copies(), Lines());
}

// Types of one width have the lanes of a reshape; of others the last dimension
// has as many bits, and its tiles are not cut: 768 halves, 96 numbers of 64
// bits. Those of a layout that is asked for lie in the order of its bytes.
TEST_F(TpuLayoutPlan, CarriesOrdersThroughBitcastsToOtherTypes) {
  plan(R"(ENTRY main {
    x = f32[256,384]{0,1:T(8,128)} parameter(0)
    number = f32[256,384] negate(x)
    same = s32[256,384] bitcast(number)
    split = u32[256,3,128] bitcast(number)
    halves = bf16[256,768] bitcast(number)
    wide = f64[256,192] bitcast(number)
    less = s32[128,384] bitcast(number)
    bits = u32[256,384] bitcast-convert(number)
    parts = u16[256,384,2] bitcast-convert(number)
    asked = s32[384,256] bitcast(x)
    ROOT t = () tuple()
  })");
  EXPECT_EQ(layout_of("same"), "{0,1:T(8,128)}");
  EXPECT_EQ(layout_of("split"), "{0,2,1:T(8,128)}");
  EXPECT_EQ(layout_of("halves"), "{0,1:T(8,128)(2,1)}");
  EXPECT_EQ(layout_of("wide"), "{0,1:T(8,128)}");
  EXPECT_EQ(layout_of("less"), "{1,0:T(8,128)}");  // the first of its bytes
  EXPECT_EQ(layout_of("bits"), "{0,1:T(8,128)}");
  EXPECT_EQ(layout_of("parts"), "{1,2,0:T(2,128)(2,1)}");
  EXPECT_EQ(layout_of("asked"), "{1,0:T(8,128)}");
}

// Both orders of the product pad nothing, and it meets y.
TEST_F(TpuLayoutPlan, GivesAProductTheLayoutThatItsReaderMeets) {
  plan(R"(
  sum { a = f32[] parameter(0)  b = f32[] parameter(1)
        ROOT s = f32[] add(a, b) }
  ENTRY main {
    x = f32[128,128]{1,0:T(8,128)} parameter(0)
    y = f32[128,128]{0,1:T(8,128)} parameter(1)
    p = f32[128,128] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
    a = f32[128,128] add(p, y)
    z = f32[4,128,128] parameter(2)
    zero = f32[] constant(0)
    f = f32[128,128] reduce(z, zero), dimensions={0}, to_apply=sum
    ROOT r = f32[128,128]{0,1:T(8,128)} multiply(f, a)
  })");
  EXPECT_EQ(layout_of("p"), "{0,1:T(8,128)}");
  EXPECT_EQ(layout_of("f"), "{0,1:T(8,128)}");
  EXPECT_EQ(copies(), Lines());
}

// A parameter of a call has the order that pads least, and so has what meets
// it: x is copied once for all three.
TEST_F(TpuLayoutPlan, CopiesOnceForACallAndForLanes) {
  plan(R"(
  twice { o = f32[300,257] parameter(0)
          ROOT i = f32[300,257] add(o, o) }
  ENTRY main {
    x = f32[300,257] parameter(0)
    c = f32[300,257] call(x), to_apply=twice
    a = f32[300,257] add(x, c)
    d = f32[300,257] call(x), to_apply=twice
    ROOT r = f32[300,257]{0,1:T(8,128)} multiply(a, d)
  })");
  EXPECT_EQ(copies(), (Lines{"x {1,0} to {0,1:T(8,128)} for c"}));
}

// 300 by 257 is 304 by 384 slots, and 264 by 384 in the other order.
TEST_F(TpuLayoutPlan, CarriesNoOrderThatPadsMore) {
  plan(R"(ENTRY main {
    x = f32[257,300]{0,1:T(8,128)} parameter(0)
    t = f32[300,257] transpose(x), dimensions={1,0}
    ROOT n = f32[300,257]{0,1:T(8,128)} negate(t)
  })");
  EXPECT_EQ(layout_of("t"), "{0,1:T(8,128)}");
}

// The sum meets y, which lies in the other order, and a loop's state has the
// order that pads least: both would be copies.
TEST_F(TpuLayoutPlan, CarriesNoOrderThatAReaderWouldCopy) {
  plan(R"(
  condition { p = f32[128,256] parameter(0)
              ROOT q = pred[] constant(false) }
  body { s = f32[128,256] parameter(0)
         ROOT g = f32[128,256] negate(s) }
  ENTRY main {
    x = f32[256,128]{1,0:T(8,128)} parameter(0)
    y = f32[128,256]{1,0:T(8,128)} parameter(1)
    t = f32[128,256] transpose(x), dimensions={1,0}
    a = f32[128,256] add(t, y)
    u = f32[128,256] transpose(x), dimensions={1,0}
    w = f32[128,256] while(u), condition=condition, body=body
    ROOT r = f32[128,256]{1,0:T(8,128)} add(a, w)
  })");
  EXPECT_EQ(layout_of("t"), "{1,0:T(8,128)}");
  EXPECT_EQ(layout_of("u"), "{1,0:T(8,128)}");
  EXPECT_EQ(copies(), Lines());
}

}  // namespace
}  // namespace hlo::tpu
