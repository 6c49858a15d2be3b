#include "backends/gpu/program/device_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(GpuMemory, TakesNoMoreThanItMay) {
  const auto device = make_fiber_device();
  Memory memory(*device, Numerics::kExact, 64);
  EXPECT_TRUE(memory.has_room(64));
  const uint64_t a = memory.take(48);
  EXPECT_TRUE(memory.has_room(16));
  EXPECT_FALSE(memory.has_room(17));
  EXPECT_THROW(memory.take(17), DeviceError);
  EXPECT_THROW(memory.take(65), DeviceError);
  memory.give_back(a);
  EXPECT_EQ(memory.take(64), 0U);
}

/// A device that has promised more memory than it has.
class ShortDevice final : public Device {
 public:
  void prepare() override {}

  std::string description() const override { return "short"; }

  uint64_t memory() const override { return uint64_t{1} << 30; }

  void grow(uint64_t bytes) override {
    if (bytes > kReal) throw DeviceError("no memory");
    heap_ = std::max(heap_, bytes);
  }

  uint64_t heap() const override { return heap_; }

  void write(uint64_t, std::span<const std::byte>) override {}

  void read(uint64_t, std::span<std::byte>) override {}

  void run(Kernel, std::span<const int64_t>, int64_t) override {}

  bool compiles() const override { return false; }

  void compile(std::span<const KernelText>) override {}

  void run(const KernelText&, std::span<const int64_t>, int64_t) override {}

  static constexpr uint64_t kReal = 3 << 20;

 private:
  uint64_t heap_ = 0;
};

// Twice the two MiB are not there, three are; what does not fit takes nothing.
TEST(GpuMemory, GrowsToWhatThereIs) {
  ShortDevice device;
  Memory memory(device);
  EXPECT_EQ(memory.take(2 << 20), 0U);
  EXPECT_THROW(memory.take(2 << 20), DeviceError);
  EXPECT_EQ(memory.take(1 << 20), uint64_t{2} << 20);
  EXPECT_EQ(device.heap(), ShortDevice::kReal);
}

}  // namespace
}  // namespace hlo::gpu
