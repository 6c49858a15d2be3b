#include "backends/tpu/run/grid_run.h"

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
  sent_done = token[] send-done(sent), channel_id=1)";

TEST(TpuGrid, ReceivesWhatItSentItself) {
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

TEST(TpuGrid, EndsAWaitForWhatNeverComes) {
  EXPECT_NE(error_of(std::string("HloModule m\n ENTRY main {") + kSend +
                     "\n ROOT r = f32[1] negate(three) }")
                .find("device 0 waits at %sent_done"),
            std::string::npos);
}

// What runs beside waits until the program sends.
TEST(TpuGrid, RunsBesideTheProgramWhatWaitsForIt) {
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

/// Two devices, of which the first has 1, 2 and 3, and the other 10, 20 and 30;
/// `f` gives an array of three each.
std::string on_two_devices(const std::string& computations) {
  return R"(HloModule m
    add { a = f32[] parameter(0)  b = f32[] parameter(1)
          ROOT r = f32[] add(a, b) }
    sum { a = f32[] parameter(0)
          ROOT r = f32[] all-reduce(a), replica_groups={{0,1}}, to_apply=add })" +
         computations + R"(
    ENTRY main {
      x = f32[3] constant({1, 2, 3})
      y = f32[3] constant({10, 20, 30})
      ROOT r = (f32[3], f32[3]) custom-call(x, y),
          custom_call_target="interpreter.run_parallel",
          called_computations={f, f}, backend_config={"replicas":2}
    })";
}

TEST(TpuGrid, WaitsInTheStepsOfAScan) {
  const std::string program = on_two_devices(R"(
    body { s = f32[] parameter(0)  c = f32[] parameter(1)
           t = f32[] call(s), to_apply=sum
           n = f32[] add(c, t)
           ROOT r = (f32[], f32[]) tuple(n, n) }
    f { x = f32[3] parameter(0)  zero = f32[] constant(0)
        s = (f32[3], f32[]) scan(x, zero), dimensions={0}, num_carries=1,
            to_apply=body
        ROOT r = f32[3] get-tuple-element(s), index=0 })");
  for (const size_t device : {size_t{0}, size_t{1}}) {
    EXPECT_EQ(run_program(program, "tpu:", device),
              (std::vector<float>{11, 33, 66}));
  }
}

// Each element is a sum over both devices two times: 2 * (1 + 10), ...
TEST(TpuGrid, WaitsInLoopsAndBranchesOfAScan) {
  const std::string program = on_two_devices(R"(
    none { a = f32[] parameter(0)  ROOT r = f32[] negate(a) }
    twice { s = (s32[], f32[]) parameter(0)
            i = s32[] get-tuple-element(s), index=0
            two = s32[] constant(2)
            ROOT r = pred[] compare(i, two), direction=LT }
    again { s = (s32[], f32[]) parameter(0)
            i = s32[] get-tuple-element(s), index=0
            v = f32[] get-tuple-element(s), index=1
            one = s32[] constant(1)
            j = s32[] add(i, one)
            true = pred[] constant(true)
            w = f32[] conditional(true, v, v), true_computation=sum,
                false_computation=none
            ROOT r = (s32[], f32[]) tuple(j, w) }
    body { s = f32[] parameter(0)  zero = s32[] constant(0)
           b = (s32[], f32[]) tuple(zero, s)
           e = (s32[], f32[]) while(b), condition=twice, body=again
           ROOT r = f32[] get-tuple-element(e), index=1 }
    f { x = f32[3] parameter(0)
        ROOT r = f32[3] scan(x), dimensions={0}, num_carries=0,
            to_apply=body })");
  for (const size_t device : {size_t{0}, size_t{1}}) {
    EXPECT_EQ(run_program(program, "tpu:", device),
              (std::vector<float>{22, 44, 66}));
  }
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

TEST(TpuGrid, PutsRowsOfTilesIntoOthers) {
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

/// Result `leaf` of a program that calls it; devices are replicas.
std::vector<float> on_devices(int64_t devices, const std::string& text,
                              size_t leaf) {
  return run_program(
      "HloModule m, replica_count=" + std::to_string(devices) + text,
      "tpu:", leaf);
}

// Device i has [rows, columns] of i, in tiles that reach over it.
TEST(TpuGrid, GathersTilesOfEachDevice) {
  for (const char* layout : {"", "{0,1:T(8,128)}", "{1,0:T(8,128)}"}) {
    const std::string program = std::string(R"(
      ENTRY main {
        id = u32[] replica-id()
        i = f32[] convert(id)
        x = f32[3,5])") + layout +
                                R"( broadcast(i), dimensions={}
        g = f32[3,15])" + layout +
                                R"( all-gather(x), dimensions={1}
        ROOT r = f32[3,15] copy(g)
      })";
    std::vector<float> expected;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 15; ++column) {
        expected.push_back(static_cast<float>(column / 5));
      }
    }
    for (const size_t device : {size_t{0}, size_t{2}}) {
      EXPECT_EQ(on_devices(3, program, device), expected) << layout << device;
    }
  }
}

