#include <gtest/gtest.h>

#include "backends/gpu/testing/device_runs.h"

// Computations on elements in which the type changes without a conversion by
// name; values by hand.

namespace hlo::gpu {
namespace {

void expect_bits(const std::string& region, const std::string& entry,
                 const Bits& bits) {
  const std::string text =
      "HloModule m\n\nf {\n" + region + "}\n\nENTRY main {\n" + entry + "}\n";
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, text), bits) << backend->name() << text;
  }
}

// 1.1 is 0x3f8ccccd in f32 and 0x3f8d in bf16.
TEST(GpuRegions, RoundWhatIsHandedOnInAnotherType) {
  for (const char* const hand : {"copy(a)", "broadcast(a), dimensions={}",
                                 "transpose(a), dimensions={}"}) {
    expect_bits(
        std::string("  a = f32[] parameter(0)\n  ROOT b = bf16[] ") + hand +
            "\n",
        "  x = f32[2] constant({1.1, -3.3})\n  ROOT r = bf16[2] map(x), "
        "dimensions={0}, to_apply=f\n",
        {0x3f8d, 0xc053});
  }
}

// An s2 lies in a byte, which its sign fills.
TEST(GpuRegions, ReadBitsAsAnotherType) {
  expect_bits("  a = f32[] parameter(0)\n  ROOT b = s32[] bitcast(a)\n",
              "  x = f32[2] constant({1, -2})\n  m = s32[2] map(x), "
              "dimensions={0}, to_apply=f\n  ROOT r = f64[2] convert(m)\n",
              {0x41cfc00000000000, 0xc1d0000000000000});
  expect_bits("  a = s2[] parameter(0)\n  ROOT b = u8[] bitcast(a)\n",
              "  x = s2[2] constant({1, -2})\n  ROOT r = u8[2] map(x), "
              "dimensions={0}, to_apply=f\n",
              {1, 0xfe});
}

// As integers negative floats are in the opposite order.
TEST(GpuRegions, CompareBitsOfKeys) {
  for (const char* const reading : {"bitcast", "bitcast-convert"}) {
    const std::string as = reading;
    expect_bits(
        "  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  c = s32[] " +
            as + "(a)\n  d = s32[] " + as +
            "(b)\n  ROOT p = pred[] compare(c, d), direction=LT\n",
        "  x = f32[4] constant({1, -1, -2, 3})\n  ROOT r = f32[4] "
        "sort(x), dimensions={0}, to_apply=f\n",
        {0xbf800000, 0xc0000000, 0x3f800000, 0x40400000});
  }
}

// 1 + 2^-8 is a tie in bf16, and 1; in f32 it stays.
TEST(GpuRegions, JoinInTheirOwnTypes) {
  expect_bits(
      "  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT c = "
      "f32[] maximum(a, b)\n",
      "  x = f32[2] constant({1.00390625, 0.5})\n  i = f32[] "
      "constant(0)\n  ROOT r = bf16[] reduce(x, i), dimensions={0}, "
      "to_apply=f\n",
      {0x3f80});
  expect_bits(
      "  a = bf16[] parameter(0)\n  b = bf16[] parameter(1)\n  ROOT c = "
      "bf16[] maximum(a, b)\n",
      "  x = f32[2] constant({1.00390625, 0.5})\n  i = f32[] "
      "constant(0)\n  ROOT r = f32[1] reduce-window(x, i), "
      "window={size=2}, to_apply=f\n",
      {0x3f800000});
}

// 1 + 3 10 and 2 + 3 20; the third of the numbers stands behind a pair.
TEST(GpuRegions, TakeElementsOfTuplesOfTuples) {
  expect_bits(
      "  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  t = (f32[], f32[]) tuple(a, b)\n  c = f32[] constant(3)\n"
      "  u = ((f32[], f32[]), f32[]) tuple(t, c)\n"
      "  d = f32[] get-tuple-element(u), index=1\n"
      "  v = (f32[], f32[]) get-tuple-element(u), index=0\n"
      "  e = f32[] get-tuple-element(v), index=1\n"
      "  g = f32[] multiply(d, e)\n  ROOT h = f32[] add(g, a)\n",
      "  x = f32[2] constant({1, 2})\n  y = f32[2] constant({10, 20})\n"
      "  ROOT r = f32[2] map(x, y), dimensions={0}, to_apply=f\n",
      {0x41f80000, 0x42780000});
}

