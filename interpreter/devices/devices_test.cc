#include "interpreter/devices/devices.h"

#include <gtest/gtest.h>

#include <string>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

Literal value(std::string_view source) {
  return text::parse_literal_with_shape(source);
}

std::string error_of(std::string_view source) {
  try {
    evaluate_devices(verified_module(source), {{}});
  } catch (const Error& error) {
    return error.rule() + ": " + error.message();
  }
  return "none";
}

constexpr std::string_view kSum = R"(
sum {
  a = u32[] parameter(0)
  b = u32[] parameter(1)
  ROOT s = u32[] add(a, b)
}
)";

std::string parallel(std::string_view programs, std::string_view called,
                     int replicas) {
  return "HloModule m\n" + std::string(kSum) + std::string(programs) +
         "ENTRY main {\n  ROOT r = (u32[], u32[]) custom-call(), "
         "custom_call_target=\"interpreter.run_parallel\", "
         "called_computations={" +
         std::string(called) +
         "}, backend_config={\"replicas\":" + std::to_string(replicas) + "}\n}";
}

TEST(Devices, RunAThousandReplicas) {
  const GridResult run = evaluate_devices(
      verified_module("HloModule m, replica_count=1024\n" + std::string(kSum) +
                      "ENTRY main {\n"
                      "  i = u32[] replica-id()\n"
                      "  ROOT r = u32[] all-reduce(i), to_apply=sum\n}"),
      {{}});
  ASSERT_EQ(run.results.size(), 1024U);
  for (const Literal& result : run.results) {
    EXPECT_EQ(result.integer(0), 1024 * 1023 / 2);
  }
}

TEST(Devices, PassAValueAlongAThousandPartitions) {
  std::string pairs;
  for (int i = 0; i < 1023; ++i) {
    pairs += (i > 0 ? "," : "") + std::string("{") + std::to_string(i) + "," +
             std::to_string(i + 1) + "}";
  }
  const GridResult run = evaluate_devices(
      verified_module("HloModule m, num_partitions=1024\n"
                      "ENTRY main {\n"
                      "  i = u32[] partition-id()\n"
                      "  ROOT r = u32[] collective-permute(i), channel_id=1, "
                      "source_target_pairs={" +
                      pairs + "}\n}"),
      {{}});
  EXPECT_EQ(run.results[0].integer(0), 0);
  for (size_t i = 1; i < 1024; ++i) {
    EXPECT_EQ(run.results[i].integer(0), static_cast<int64_t>(i) - 1);
  }
}

TEST(Devices, TakeTheirOwnArguments) {
  const Module module = verified_module(
      "HloModule m, replica_count=2\n"
      "ENTRY main { ROOT x = s32[] parameter(0) }");
  const GridResult run =
      evaluate_devices(module, {{value("s32[] 1")}, {value("s32[] 2")}});
  EXPECT_EQ(run.results[0].integer(0), 1);
  EXPECT_EQ(run.results[1].integer(0), 2);
}

TEST(Devices, KeepWhatTheyGiveToTheHost) {
  const GridResult run = evaluate_devices(
      verified_module("HloModule m, replica_count=2\n"
                      "ENTRY main {\n"
                      "  i = u32[] replica-id()\n"
                      "  ROOT t = token[] outfeed(i, after-all())\n}"),
      {{}});
  ASSERT_EQ(run.outfeed.size(), 2U);
  EXPECT_EQ(run.outfeed[1].device.replica, 1);
  EXPECT_EQ(run.outfeed[1].value.integer(0), 1);
}

TEST(Devices, NameTheMemberThatNeverComes) {
  const std::string error =
      error_of(parallel("f {\n  i = u32[] replica-id()\n"
                        "  ROOT mine = u32[] all-reduce(i), to_apply=sum\n}\n"
                        "g {\n  ROOT i = u32[] replica-id()\n}\n",
                        "f, g", 2));
  EXPECT_EQ(error,
            "evaluate.deadlock: device 0 waits at mine (all-reduce) for device "
            "1; device 1 has ended");
}

TEST(Devices, NameACycleOfTwoChannels) {
  const std::string reduce =
      " = u32[] all-reduce(i), replica_groups={{0,1}}, to_apply=sum, "
      "use_global_device_ids=true, channel_id=";
  const std::string error = error_of(
      parallel("f {\n  i = u32[] replica-id()\n  a" + reduce + "1\n  b" +
                   reduce + "2\n  ROOT r = u32[] add(a, b)\n}\n" +
                   "g {\n  i = u32[] replica-id()\n  b" + reduce + "2\n  a" +
                   reduce + "1\n  ROOT r = u32[] add(a, b)\n}\n",
               "f, g", 2));
  EXPECT_EQ(error,
            "evaluate.deadlock: device 0 waits at a (all-reduce) for device 1; "
            "device 1 waits at b (all-reduce) for device 0");
}

constexpr std::string_view kSendThenReceive = R"(
f {
  x = u32[] replica-id()
  t = token[] after-all()
  s = (u32[], u32[], token[]) send(x, t), channel_id=1
  sd = token[] send-done(s), channel_id=1
  ROOT r = u32[] add(x, x)
}
)";

TEST(Devices, NameASendThatNobodyReceives) {
  const std::string error =
      error_of("HloModule m\n" + std::string(kSendThenReceive) +
               "ENTRY main {\n  ROOT r = u32[] custom-call(), "
               "custom_call_target=\"interpreter.run_parallel\", "
               "called_computations={f}, backend_config={}\n}");
  EXPECT_EQ(error,
            "evaluate.deadlock: device 0 waits at sd (send-done) for the other "
            "end of its channel");
}

