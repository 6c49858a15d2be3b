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
