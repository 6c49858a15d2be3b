#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <vector>

#include "backends/gpu/device/cuda_device.h"
#include "backends/gpu/device/opencl_device.h"

// Devices that keep few of the kernels that are generated, and what their
// libraries still have of them, by the calls.

namespace hlo::gpu {
namespace {

using Handle = void*;

/// What a library has. A program of CUDA is a module.
struct Living {
  std::set<Handle> programs;
  std::map<Handle, Handle> kernels;  // and their programs; only of OpenCL
  size_t made = 0;                   // programs so far
  bool runs = false;                 // whether launches may not have ended
  size_t mistakes = 0;               // releases of what was needed, or was not
};

Living living;

void make_program(Handle program) {
  living.programs.insert(program);
  ++living.made;
}

void release_program(Handle program) {
  if (living.programs.erase(program) == 0) ++living.mistakes;
}

const OpenCl& opencl() {
  static const OpenCl cl;
  return cl;
}

std::unique_ptr<Device> make_seen_opencl(size_t kept) {
  OpenCl seen = opencl();
  seen.create_program = [](Handle context, uint32_t count, const char** texts,
                           OpenCl::Size sizes, int32_t* status) {
    const Handle program =
        opencl().create_program(context, count, texts, sizes, status);
    make_program(program);
    return program;
  };
  seen.release_program = [](Handle program) {
    for (const auto& [kernel, own] : living.kernels) {
      if (own == program) ++living.mistakes;
    }
    release_program(program);
    return opencl().release_program(program);
  };
  seen.create_kernel = [](Handle program, const char* name, int32_t* status) {
    const Handle kernel = opencl().create_kernel(program, name, status);
    living.kernels.emplace(kernel, program);
    return kernel;
  };
  seen.release_kernel = [](Handle kernel) {
    if (living.kernels.erase(kernel) == 0) ++living.mistakes;
    return opencl().release_kernel(kernel);
  };
  return make_opencl_device(seen, kept);
}

const CudaDriver& cuda() {
  static const CudaDriver driver;
  return driver;
}

std::unique_ptr<Device> make_seen_cuda(size_t kept) {
  CudaDriver seen = cuda();
  seen.load_module = [](Handle* module, const void* text) {
    const int status = cuda().load_module(module, text);
    make_program(*module);
    return status;
  };
  seen.unload_module = [](Handle module) {
    if (living.runs) ++living.mistakes;
    release_program(module);
    return cuda().unload_module(module);
  };
  seen.run = [](Handle kernel, unsigned x, unsigned y, unsigned z,
                unsigned local_x, unsigned local_y, unsigned local_z,
                unsigned shared, Handle stream, void** arguments, void** more) {
    living.runs = true;
    return cuda().run(kernel, x, y, z, local_x, local_y, local_z, shared,
                      stream, arguments, more);
  };
  seen.synchronize = [] {
    living.runs = false;
    return cuda().synchronize();
  };
  return make_cuda_device(seen, kept);
}

/// The devices that are here, each of which keeps so many kernels.
class Kept
    : public testing::TestWithParam<std::unique_ptr<Device> (*)(size_t kept)> {
 protected:
  void make(size_t kept) {
    living = {};
    try {
      device_ = GetParam()(kept);
    } catch (const DeviceError& error) {
      GTEST_SKIP() << error.what();
    }
    device_->grow(8 * kPlaces);
  }

  void TearDown() override {
    device_ = nullptr;
    EXPECT_EQ(living.programs.size(), 0U);
    EXPECT_EQ(living.kernels.size(), 0U);
    EXPECT_EQ(living.mistakes, 0U);
  }

  static constexpr int64_t kPlaces = 16;

  std::unique_ptr<Device> device_;
};

/// As many steps as the parameter says, and what they give at a place of the
/// heap that is the kernel's own.
KernelText kernel(int64_t place) {
  const std::string own = std::to_string(place);
  return {Base::kElements, "{ if (GLOBAL_ID > 0) return; u64 x = " + own +
                               "; for (i64 i = 0; i < p[0]; ++i) x = 5 * x + " +
                               own + "; STORE64(heap + 8 * " + own + ", x); }"};
}

uint64_t expected(int64_t place, int64_t steps) {
  auto x = static_cast<uint64_t>(place);
  for (int64_t i = 0; i < steps; ++i) x = 5 * x + static_cast<uint64_t>(place);
  return x;
}

void launch(Device& device, int64_t place, int64_t steps) {
  device.run(kernel(place), std::array{steps}, 1);
}

uint64_t result(Device& device, int64_t place) {
  std::array<uint64_t, 1> word{};
  device.read(8 * static_cast<uint64_t>(place),
              std::as_writable_bytes(std::span(word)));
  return word[0];
}

void expect_right(Device& device, int64_t place, int64_t steps) {
  launch(device, place, steps);
  EXPECT_EQ(result(device, place), expected(place, steps));
}

// What is forgotten is compiled again, with as many in place of it.
TEST_P(Kept, AreAtMostSoMany) {
  ASSERT_NO_FATAL_FAILURE(make(2));
  if (IsSkipped()) return;
  for (int64_t run = 1; run <= 10; ++run) {
    expect_right(*device_, run % 5, run);
    EXPECT_EQ(living.programs.size(), run == 1 ? 1U : 2U);
    EXPECT_EQ(living.made, static_cast<size_t>(run));
  }
}

// The launches wait for a long one while others take the places of what they
// need.
TEST_P(Kept, MayBeForgottenWhileTheyWait) {
  ASSERT_NO_FATAL_FAILURE(make(2));
  if (IsSkipped()) return;
  constexpr int64_t kLong = 300'000'000;
  device_->compile(std::array{kernel(1), kernel(2)});
  launch(*device_, 1, kLong);
  launch(*device_, 2, 1);
  for (const int64_t place : {3, 4, 5}) launch(*device_, place, 1);
  EXPECT_EQ(living.programs.size(), 2U);
  EXPECT_EQ(result(*device_, 1), expected(1, kLong));
  for (const int64_t place : {2, 3, 4, 5}) {
    EXPECT_EQ(result(*device_, place), expected(place, 1));
  }
}

// 2 goes first, and its program with 1.
TEST_P(Kept, HaveTheirProgramAsLongAsOneOfItsKernels) {
  ASSERT_NO_FATAL_FAILURE(make(3));
  if (IsSkipped()) return;
  device_->compile(std::array{kernel(1), kernel(2)});
  for (const int64_t place : {3, 1, 4, 1}) expect_right(*device_, place, 2);
  EXPECT_EQ(living.made, 3U);
  EXPECT_EQ(living.programs.size(), 3U);
  for (const int64_t place : {5, 6}) expect_right(*device_, place, 2);
  EXPECT_EQ(living.programs.size(), 3U);
  expect_right(*device_, 1, 3);
  EXPECT_EQ(living.made, 5U);
  for (const int64_t place : {7, 8, 9}) expect_right(*device_, place, 2);
  EXPECT_EQ(living.programs.size(), 3U);
  expect_right(*device_, 1, 4);
  EXPECT_EQ(living.made, 9U);
}

// The first two of three; with what is there already only the other is new.
TEST_P(Kept, AreTheFirstOfThoseThatAreCompiledTogether) {
  ASSERT_NO_FATAL_FAILURE(make(2));
  if (IsSkipped()) return;
  device_->compile(std::array{kernel(1), kernel(2), kernel(3)});
  expect_right(*device_, 2, 2);
  expect_right(*device_, 1, 2);
  EXPECT_EQ(living.made, 1U);
  device_->compile(std::array{kernel(2), kernel(4)});
  expect_right(*device_, 4, 2);
  expect_right(*device_, 2, 2);
  EXPECT_EQ(living.made, 2U);
  expect_right(*device_, 3, 2);
  EXPECT_EQ(living.made, 3U);
}

INSTANTIATE_TEST_SUITE_P(GpuGenerated, Kept,
                         testing::Values(make_seen_opencl, make_seen_cuda),
                         [](const auto& way) {
                           return way.index == 0 ? "OpenCl" : "Cuda";
                         });

}  // namespace
}  // namespace hlo::gpu
