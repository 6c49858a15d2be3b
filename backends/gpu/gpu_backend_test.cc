#include "backends/gpu/gpu_backend.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "backends/gpu/testing/device_runs.h"
#include "interpreter/error.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

Buffer floats(const std::string& uri, const std::string& text) {
  const Module module = verified_module(text);
  Outcome outcome = make_gpu_backend(uri)->run(module, {});
  if (const auto* failure = std::get_if<Failure>(&outcome)) {
    throw std::runtime_error(failure->message);
  }
  return std::get<std::vector<Buffer>>(outcome).at(0);
}

std::vector<float> run(const std::string& uri, const std::string& text) {
  const Buffer buffer = floats(uri, text);
  std::vector<float> values(buffer.bytes.size() / sizeof(float));
  std::memcpy(values.data(), buffer.bytes.data(), buffer.bytes.size());
  return values;
}

TEST(GpuBackend, ComputesTheSameOnEachDevice) {
  for (const std::string& uri : gpu::uris_here()) {
    EXPECT_EQ(run(uri, R"(ENTRY main {
      x = f32[3] constant({1, -2.5, 3})
      y = f32[3] constant({4, 2, 0})
      ROOT r = f32[3] divide(x, y)
    })")
                  .at(1),
              -1.25F)
        << uri;
  }
}

// 2^24 + 1 + 1 is 2^24 + 2; in f32, from the left, it would be 2^24.
TEST(GpuBackend, RoundsSumsOnce) {
  for (const std::string& uri : gpu::uris_here()) {
    EXPECT_EQ(run(uri, R"(
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      ENTRY main {
        x = f32[5] constant({16777216, 1, 1, 1e38, -1e38})
        i = f32[] constant(0)
        ROOT r = f32[] reduce(x, i), dimensions={0}, to_apply=add
      })"),
              std::vector<float>{16777218.0F})
        << uri;
  }
}

// So many terms that a group of items adds them: 2^24 and 1999 ones.
TEST(GpuBackend, RoundsLongSumsOnce) {
  for (const std::string& uri : gpu::uris_here()) {
    EXPECT_EQ(run(uri, R"(
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      ENTRY main {
        o = f32[] constant(1)
        x = f32[1999] broadcast(o), dimensions={}
        i = f32[] constant(16777216)
        ROOT r = f32[] reduce(x, i), dimensions={0}, to_apply=add
      })"),
              std::vector<float>{16779216.0F})
        << uri;
  }
}

TEST(GpuBackend, LeavesOutUpdatesAtTheLeastAndTheGreatestIndex) {
  for (const std::string& uri : gpu::uris_here()) {
    EXPECT_EQ(run(uri, R"(
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      ENTRY main {
        x = f32[2] constant({1, 2})
        i = s64[3,1] constant({{-9223372036854775808}, {9223372036854775807},
                               {1}})
        u = f32[3] constant({10, 20, 30})
        ROOT r = f32[2] scatter(x, i, u), update_window_dims={},
          inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
          index_vector_dim=1, to_apply=add
      })"),
              (std::vector<float>{1, 32}))
        << uri;
  }
}

// The least subnormal f32, halved and doubled: never flushed, ties to even.
TEST(GpuBackend, KeepsSubnormals) {
  for (const std::string& uri : gpu::uris_here()) {
    const auto values = run(uri, R"(ENTRY main {
      x = f32[3] constant({1e-45, 3e-45, 1.1754944e-38})
      h = f32[3] constant({0.5, 0.5, 0.5})
      ROOT r = f32[3] multiply(x, h)
    })");
    EXPECT_EQ(std::bit_cast<uint32_t>(values[0]), 0U) << uri;
    EXPECT_EQ(std::bit_cast<uint32_t>(values[1]), 1U) << uri;
    EXPECT_EQ(std::bit_cast<uint32_t>(values[2]), 0x00400000U) << uri;
  }
}

Failure failure_of(const std::string& program) {
  const Module module = verified_module(program);
  return std::get<Failure>(
      make_gpu_backend("gpu:?device=fibers")->run(module, {}));
}

TEST(GpuBackend, SaysWhatItDoesNotRun) {
  const Failure failure = failure_of(R"(
    small { s = s32[] parameter(0)  n = s32[] constant(9)
            ROOT r = pred[] compare(s, n), direction=LT }
    twice { s = s32[] parameter(0)  ROOT r = s32[] add(s, s) }
    f { s = s32[] parameter(0)  t = s32[] parameter(1)
        u = s32[] add(s, t)
        ROOT r = s32[] while(u), condition=small, body=twice }
    ENTRY main {
      x = s32[2] constant({1, 2})
      i = s32[] constant(0)
      ROOT r = s32[] reduce(x, i), dimensions={0}, to_apply=f
    })");
  EXPECT_EQ(failure.kind, Failure::Kind::kUnsupported);
  EXPECT_EQ(failure.message,
            "does not run while of s32: inside of a computation on scalars");
}

TEST(GpuBackend, RejectsWhatHasNoValue) {
  EXPECT_EQ(failure_of(R"(ENTRY main {
    x = f32[1] constant({1})
    ROOT r = f32[1] custom-call(x), custom_call_target="nothing"
  })")
                .rule,
            "custom-call.target");
  EXPECT_EQ(failure_of("ENTRY main { ROOT x = f32[2] constant({...}) }").rule,
            "constant.elided");
}

std::string rule_of(const std::string& uri) {
  try {
    make_gpu_backend(uri);
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

TEST(GpuBackend, RemarksWhichDeviceItChose) {
  const std::string remark = make_gpu_backend("gpu:")->remark();
  EXPECT_TRUE(remark.starts_with("gpu: is ")) << remark;
  for (const std::string device : {"cuda", "opencl", "fibers"}) {
    const bool is_chosen = remark.starts_with("gpu: is " + device + ",");
    if (is_chosen) break;  // those before it say why they are not
    EXPECT_NE(remark.find("; " + device + ": "), std::string::npos) << remark;
  }
  EXPECT_EQ(make_gpu_backend("gpu:?device=fibers")->remark(), "");
}

TEST(GpuBackend, TakesOptions) {
  EXPECT_EQ(rule_of("gpu:?device=fibers"), "");
  EXPECT_EQ(rule_of("gpu:?device=fibers&numerics=exact"), "");
  EXPECT_EQ(rule_of("gpu:?numerics=exact&device=fibers"), "");
  EXPECT_EQ(rule_of("gpu:?device=fibers&memory=1"), "");
  EXPECT_EQ(rule_of("gpu:?device=fibers&kernels=interpreted"), "");
  for (const char* const wrong :
       {"gpu:x", "gpu:?", "gpu:?device", "gpu:?device=", "gpu:?device=fiber",
        "gpu:?numerics=wrong", "gpu:?kernels=wrong",
        "gpu:?device=fibers&kernels=generated", "gpu:?device=fibers&",
        "gpu:?&device=fibers", "gpu:?memory=", "gpu:?memory=0",
        "gpu:?memory=-1", "gpu:?memory=1k", "gpu:?memory=18446744073709551616",
        "gpu:?memory=5&memory=6", "gpu:?device=fibers&device=fibers"}) {
    EXPECT_EQ(rule_of(wrong), "usage.backend") << wrong;
  }
  EXPECT_EQ(make_gpu_backend("cpu:"), nullptr);
}

}  // namespace
}  // namespace hlo
