#include "backends/abi/worker/served_messages.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace hlo::abi {
namespace {

using process::Answer;
using process::Frame;
using process::Request;

ServedCase served(int64_t id) {
  return {.id = id,
          .program = "HloModule m",
          .inputs = {{"f32[1]", 4}, {"u8[0]", 0}, {"u8[2]", 2}},
          .results = {{"u8[3]", 3}},
          .bytes = "abcdef"};
}

Request request(int64_t id) {
  const ServedCase one = served(id);
  return process::to_request(one.id, one.program, one.inputs, one.results,
                             one.bytes);
}

TEST(ServedMessages, ReadsWhatTheOtherSideSends) {
  EXPECT_TRUE(read_greeting(process::hello_frame()));
  for (const char* more : {"", R"(,"parts":false)", R"(,"parts":1)"}) {
    const std::string header = R"({"type":"hello","versions":[1])";
    EXPECT_FALSE(read_greeting({header + more + "}", {}})) << more;
  }
  const std::vector<Request> sent = {request(7), request(9)};
  const std::vector<ServedCase> got = read_cases(process::run_frame(sent));
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[1].id, 9);
  EXPECT_EQ(got[1].program, "HloModule m");
  EXPECT_EQ(got[1].bytes, "abcdef");
  ASSERT_EQ(got[1].inputs.size(), 3U);
  EXPECT_EQ(got[1].inputs[2].shape, "u8[2]");
  EXPECT_EQ(got[1].inputs[2].bytes, 2U);
  EXPECT_EQ(got[1].results[0].bytes, 3U);
}

TEST(ServedMessages, IsReadByTheOtherSide) {
  const process::Hello hello =
      process::read_hello(hello_answer({"n",
                                        "r",
                                        /*wants_stablehlo=*/true,
                                        /*wants_layouts=*/true,
                                        /*runs_devices=*/true,
                                        /*batch=*/3,
                                        /*answers_in_parts=*/true,
                                        /*pace=*/0.5,
                                        {"no-f64"}}));
  EXPECT_EQ(hello.tags, std::vector<std::string>{"no-f64"});
  EXPECT_TRUE(hello.answers_in_parts);
  EXPECT_EQ(hello.batch, 3U);
  EXPECT_EQ(hello.name + hello.release, "nr");
  EXPECT_TRUE(hello.wants_stablehlo && hello.wants_layouts);
  EXPECT_TRUE(hello.runs_devices);
  EXPECT_THROW(process::read_hello(hello_refusal("\xff")), process::BadWorker);

  const std::vector<Request> asked = {request(1), request(2), request(3),
                                      request(4)};
  const std::vector<ServedCase> served_cases = {served(1), served(2), served(3),
                                                served(4)};
  const std::vector<Answer> sent = {
      {Answer::Kind::kResults, {}, {{"u8[3]", 3}}, {"xyz"}},
      {Answer::Kind::kUnsupported, "u", {}, {}},
      {Answer::Kind::kRejected, "r", {}, {}},
      {Answer::Kind::kFailed, "f", {}, {}}};
  const std::vector<Answer> got =
      process::read_answers(answers_frame(served_cases, sent), asked);
  EXPECT_EQ(got[0].bytes.at(0), "xyz");
  for (size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(got[i].kind, sent[i].kind);
    EXPECT_EQ(got[i].message, sent[i].message);
  }
}

TEST(ServedMessages, RefusesOtherFrames) {
  for (const char* header :
       {"", "[]", "{}", R"({"type":"run"})", R"({"type":7,"versions":[1]})",
        R"({"type":"hello"})", R"({"type":"hello","versions":[2,"1"]})"}) {
    EXPECT_THROW(read_greeting({header, {}}), std::runtime_error) << header;
  }
  for (const char* one :
       {"7", "{}", R"({"id":-1,"program":0,"inputs":[],"results":[]})",
        R"({"id":1,"program":1e300,"inputs":[],"results":[]})",
        R"({"id":1,"program":5,"inputs":[],"results":[]})",
        R"({"id":1,"program":3,"inputs":[],"results":[]})",
        R"({"id":1,"program":4,"inputs":[{"shape":7,"bytes":0}],"results":[]})",
        R"({"id":1,"program":4,"inputs":[7],"results":[]})",
        R"({"id":1,"program":4,"inputs":[
            {"shape":"x","bytes":18446744073709551615}],"results":[]})"}) {
    const std::string header =
        R"({"type":"run","cases":[)" + std::string(one) + "]}";
    EXPECT_THROW(read_cases({header, "abcd"}), std::runtime_error) << one;
  }
}

}  // namespace
}  // namespace hlo::abi