// (1 - 10) 2 and (2 - 20) 2
TEST(GpuRegions, CallComputationsOfTuples) {
  expect_bits(
      "  p = (f32[], f32[]) parameter(0)\n  q = f32[] parameter(1)\n"
      "  a = f32[] get-tuple-element(p), index=0\n"
      "  b = f32[] get-tuple-element(p), index=1\n"
      "  s = f32[] subtract(a, b)\n  ROOT r = f32[] multiply(s, q)\n}\n\n"
      "g {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
      "  t = (f32[], f32[]) tuple(a, b)\n  c = f32[] constant(2)\n"
      "  ROOT h = f32[] call(t, c), to_apply=f\n",
      "  x = f32[2] constant({1, 2})\n  y = f32[2] constant({10, 20})\n"
      "  ROOT r = f32[2] map(x, y), dimensions={0}, to_apply=g\n",
      {0xc1900000, 0xc2100000});
}

constexpr const char* kBranches =
    "  p = (f32[], s32[]) parameter(0)\n"
    "  a = f32[] get-tuple-element(p), index=0\n"
    "  b = f32[] negate(a)\n  c = s32[] get-tuple-element(p), index=1\n"
    "  ROOT r = (f32[], s32[]) tuple(b, c)\n}\n\n"
    "same {\n  p = (f32[], s32[]) parameter(0)\n"
    "  ROOT r = (f32[], s32[]) copy(p)\n}\n\n"
    "one {\n  p = (f32[], s32[]) parameter(0)\n"
    "  a = f32[] constant(1)\n  b = s32[] constant(7)\n"
    "  ROOT r = (f32[], s32[]) tuple(a, b)\n}\n\n"
    "g {\n  x = f32[] parameter(0)\n  i = s32[] parameter(1)\n"
    "  t = (f32[], s32[]) tuple(x, i)\n";
constexpr const char* kParts =
    "  v = f32[] get-tuple-element(c), index=0\n"
    "  w = s32[] get-tuple-element(c), index=1\n"
    "  y = f32[] convert(w)\n  ROOT r = f32[] add(v, y)\n";

// By an index, -1 and 3 choose the last one, which gives 1 + 7.
TEST(GpuRegions, ChooseABranchByItsNumber) {
  expect_bits(std::string(kBranches) +
                  "  c = (f32[], s32[]) conditional(i, t, t, t), "
                  "branch_computations={f, same, one}\n" +
                  kParts,
              "  x = f32[5] constant({4, 4, 4, 4, 4})\n"
              "  i = s32[5] constant({-1, 0, 1, 2, 3})\n"
              "  ROOT r = f32[5] map(x, i), dimensions={0}, to_apply=g\n",
              {0x41000000, 0xc0800000, 0x40a00000, 0x41000000, 0x41000000});
}

TEST(GpuRegions, ChooseABranchByWhetherItIsTrue) {
  expect_bits(
      std::string(kBranches) +
          "  z = s32[] constant(0)\n"
          "  k = pred[] compare(i, z), direction=LT\n"
          "  c = (f32[], s32[]) conditional(k, t, t), true_computation=f, "
          "false_computation=one\n" +
          kParts,
      "  x = f32[2] constant({4, 4})\n  i = s32[2] constant({-1, 0})\n"
      "  ROOT r = f32[2] map(x, i), dimensions={0}, to_apply=g\n",
      {0xc0a00000, 0x41000000});
}

// 1.5^2, 2^0.5 and 3^-1, rounded once.
TEST(GpuRegions, RaiseToAPowerOfAnotherType) {
  expect_bits("  ROOT a = f32[] parameter(0)\n",
              "  x = f32[3] constant({1.5, 2, 3})\n"
              "  y = bf16[3] constant({2, 0.5, -1})\n"
              "  ROOT r = f32[3] power(x, y)\n",
              {0x40100000, 0x3fb504f3, 0x3eaaaaab});
  expect_bits("  ROOT a = f32[] parameter(0)\n",
              "  x = bf16[2] constant({1, -1})\n"
              "  y = f32[2] constant({1, 0})\n"
              "  ROOT r = f32[2] atan2(x, y)\n",
              {0x3f490fdb, 0xbfc90fdb});
}

TEST(GpuRegions, GatherIntoAnotherType) {
  expect_bits("  ROOT a = f32[] parameter(0)\n",
              "  x = f32[3] constant({1.1, 2, 3})\n  i = s32[2,1] "
              "constant({{0}, {2}})\n  ROOT r = bf16[2] gather(x, i), "
              "offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, "
              "index_vector_dim=1, slice_sizes={1}\n",
              {0x3f8d, 0x4040});
}

}  // namespace
}  // namespace hlo::gpu
