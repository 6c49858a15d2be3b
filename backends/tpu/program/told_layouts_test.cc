#include "backends/tpu/program/told_layouts.h"

#include <gtest/gtest.h>

#include <string>

#include "interpreter/error.h"
#include "interpreter/verify/verify.h"

namespace hlo::tpu {
namespace {

std::string told(const std::string& program, const std::string& generation) {
  const Module module = verified_module(program);
  for (const Generation& each : generations()) {
    if (each.name == generation) return told_layouts({module, each});
  }
  return "";
}

// 300 rows are 384, 257 columns 264; a tile of s4 has 8 by 128 slots of 4 bits.
TEST(TpuToldLayouts, HasTheBytesAndTheWasteOfEachArray) {
  EXPECT_EQ(told(R"(ENTRY main {
    x = f32[300,257] parameter(0)
    p = (s4[3,100], token[], f32[0]) parameter(1)
    a = s4[3,100] get-tuple-element(p), index=0
    n = f32[300,257] negate(x)
    ROOT t = (f32[300,257], s4[3,100]) tuple(n, a)
  })",
                 "v5e"),
            R"(generation v5e: an array takes 512 bytes at least
%main
  %x f32[300,257]{1,0}: 308400 bytes in 308736, 0.1 % waste
  %p leaf 0 s4[3,100]{1,0}: 300 bytes in 512, 41.4 % waste
  %p leaf 2 f32[0]{0}: 0 bytes in 512, 100.0 % waste
  copy of %x from {1,0} to {0,1:T(8,128)} for %n: 308400 bytes in 405504, 23.9 % waste
  %n f32[300,257]{0,1:T(8,128)}: 308400 bytes in 405504, 23.9 % waste
  copy of %t from {0,1:T(8,128)} to {1,0} for the result: 308400 bytes in 308736, 0.1 % waste
arrays: 4, 617100 bytes in 715264, 13.7 % waste
copies: 2, 616800 bytes in 714240, 13.6 % waste
)");
}

TEST(TpuToldLayouts, KnowsTheLeastThatAnArrayTakes) {
  const std::string program =
      "ENTRY main { ROOT x = s4[]{:T(1024)E(4)} parameter(0) }";
  EXPECT_EQ(told(program, "v4"),
            R"(generation v4: an array takes 512 bytes at least
%main
  %x s4[]{:T(1024)E(4)}: 1 byte in 512, 99.8 % waste
arrays: 1, 1 byte in 512, 99.8 % waste
copies: 0
)");
  EXPECT_NE(told(program, "v2")
                .find("%x s4[]{:T(1024)E(4)}: 1 byte in 1024, 99.9 % waste"),
            std::string::npos);
}

TEST(TpuToldLayouts, TellsOfArraysThatNoMachineHolds) {
  EXPECT_NE(told("ENTRY main { ROOT x = u8[1099511627776,65536] parameter(0) }",
                 "v5e")
                .find("72057594037927936 bytes in 72057594037927936, 0.0 %"),
            std::string::npos);
}

}  // namespace
}  // namespace hlo::tpu
