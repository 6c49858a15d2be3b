#include "backends/gpu/program/device_memory.h"

#include <gtest/gtest.h>

#include <array>

namespace hlo::gpu {
namespace {

TEST(GpuMemory, GivesOutPartsThatDoNotTouch) {
  const auto device = make_fiber_device();
  Memory memory(*device);
  const uint64_t a = memory.take(1);
  const uint64_t b = memory.take(17);
  const uint64_t c = memory.take(0);
  EXPECT_EQ(a, 0U);
  EXPECT_EQ(b, 16U);
  EXPECT_EQ(c, 48U);
  memory.give_back(a);
  memory.give_back(b);
  EXPECT_EQ(memory.take(48), 0U) << "both parts and no more";
  EXPECT_EQ(memory.take(16), 64U);
}

TEST(GpuMemory, KeepsWhatIsThereAsItGrows) {
  const auto device = make_fiber_device();
  Memory memory(*device);
  const uint64_t a = memory.take(16);
  const std::array<std::byte, 2> sent = {std::byte{3}, std::byte{5}};
  device->write(a, sent);
  memory.take(uint64_t{1} << 22);
  std::array<std::byte, 2> got{};
  device->read(a, got);
  EXPECT_EQ(got, sent);
}

TEST(GpuMemory, RefusesWhatTheDeviceHasNoRoomFor) {
  const auto device = make_fiber_device();
  Memory memory(*device);
  EXPECT_THROW(memory.take(UINT64_MAX), DeviceError);
  EXPECT_THROW(memory.take(device->memory() + 1), DeviceError);
}

}  // namespace
}  // namespace hlo::gpu
