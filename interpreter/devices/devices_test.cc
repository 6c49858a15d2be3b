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

TEST(Devices, RefuseTooMany) {
  EXPECT_TRUE(error_of("HloModule m, replica_count=65537\n"
                       "ENTRY main { ROOT i = u32[] replica-id() }")
                  .starts_with("evaluate.devices"));
}

}  // namespace
}  // namespace hlo
