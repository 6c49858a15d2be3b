#include <gtest/gtest.h>

#include <vector>

#include "conformance/shrink/shrink.h"
#include "conformance/shrink/testing/faulty_backend.h"
#include "interpreter/devices/devices.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

Program gathered() {
  Edit edit({.hlo = R"(HloModule m, replica_count=4
  ENTRY e { x = f32[3] parameter(0)
            n = f32[3] negate(x)
            ROOT r = f32[12] all-gather(n), dimensions={0},
                             replica_groups={{0,1,2,3}} })",
             .inputs = {text::parse_literal_with_shape("f32[3] {1,2,3}"),
                        text::parse_literal_with_shape("f32[3] {4,5,6}"),
                        text::parse_literal_with_shape("f32[3] {7,8,9}"),
                        text::parse_literal_with_shape("f32[3] {7,8,1}")}});
  return edit.finish();
}

void spoil(std::vector<Literal>& results) {
  for (Literal& result : results) {
    Scalar element = result.at(0);
    element.bits[0] ^= 0x800000;
    result.set(0, element);
  }
}

TEST(FewerDevices, LeaveOneWhereOneFails) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (has(module, "negate")) spoil(results);
  };
  const Shrunk shrunk = shrink(gathered(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  const Module module = verified_module(shrunk.smallest.program.hlo);
  EXPECT_EQ(device_count(module), 1) << shrunk.smallest.program.hlo;
  EXPECT_EQ(shrunk.after.instructions, 1);
  EXPECT_EQ(shrunk.smallest.program.inputs.size(), 1);
}

TEST(FewerDevices, LeaveTwoWhereOneConforms) {
  const auto spoils = [](const Module& module, std::vector<Literal>& results) {
    if (device_count(module) > 1) spoil(results);
  };
  const Shrunk shrunk = shrink(gathered(), faulty(spoils), {});
  ASSERT_TRUE(shrunk.kind);
  const Module module = verified_module(shrunk.smallest.program.hlo);
  EXPECT_EQ(device_count(module), 2) << shrunk.smallest.program.hlo;
  EXPECT_LE(shrunk.after.elements, 2);
}

}  // namespace
}  // namespace hlo::conformance