TEST(Devices, NameACycleOfSends) {
  const std::string error = error_of(R"(HloModule m, num_partitions=2
ENTRY main {
  x = u32[] partition-id()
  t = token[] after-all()
  s = (u32[], u32[], token[]) send(x, t), channel_id=1,
      frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,0}}"}
  sd = token[] send-done(s), channel_id=1
  r = (u32[], u32[], token[]) recv(sd), channel_id=1,
      frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1},{1,0}}"}
  rd = (u32[], token[]) recv-done(r), channel_id=1
  ROOT y = u32[] get-tuple-element(rd), index=0
})");
  EXPECT_EQ(error,
            "evaluate.deadlock: device 0 waits at sd (send-done) for device 1; "
            "device 1 waits at sd (send-done) for device 0");
}

TEST(Devices, NameWhoAnAsynchronousComputationWaitsFor) {
  const std::string error =
      error_of(parallel("f {\n  i = u32[] replica-id()\n"
                        "  s = ((u32[]), u32[]) collective-broadcast-start(i), "
                        "replica_groups={{1,0}}\n"
                        "  ROOT d = u32[] collective-broadcast-done(s)\n}\n"
                        "g {\n  ROOT i = u32[] replica-id()\n}\n",
                        "f, g", 2));
  EXPECT_EQ(error,
            "evaluate.deadlock: device 0 waits at d (async-done) for device 1; "
            "device 1 has ended");
}

TEST(Devices, SayNoMoreThanFitsInAMessage) {
  const std::string error =
      error_of("HloModule m, replica_count=1000\n" + std::string(kSum) +
               "f { i = u32[] parameter(0)\n"
               "  ROOT r = u32[] all-reduce(i), to_apply=sum }\n"
               "g { ROOT i = u32[] parameter(0) }\n"
               "ENTRY main {\n"
               "  i = u32[] replica-id()\n"
               "  last = u32[] constant(999)\n"
               "  p = pred[] compare(i, last), direction=EQ\n"
               "  ROOT r = u32[] conditional(p, i, i), true_computation=g, "
               "false_computation=f\n}");
  EXPECT_TRUE(error.starts_with("evaluate.deadlock: device 0 waits at r"))
      << error;
  EXPECT_TRUE(
      error.ends_with("and 995 more devices wait; device 999 has ended"))
      << error;
  EXPECT_LT(error.size(), 600U);
}

/// `count` instructions, each about the one before.
std::string of_instructions(int count) {
  std::string text;
  for (int i = 2; i < count; ++i) {
    text += "x" + std::to_string(i) + " = u32[] not(x" + std::to_string(i - 1) +
            ")\n";
  }
  return "ENTRY main {\nx1 = u32[] replica-id()\n" + text +
         "ROOT r = u32[] not(x" + std::to_string(count - 1) + ")\n}";
}

TEST(Devices, AreAtMost65536) {
  const std::string program = of_instructions(2);
  const GridResult run = evaluate_devices(
      verified_module("HloModule m, replica_count=65536\n" + program), {{}});
  ASSERT_EQ(run.results.size(), 65536U);
  EXPECT_EQ(run.results.back().integer(0), 0xffff0000);
  EXPECT_TRUE(
      error_of("HloModule m, replica_count=32768, num_partitions=2\n" + program)
          .starts_with("none"));
  EXPECT_TRUE(error_of("HloModule m, replica_count=65537\n" + program)
                  .starts_with("evaluate.devices: the program runs on 65537"));
  EXPECT_TRUE(
      error_of("HloModule m, replica_count=32769, num_partitions=2\n" + program)
          .starts_with("evaluate.devices: the program runs on 65538"));
}

TEST(Devices, HaveAtMost2To23InstructionsInAll) {
  const std::string header = "HloModule m, replica_count=65536\n";
  try {  // it would take long
    evaluate_devices(verified_module(header + of_instructions(128)), {{}},
                     {.max_work = 1});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.rule(), "evaluate.work") << error.message();
  }
  EXPECT_TRUE(error_of(header + of_instructions(129))
                  .starts_with("evaluate.devices: the programs of all devices "
                               "have 8454144 instructions"));
}

/// Computations f0, f1, ..., each of which runs g1, ..., which calls the one
/// before.
std::string running(int count, const std::string& line,
                    const std::string& rest) {
  std::string text = "HloModule m\nf0 { ROOT c = u32[] constant(7) }\n";
  for (int i = 1; i <= count; ++i) {
    const std::string own = std::to_string(i);
    text += "g" + own + " { ROOT r = u32[] call(), to_apply=f" +
            std::to_string(i - 1) + " }\n" +
            (i == count ? "ENTRY main" : "f" + own) + " {\n" + line + "g" +
            own + rest + "}\n";
  }
  return text;
}

TEST(Devices, RunProgramsInEachOther32Deep) {
  const std::pair<std::string, std::string> kWays[] = {
      {"ROOT r = u32[] custom-call(), "
       "custom_call_target=\"interpreter.run_parallel\", "
       "called_computations={",
       "}, backend_config={}\n"},
      {"s = ((), u32[], u32[]) async-start(), calls=",
       "\nROOT r = u32[] async-done(s)\n"}};
  for (const auto& [line, rest] : kWays) {
    EXPECT_EQ(error_of(running(32, line, rest)), "none");
    const std::string error = error_of(running(33, line, rest));
    EXPECT_TRUE(error.starts_with(
        "evaluate.depth: programs that run programs are nested 33 deep"))
        << error;
  }
}

}  // namespace
}  // namespace hlo
