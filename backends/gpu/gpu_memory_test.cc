#include <gtest/gtest.h>

#include <string>

#include "backends/gpu/gpu_backend.h"
#include "interpreter/verify/verify.h"

// Devices with little memory.

namespace hlo {
namespace {

std::unique_ptr<Backend> backend_of(int64_t bytes, const char* numerics) {
  return make_gpu_backend("gpu:?device=fibers&memory=" + std::to_string(bytes) +
                          "&numerics=" + numerics);
}

/// What comes of the program; "" where it ran.
Failure outcome_of(Backend& backend, const std::string& program) {
  const Module module = verified_module(program);
  const Outcome outcome = backend.run(module, {});
  const auto* const failure = std::get_if<Failure>(&outcome);
  return failure == nullptr ? Failure() : *failure;
}

Failure run(int64_t bytes, const std::string& program,
            const char* numerics = "exact") {
  return outcome_of(*backend_of(bytes, numerics), program);
}

// Three arrays of 1024 bytes are there at the same time; what does not run
// comes before, so that a program which is refused for its memory has not run.
constexpr const char* kThreeArrays = R"(ENTRY main {
  w = f32[1] iota(), iota_dimension=0
  v = f32[1] custom-call(w), custom_call_target="nothing"
  x = f32[256] iota(), iota_dimension=0
  y = f32[256] reverse(x), dimensions={0}
  s = f32[256] add(x, y)
  ROOT r = (f32[256], f32[1]) tuple(s, v)
})";

TEST(GpuMemoryLimit, RefusesWhatHasNoRoomBeforeAnythingRuns) {
  const Failure refused = run(3071, kThreeArrays);
  EXPECT_EQ(refused.kind, Failure::Kind::kUnsupported);
  EXPECT_EQ(refused.message,
            "does not run programs whose arrays, as at s, take 3072 bytes, and "
            "the device's memory has 3071 bytes");
  EXPECT_EQ(run(3072, kThreeArrays).rule, "custom-call.target");
}

// y waits for s, and x, of which one element is there, for both.
TEST(GpuMemoryLimit, CountsNoArrayThatAChainDoesNotMake) {
  const std::string program = R"(ENTRY main {
    o = f32[] constant(1)
    x = f32[256] broadcast(o), dimensions={}
    y = f32[256] negate(x)
    ROOT s = f32[256] add(x, y)
  })";
  for (const char* const numerics : {"fast", "exact"}) {
    EXPECT_EQ(run(1023, program, numerics).kind, Failure::Kind::kUnsupported);
    EXPECT_EQ(run(1040, program, numerics).message, "");
  }
}

// x is read by y, which waits for r: it is there beside w and z, and z and r.
TEST(GpuMemoryLimit, KeepsWhatAChainReadsUntilItsEnd) {
  const std::string program = R"(ENTRY main {
    x = f32[256] iota(), iota_dimension=0
    y = f32[256] negate(x)
    w = f32[256] iota(), iota_dimension=0
    z = f32[256] reverse(w), dimensions={0}
    ROOT r = f32[256] add(y, z)
  })";
  EXPECT_EQ(run(3071, program).kind, Failure::Kind::kUnsupported);
  EXPECT_EQ(run(3072, program).message, "");
}

// Movements need no more than two arrays at a time, however many there are.
TEST(GpuMemoryLimit, GivesArraysBackBehindTheirLastUse) {
  std::string program =
      "ENTRY main {\n x0 = f32[256] iota(), iota_dimension=0\n";
  for (int k = 1; k < 20; ++k) {
    program += " x" + std::to_string(k) + " = f32[256] reverse(x" +
               std::to_string(k - 1) + "), dimensions={0}\n";
  }
  program += " ROOT r = f32[256] reverse(x19), dimensions={0}\n}";
  EXPECT_EQ(run(2048, program).message, "");
  EXPECT_EQ(run(2047, program).kind, Failure::Kind::kUnsupported);
}

TEST(GpuMemoryLimit, CountsWhatCalledComputationsTake) {
  const std::string program = R"(
    f { a = f32[256] parameter(0)  b = f32[256] negate(a)
        c = f32[256] reverse(b), dimensions={0}
        ROOT d = f32[256] add(b, c) }
    ENTRY main {
      x = f32[256] iota(), iota_dimension=0
      ROOT r = f32[256] call(x), to_apply=f
    })";
  EXPECT_EQ(run(4096, program).message, "");
  EXPECT_EQ(run(4095, program).message,
            "does not run programs whose arrays, as at r, take 4096 bytes, and "
            "the device's memory has 4095 bytes");
}

