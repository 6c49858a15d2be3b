#include "backends/gpu/program/kernel_choice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/gpu/device/device.h"

namespace hlo::gpu {
namespace {

constexpr int64_t kMany = int64_t{1} << 40;

class Compiler final : public Device {
 public:
  void prepare() override {}

  std::string description() const override { return "a compiler"; }

  uint64_t memory() const override { return 0; }

  void grow(uint64_t) override {}

  uint64_t heap() const override { return 0; }

  void write(uint64_t, std::span<const std::byte>) override {}

  void read(uint64_t, std::span<std::byte>) override {}

  void run(Kernel, std::span<const int64_t>, int64_t) override {}

  bool compiles() const override { return true; }

  void compile(std::span<const KernelText> kernels) override {
    for (const KernelText& own : kernels) compiled.push_back(own.body);
  }

  void run(const KernelText&, std::span<const int64_t>, int64_t) override {}

  std::vector<std::string> compiled;
};

using Bodies = std::vector<std::string>;

TEST(GpuKernelChoice, InterpretsWhereNothingCompiles) {
  const auto fibers = make_fiber_device();
  KernelChoice choice(*fibers, Kernels::kByWork);
  EXPECT_FALSE(choice.may_generate(kMany));
}

TEST(GpuKernelChoice, TakesWhatIsAskedFor) {
  Compiler device;
  KernelChoice generated(device, Kernels::kGenerated);
  EXPECT_TRUE(generated.may_generate(1));
  EXPECT_TRUE(generated.generates({}, 1));
  EXPECT_FALSE(KernelChoice(device, Kernels::kInterpreted).may_generate(kMany));
}

// As many steps as compile() takes, in parts; another text has its own.
TEST(GpuKernelChoice, CompilesWhatHasRunAsLongAsThatTakes) {
  Compiler device;
  KernelChoice choice(device, Kernels::kByWork);
  EXPECT_FALSE(choice.may_generate(100));
  const KernelText text{Base::kElements, "{}"};
  constexpr int64_t kHalf = int64_t{1} << 22;
  EXPECT_FALSE(choice.generates(text, kHalf));
  EXPECT_FALSE(choice.generates({Base::kElements, "{ }"}, kHalf));
  EXPECT_TRUE(choice.generates(text, kHalf));
  EXPECT_TRUE(choice.generates(text, 1));
}

// The second has half of its steps behind it, the third a few, the fourth
// stands on functions.
TEST(GpuKernelChoice, CompilesWhatIsLikelyToComeTogether) {
  Compiler device;
  KernelChoice choice(device, Kernels::kByWork);
  constexpr int64_t kEnough = int64_t{1} << 23;
  EXPECT_FALSE(choice.generates({Base::kElements, "2"}, kEnough / 2));
  EXPECT_FALSE(choice.generates({Base::kElements, "3"}, 100));
  EXPECT_FALSE(choice.generates({Base::kFunctions, "4"}, kEnough));
  EXPECT_TRUE(choice.generates({Base::kElements, "1"}, kEnough));
  EXPECT_EQ(device.compiled, (Bodies{"1", "2"}));
  EXPECT_TRUE(choice.generates({Base::kElements, "2"}, 1));
  EXPECT_FALSE(choice.generates({Base::kElements, "3"}, 1));
  EXPECT_EQ(device.compiled, (Bodies{"1", "2"}));
}

// The first of them is what a device has in any case; what it may have
// forgotten since is compiled when it runs.
TEST(GpuKernelChoice, CompilesTheOneThatRunsFirstAndNoneTwice) {
  Compiler device;
  KernelChoice choice(device, Kernels::kByWork);
  constexpr int64_t kEnough = int64_t{1} << 23;
  EXPECT_TRUE(choice.generates({Base::kElements, "1"}, kEnough));
  EXPECT_FALSE(choice.generates({Base::kElements, "0"}, kEnough / 2));
  EXPECT_TRUE(choice.generates({Base::kElements, "2"}, kEnough));
  EXPECT_EQ(device.compiled, (Bodies{"1", "2", "0"}));
}

// What has not come for long begins anew.
TEST(GpuKernelChoice, CountsForAFewTextsAtATime) {
  Compiler device;
  KernelChoice choice(device, Kernels::kByWork);
  constexpr int64_t kHalf = int64_t{1} << 22;
  EXPECT_FALSE(choice.generates({Base::kElements, "own"}, kHalf));
  for (int64_t k = 0; k < 5000; ++k) {
    EXPECT_FALSE(choice.generates({Base::kElements, std::to_string(k)}, 1));
  }
  EXPECT_FALSE(choice.generates({Base::kElements, "own"}, kHalf));
  EXPECT_TRUE(choice.generates({Base::kElements, "own"}, kHalf));
}

// All operations take longer to compile than those on elements.
TEST(GpuKernelChoice, WaitsLongerForWhatStandsOnMore) {
  Compiler device;
  KernelChoice choice(device, Kernels::kByWork);
  constexpr int64_t kSteps = int64_t{1} << 24;
  EXPECT_TRUE(choice.generates({Base::kElements, "{ 0; }"}, kSteps));
  EXPECT_FALSE(choice.generates({Base::kAll, "{ 1; }"}, kSteps));
}

}  // namespace
}  // namespace hlo::gpu
