#include "backends/cpu/plan/plan_text.h"

#include <gtest/gtest.h>

#include <string_view>

#include "backends/cpu/plan/make_plan.h"
#include "interpreter/verify/verify.h"

namespace hlo::cpu {
namespace {

std::string text_of(std::string_view program) {
  const Module module = verified_module(program);
  return plan_text(*make_plan(*module.entry));
}

// 16 elements of 4 bytes: the transposed array is copied, the sum is written
// over the copy, the product needs a place of its own, and what is negated and
// cut at 0 is one pass over that.
TEST(PlanText, TellsStepsPlacesAndMemory) {
  EXPECT_EQ(text_of(R"(
ENTRY e {
  x = f32[4,4] parameter(0)
  w = f32[4,4] parameter(1)
  t = f32[4,4] transpose(x), dimensions={1,0}
  a = f32[4,4] add(x, t)
  p = f32[4,4] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  zero = f32[] constant(0)
  zeros = f32[4,4] broadcast(zero), dimensions={}
  n = f32[4,4] negate(p)
  ROOT r = f32[4,4] maximum(n, zeros)
})"),
            R"(4 steps of 5 operations: pass over tiles 2, copy 1, product 1
step 0: copy
  reads argument 0 f32[4,4] as [4,4] by strides [1,4] from 0
  writes value 2 f32[4,4]: 64 bytes at 0, read until step 1
step 1: pass over tiles: add %a
  reads argument 0 f32[4,4], value 2 f32[4,4]
  writes value 3 f32[4,4]: 64 bytes at 0 over value 2, read until step 2
step 2: product: dot %p
  reads value 3 f32[4,4], argument 1 f32[4,4]
  writes value 4 f32[4,4]: 64 bytes at 64, read until step 3
step 3: pass over tiles: negate %n maximum %r
  reads value 4 f32[4,4], constant f32[] as [16] by strides [0] from 0
  writes value 7 f32[4,4]: 64 bytes at 64 over value 4, kept to the end
results: value 7 f32[4,4]
copies into another order: 1 step, 64 bytes
block: 128 bytes; live ranges need 128, the block has 1.00 times as many
)");
}

// A kernel reads the folded dimension as the middle one of three; nothing reads
// the token, nor the iota, which is left out.
TEST(PlanText, TellsFunctionsFoldsAndWhatIsNotRead) {
  EXPECT_EQ(text_of(R"(
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[2,8] parameter(0)
  k = token[] after-all()
  i = u32[4] iota(), iota_dimension=0
  zero = f32[] constant(0)
  s = f32[2] reduce(x, zero), dimensions={1}, to_apply=add
  ROOT r = (f32[2], f32[2,8]) tuple(s, x)
})"),
            R"(2 steps of 2 operations: function 1, fold 1
step 0: function: after-all %k
  writes value 1 token[], not read
step 1: fold: reduce %s
  reads argument 0 f32[2,8], constant f32[]
  writes value 4 f32[2]: 8 bytes at 0, kept to the end
results: value 4 f32[2], argument 0 f32[2,8]
copies into another order: 0 steps, 0 bytes
block: 64 bytes; live ranges need 8, the block has 8.00 times as many
)");
}

// The largest of a line is found in the argument; exponentials are summed line
// by line while they are computed, and divided where they lie. What is squared
// is only summed: nothing but the sums is written. All is done for some lines,
// then for the next.
TEST(PlanText, TellsOfFoldsInPasses) {
  EXPECT_EQ(text_of(R"(
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[2,8] parameter(0)
  zero = f32[] constant(0)
  e = f32[2,8] exponential(x)
  s = f32[2] reduce(e, zero), dimensions={1}, to_apply=add
  all = f32[2,8] broadcast(s), dimensions={0}
  d = f32[2,8] divide(e, all)
  m = f32[2,8] multiply(d, d)
  q = f32[2] reduce(m, zero), dimensions={1}, to_apply=add
  ROOT r = (f32[2,8], f32[2]) tuple(d, q)
})"),
            R"(3 steps of 5 operations: pass over tiles 3
steps 0 to 2 for some of 2 lines at a time, value 2 in memory of a thread
step 0: pass over tiles: exponential %e, folded: reduce %s
  reads argument 0 f32[2,8], constant f32[]
  writes value 2 f32[2,8]: 64 bytes at 0, read until step 1
  writes value 3 f32[2]: 8 bytes at 64, read until step 1
step 1: pass over tiles: divide %d
  reads value 2 f32[2,8], value 3 f32[2] as [2,8] by strides [1,0] from 0
  writes value 4 f32[2,8]: 64 bytes at 0 over value 2, kept to the end
step 2: pass over tiles: multiply %m, folded: reduce %q
  reads value 4 f32[2,8], constant f32[]
  writes value 6 f32[2]: 8 bytes at 64, kept to the end
results: value 4 f32[2,8], value 6 f32[2]
copies into another order: 0 steps, 0 bytes
block: 128 bytes; live ranges need 72, the block has 1.78 times as many
)");
}