// What a transform needs beside its result is found as it runs; what runs next
// finds all of the memory.
TEST(GpuMemoryLimit, LeavesNothingBehindWhereItRunsOut) {
  const auto backend = backend_of(1100, "exact");
  for (int k = 0; k < 3; ++k) {
    const Failure ran_out = outcome_of(*backend, R"(ENTRY main {
      o = c64[] constant((1, 2))
      x = c64[64] broadcast(o), dimensions={}
      ROOT r = c64[64] fft(x), fft_type=FFT, fft_length={64}
    })");
    EXPECT_EQ(ran_out.kind, Failure::Kind::kError);
    EXPECT_NE(ran_out.message.find("and the device's memory has 1100"),
              std::string::npos)
        << ran_out.message;
    EXPECT_EQ(outcome_of(*backend, R"(ENTRY main {
      o = f32[] constant(1)
      ROOT x = f32[256] broadcast(o), dimensions={}
    })")
                  .message,
              "");
  }
}

// Arrays of 2^40 f64, and of more bytes than 64 bits count.
TEST(GpuMemoryLimit, RefusesWhatNoMachineHolds) {
  for (const char* const sizes :
       {"[1099511627776]", "[1099511627776,4194304]"}) {
    const std::string text = std::string(
                                 "ENTRY main { o = f64[] constant(1) "
                                 "ROOT x = f64") +
                             sizes + " broadcast(o), dimensions={} }";
    EXPECT_EQ(run(1 << 20, text).kind, Failure::Kind::kUnsupported) << sizes;
  }
}

/// The bytes of the results; none where the program did not run.
std::vector<std::byte> bytes_of(int64_t memory, const std::string& program) {
  const Module module = verified_module(program);
  const Outcome outcome = backend_of(memory, "exact")->run(module, {});
  const auto* const buffers = std::get_if<std::vector<Buffer>>(&outcome);
  if (buffers == nullptr) return {};
  return {buffers->at(0).bytes.begin(), buffers->at(0).bytes.end()};
}

// Tiles, keys, the states of parts and the order of updates want copies; what
// has no room for them runs without, and with the same bits.
TEST(GpuMemoryLimit, LeavesOutCopiesThatHaveNoRoom) {
  const std::string numbers = R"(
    k = s32[4096] iota(), iota_dimension=0
    f = s32[] constant(7919)
    fs = s32[4096] broadcast(f), dimensions={}
    p = s32[4096] multiply(k, fs)
    m = s32[] constant(97)
    ms = s32[4096] broadcast(m), dimensions={}
    x = s32[4096] remainder(p, ms)
    y = f32[4096] convert(x)
    i = f32[] constant(0.1)
  )";
  const std::string add =
      "f { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "ROOT r = f32[] add(a, b) }\nENTRY main {" +
      numbers;
  const std::string less =
      "f { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "ROOT r = pred[] compare(a, b), direction=GT }\nENTRY main {" +
      numbers;
  for (const std::string& program :
       {less + "ROOT r = f32[4096] sort(y), dimensions={0}, to_apply=f }",
        add + "ROOT r = f32[4096] reduce-window(y, i), "
              "window={size=4096 pad=4095_0}, to_apply=f }",
        add + "z = f32[97] broadcast(i), dimensions={}\n"
              "ROOT r = f32[97] scatter(z, x, y), update_window_dims={}, "
              "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
              "index_vector_dim=1, to_apply=f }",
        "ENTRY main {" + numbers +
            "z = f32[64,64] reshape(y)\n"
            "ROOT r = f32[64,64] dot(z, z), lhs_contracting_dims={0}, "
            "rhs_contracting_dims={0} }"}) {
    const std::vector<std::byte> expected = bytes_of(1 << 28, program);
    ASSERT_FALSE(expected.empty());
    int runs = 0;
    for (int64_t memory = 1 << 14; memory < 1 << 22; memory += memory / 4) {
      const std::vector<std::byte> bytes = bytes_of(memory, program);
      if (bytes.empty()) continue;
      runs += 1;
      EXPECT_EQ(bytes, expected) << memory;
    }
    EXPECT_GT(runs, 5) << program;
  }
}

}  // namespace
}  // namespace hlo
