#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "backends/tpu/testing/run_tpu.h"

namespace hlo::tpu {
namespace {

std::string error_of(const std::string& program) {
  try {
    run_program(program);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// What leads from a send of {3} through channel 1.
constexpr const char* kSend = R"(
  token = token[] after-all()
  three = f32[1] constant({3})
  sent = (f32[1], u32[], token[]) send(three, token), channel_id=1
  send_done = token[] send-done(sent), channel_id=1)";

TEST(TpuLoneDevice, ReceivesWhatItSentItself) {
  const std::string program = std::string(R"(
    HloModule m
    ENTRY main {
      begin = token[] after-all()
      wanted = (f32[1], u32[], token[]) recv(begin), channel_id=1)") +
                              kSend + R"(
      received = (f32[1], token[]) recv-done(wanted), channel_id=1
      ROOT r = f32[1] get-tuple-element(received), index=0
    })";
  EXPECT_EQ(run_program(program), std::vector<float>{3});
}

TEST(TpuLoneDevice, EndsAWaitForWhatNeverComes) {
  EXPECT_NE(error_of(std::string("HloModule m\n ENTRY main {") + kSend +
                     "\n ROOT r = f32[1] negate(three) }")
                .find("never comes"),
            std::string::npos);
}

// What runs beside waits until the program sends.
TEST(TpuLoneDevice, RunsBesideTheProgramWhatWaitsForIt) {
  const std::string program = std::string(R"(
    HloModule m
    receive {
      x = f32[1] parameter(0)
      begin = token[] after-all()
      wanted = (f32[1], u32[], token[]) recv(begin), channel_id=1
      received = (f32[1], token[]) recv-done(wanted), channel_id=1
      data = f32[1] get-tuple-element(received), index=0
      ROOT sum = f32[1] add(data, x)
    }
    called {
      x = f32[1] parameter(0)
      ROOT r = f32[1] call(x), to_apply=receive
    }
    ENTRY main {
      half = f32[1] constant({0.5})
      begun = ((f32[1]), f32[1], u32[]) async-start(half), calls=called)") +
                              kSend + R"(
      ROOT r = f32[1] async-done(begun)
    })";
  EXPECT_EQ(run_program(program), std::vector<float>{3.5});
}

// Row k of the output is 100 + k, of the input k; each has `columns` elements.
std::string ragged(int columns, const std::string& layout) {
  const std::string shape = "f32[9," + std::to_string(columns) + "]" + layout;
  return R"(
    HloModule m
    ENTRY main {
      in = )" +
         shape + R"( iota(), iota_dimension=0
      hundred = f32[] constant(100)
      hundreds = )" +
         shape + R"( broadcast(hundred), dimensions={}
      out = )" +
         shape + R"( add(in, hundreds)
      from = s32[2] constant({1, 6})
      rows = s32[2] constant({2, 1})
      to = s32[2] constant({7, 0})
      r = )" +
         shape + R"( ragged-all-to-all(in, out, from, rows, to, rows),
            replica_groups={{0}}
      ROOT s = f32[9,)" +
         std::to_string(columns) + R"(] copy(r)
    })";
}

TEST(TpuLoneDevice, PutsRowsOfTilesIntoOthers) {
  const std::vector<float> rows = {6, 101, 102, 103, 104, 105, 106, 1, 2};
  for (const char* layout : {"", "{0,1:T(8,128)}", "{1,0:T(8,128)(2,1)}"}) {
    for (const int columns : {127, 128, 129}) {
      std::vector<float> expected;
      for (const float row : rows) {
        expected.insert(expected.end(), static_cast<size_t>(columns), row);
      }
      EXPECT_EQ(run_program(ragged(columns, layout)), expected)
          << columns << layout;
    }
  }
}

TEST(TpuLoneDevice, GetsZerosWhereNoPairNamesIt) {
  const auto program = [](const std::string& pairs) {
    return R"(
      HloModule m
      ENTRY main {
        x = f32[3] constant({1, 2, 3})
        ROOT r = f32[3] collective-permute(x), source_target_pairs={)" +
           pairs + "} }";
  };
  EXPECT_EQ(run_program(program("{0,0}")), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(run_program(program("")), (std::vector<float>{0, 0, 0}));
}

}  // namespace
}  // namespace hlo::tpu
