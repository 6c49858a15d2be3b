#include <gtest/gtest.h>

#include "backends/gpu/testing/device_runs.h"
#include "interpreter/error.h"

// Programs on several devices, and arrays whose sizes are known at run time.

namespace hlo::gpu {
namespace {

constexpr uint64_t kOne = 0x3f800000;

// 2^24, 1 and 1 from three devices: 2^24 + 2, and not 2^24.
TEST(GpuDevices, SumWithoutErrorAndRoundOnce) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(HloModule m, replica_count=3
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      ENTRY main {
        i = u32[] replica-id()
        x = f32[3] constant({16777216, 1, 1})
        own = f32[1] dynamic-slice(x, i), dynamic_slice_sizes={1}
        ROOT r = f32[1] all-reduce(own), replica_groups={}, to_apply=add
      })"),
              (Bits{0x4b800001, 0x4b800001, 0x4b800001}))
        << backend->name();
  }
}

// A sum of nothing but -0 is -0; a maximum is no sum.
TEST(GpuDevices, CombineZerosAndOthers) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(HloModule m, replica_count=2
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      max { a = s32[] parameter(0)  b = s32[] parameter(1)
            ROOT c = s32[] maximum(a, b) }
      ENTRY main {
        x = f32[] constant(-0)
        i = u32[] replica-id()
        y = s32[] convert(i)
        s = f32[] all-reduce(x), replica_groups={}, to_apply=add
        m = s32[] all-reduce(y), replica_groups={}, to_apply=max
        ROOT r = (f32[], s32[]) tuple(s, m)
      })"),
              (Bits{0x80000000, 1, 0x80000000, 1}))
        << backend->name();
  }
}

TEST(GpuDevices, SendToEachOther) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(HloModule m, replica_count=2
      ENTRY main {
        i = u32[] replica-id()
        ROOT r = u32[] collective-permute(i), source_target_pairs={{0,1},{1,0}}
      })"),
              (Bits{1, 0}))
        << backend->name();
  }
}

TEST(GpuDevices, SayWhereTheyAllWait) {
  const Module module = verified_module(R"(HloModule m, replica_count=2
    ENTRY main {
      x = f32[1] constant({1})
      t = token[] after-all()
      s = (f32[1], u32[], token[]) recv(t), channel_id=1
      d = (f32[1], token[]) recv-done(s), channel_id=1
      ROOT r = f32[1] get-tuple-element(d), index=0
    })");
  for (const auto& backend : backends_here()) {
    const Outcome outcome = backend->run(module, {});
    EXPECT_EQ(std::get<Failure>(outcome).rule, "evaluate.deadlock");
  }
}

// Three of four ones exist; a copy and a product keep that.
TEST(GpuSizes, ElementsThatDoNotExistDoNotCount) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      ENTRY main {
        o = f32[] constant(1)
        x = f32[4] broadcast(o), dimensions={}
        n = s32[] constant(3)
        s = f32[<=4] set-dimension-size(x, n), dimensions={0}
        c = f32[<=4] copy(s)
        p = f32[<=4] multiply(c, c)
        z = f32[] constant(0)
        t = f32[] reduce(p, z), dimensions={0}, to_apply=add
        k = s32[] get-dimension-size(p), dimensions={0}
        ROOT r = (f32[], s32[]) tuple(t, k)
      })"),
              (Bits{0x40400000, 3}))
        << backend->name();
  }
}

// A scan takes as many steps as there are elements: 1 + 2 + 3.
TEST(GpuSizes, AScanTakesTheStepsThatExist) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(
      body { x = s32[] parameter(0)  c = s32[] parameter(1)
             s = s32[] add(x, c)
             ROOT r = (s32[], s32[]) tuple(s, s) }
      ENTRY main {
        x = s32[4] constant({1, 2, 3, 4})
        n = s32[] constant(3)
        s = s32[<=4] set-dimension-size(x, n), dimensions={0}
        z = s32[] constant(0)
        w = (s32[<=4], s32[]) scan(s, z), dimensions={0}, num_carries=1,
          to_apply=body
        ROOT r = s32[] get-tuple-element(w), index=1
      })"),
              Bits{6})
        << backend->name();
  }
}

// Columns of a 2 x 2 array, read as rows; the two halves of 1 as f32.
TEST(GpuLayouts, ABitcastReadsTheSameBytes) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = f32[2,2]{0,1} constant({{1, 2}, {3, 4}})
      ROOT r = f32[2,2]{1,0} bitcast(x)
    })"),
              (Bits{kOne, 0x40400000, 0x40000000, 0x40800000}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = f32[1] constant({1})
      ROOT r = u16[2] bitcast(x)
    })"),
              (Bits{0, 0x3f80}))
        << backend->name();
  }
}

}  // namespace
}  // namespace hlo::gpu