// 2^24 + 1 - 2^24 is lost where a sum is rounded before its end.
TEST(TpuGrid, RoundsSumsOfDevicesOnce) {
  EXPECT_EQ(on_devices(3, R"(
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT s = f32[] add(a, b) }
      ENTRY main {
        id = u32[] replica-id()
        terms = f32[3] constant({16777216, 1, -16777216})
        x = f32[1] dynamic-slice(terms, id), dynamic_slice_sizes={1}
        ROOT r = f32[1] all-reduce(x), to_apply=add
      })",
                       1),
            std::vector<float>{1});
}

// A combiner of whole arrays: the product of rotations by 90 degrees each, of
// two by two elements.
TEST(TpuGrid, CombinesWholeArrays) {
  EXPECT_EQ(on_devices(3, R"(
      multiply { a = f32[2,2] parameter(0)  b = f32[2,2] parameter(1)
                 ROOT p = f32[2,2] dot(a, b), lhs_contracting_dims={1},
                   rhs_contracting_dims={0} }
      ENTRY main {
        x = f32[2,2] constant({{0, -1}, {1, 0}})
        ROOT r = f32[2,2] all-reduce(x), to_apply=multiply
      })",
                       2),
            (std::vector<float>{0, 1, -1, 0}));
}

// What a device sends lies in the memory of another, whose addresses are its
// own.
TEST(TpuGrid, KeepsMemoriesApart) {
  const std::string program = R"(
      ENTRY main {
        id = u32[] replica-id()
        i = f32[] convert(id)
        x = f32[9] broadcast(i), dimensions={}
        y = f32[9] collective-permute(x), source_target_pairs={{0,1},{1,0}}
        ROOT s = f32[9] subtract(y, x)
      })";
  EXPECT_EQ(on_devices(2, program, 0), std::vector<float>(9, 1));
  EXPECT_EQ(on_devices(2, program, 1), std::vector<float>(9, -1));
}

TEST(TpuGrid, SaysWhoWaits) {
  EXPECT_NE(error_of(R"(HloModule m, replica_count=2
      ENTRY main {
        id = u32[] replica-id()
        zero = u32[] constant(0)
        is_first = pred[] compare(id, zero), direction=EQ
        x = f32[] constant(1)
        ROOT r = f32[] conditional(is_first, x, x), true_computation=meets,
          false_computation=leaves
      }
      meets { x = f32[] parameter(0)
              ROOT r = f32[] collective-permute(x),
                source_target_pairs={{0,1},{1,0}} }
      leaves { ROOT x = f32[] parameter(0) })")
                .find("device 0 waits at %r"),
            std::string::npos);
}

TEST(TpuGrid, GetsZerosWhereNoPairNamesIt) {
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