// The state is a counter and an array, over which the body writes; only what it
// reads of the array, 4 bytes, lies in the block that the loop has for it.
TEST(PlanText, TellsOfLoops) {
  EXPECT_EQ(text_of(R"(
less { s = (s32[], s32[32]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  three = s32[] constant(3)
  ROOT r = pred[] compare(i, three), direction=LT }
next { s = (s32[], s32[32]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  a = s32[32] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  u = s32[1] dynamic-slice(a, j), dynamic_slice_sizes={1}
  b = s32[32] dynamic-update-slice(a, u, j)
  ROOT t = (s32[], s32[32]) tuple(j, b) }
ENTRY e {
  s = (s32[], s32[32]) parameter(0)
  ROOT w = (s32[], s32[32]) while(s), condition=less, body=next
})"),
            R"(1 step of 1 operation: loop 1
step 0: loop: while %w
  reads argument 0 s32[], argument 1 s32[32]
  writes value 2 s32[]: 4 bytes at 0, kept to the end
  writes value 3 s32[32]: 128 bytes at 64, kept to the end
  writes value 4 u8[64]: 64 bytes at 192, not read
results: value 2 s32[], value 3 s32[32]
copies into another order: 0 steps, 0 bytes
block: 256 bytes; live ranges need 196, the block has 1.31 times as many

condition of %w: %less
1 step of 1 operation: pass over tiles 1
step 0: pass over tiles: compare %r
  reads argument 0 s32[], constant s32[]
  writes value 3 pred[]: 1 byte at 0, kept to the end
results: value 3 pred[]
copies into another order: 0 steps, 0 bytes
block: 64 bytes; live ranges need 1, the block has 64.00 times as many

body of %w: %next
3 steps of 3 operations: pass over tiles 1, slice 1, update 1
step 0: pass over tiles: add %j
  reads argument 0 s32[], constant s32[]
  writes value 3 s32[]: over argument 0, kept to the end
step 1: slice: dynamic-slice %u
  reads argument 1 s32[32], value 3 s32[]
  writes value 4 s32[1]: 4 bytes at 0, read until step 2
step 2: update: dynamic-update-slice %b
  reads argument 1 s32[32], value 4 s32[1], value 3 s32[]
  writes value 5 s32[32]: over argument 1, kept to the end
results: value 3 s32[], value 5 s32[32]
copies into another order: 0 steps, 0 bytes
block: 64 bytes; live ranges need 4, the block has 16.00 times as many
)");
}

TEST(PlanText, TellsOfAProgramThatDoesNothing) {
  EXPECT_EQ(text_of("ENTRY e { ROOT x = f32[3] parameter(0) }"),
            "0 steps of 0 operations\nresults: argument 0 f32[3]\n"
            "copies into another order: 0 steps, 0 bytes\n"
            "block: 0 bytes; live ranges need 0\n");
}

}  // namespace
}  // namespace hlo::cpu
