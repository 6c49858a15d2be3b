#include "backends/process/worker_messages.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace hlo::process {
namespace {

const std::array<Request, 2> kRequests = {
    to_request(7, "p", {}, {{.shape = "u8[1]", .bytes = 1}}, ""),
    to_request(8, "pq", {{.shape = "u8[2]", .bytes = 2}}, {}, "in")};

std::string complaint_of_hello(const std::string& header) {
  try {
    read_hello({.header = header, .body = {}});
  } catch (const BadWorker& bad) {
    return bad.what();
  }
  return "";
}

/// What is wrong with the answers to cases 7 and 8.
std::string complaint(const std::string& answers,
                      const std::string& body = "abcd") {
  const std::string header = R"({"type":"answers","answers":)" + answers + "}";
  try {
    read_answers({.header = header, .body = body}, kRequests);
  } catch (const BadWorker& bad) {
    return bad.what();
  }
  return "";
}

TEST(WorkerMessages, ReadsAHello) {
  const Hello hello = read_hello(
      {.header =
           R"({"type":"hello","version":1,"name":"n","release":"2","x":[],)"
           R"("program":"stablehlo","layouts":"explicit","devices":true})",
       .body = {}});
  EXPECT_EQ(hello.name, "n");
  EXPECT_EQ(hello.release, "2");
  EXPECT_TRUE(hello.wants_stablehlo);
  EXPECT_TRUE(hello.wants_layouts);
  EXPECT_TRUE(hello.runs_devices);
  EXPECT_EQ(hello.batch, 1U);
}

std::string with_tags(const std::string& tags) {
  return R"({"type":"hello","version":1,"name":"n","program":"hlo",)"
         R"("layouts":"dense","tags":)" +
         tags + "}";
}

TEST(WorkerMessages, ReadsTags) {
  const auto tags = [](const std::string& list) {
    return read_hello({.header = with_tags(list), .body = {}}).tags;
  };
  EXPECT_EQ(tags(R"(["no-f64","x"])"),
            (std::vector<std::string>{"no-f64", "x"}));
  EXPECT_TRUE(tags("[]").empty());
  std::string many = "[\"0\"";
  for (int i = 1; i < 65; ++i) many += ",\"a\"";
  for (const std::string& wrong :
       {std::string("7"), std::string(R"("no-f64")"), std::string("[7]"),
        std::string(R"([""])"), std::string(R"(["a b"])"),
        std::string(R"(["\u001b[0m"])"), "[\"" + std::string(201, 'a') + "\"]",
        many + "]"}) {
    EXPECT_NE(complaint_of_hello(with_tags(wrong)), "") << wrong;
  }
}

std::string with_batch(const std::string& batch) {
  return R"({"type":"hello","version":1,"name":"n","program":"hlo",)"
         R"("layouts":"dense","batch":)" +
         batch + "}";
}

TEST(WorkerMessages, ReadsHowManyCasesAFrameMayHave) {
  const auto batch = [](const std::string& number) {
    return read_hello({.header = with_batch(number), .body = {}}).batch;
  };
  EXPECT_EQ(batch("3"), 3U);
  EXPECT_EQ(batch("64"), 64U);
  EXPECT_EQ(batch("18446744073709551615"), 64U);
  for (const char* wrong : {"0", "-1", "1.5", "\"8\"", "true", "1e400"}) {
    EXPECT_NE(complaint_of_hello(with_batch(wrong)), "") << wrong;
  }
  EXPECT_EQ(complaint_of_hello(with_batch("0")),
            "sent a header whose \"batch\" must be a number from 1 on");
}

TEST(WorkerMessages, ReadsHowLongAFrameMayTake) {
  const auto pace = [](const std::string& fields) {
    return read_hello({.header = with_batch(fields), .body = {}}).pace;
  };
  EXPECT_EQ(pace("8"), 0.5);
  EXPECT_EQ(pace("8,\"pace\":4"), 4);
  EXPECT_EQ(pace("8,\"pace\":0.5"), 0.5);
  for (const char* wrong : {"0", "0.49", "4.01", "-1", "\"2\"", "null"}) {
    EXPECT_EQ(
        complaint_of_hello(with_batch("8,\"pace\":" + std::string(wrong))),
        "sent a header whose \"pace\" must be a number of seconds from "
        "0.5 to 4")
        << wrong;
  }
}

TEST(WorkerMessages, OffersAndTakesAnswersInParts) {
  EXPECT_EQ(hello_frame().header,
            R"({"type":"hello","versions":[1],"parts":true})");
  const auto parts = [](const std::string& value) {
    return read_hello(
               {.header = with_batch("3,\"parts\":" + value), .body = {}})
        .answers_in_parts;
  };
  EXPECT_TRUE(parts("true"));
  EXPECT_FALSE(parts("false"));
  EXPECT_FALSE(
      read_hello({.header = with_batch("3"), .body = {}}).answers_in_parts);
}

TEST(WorkerMessages, ReadsAPartOfTheAnswers) {
  const Frame first = {
      .header = R"({"type":"answers","answers":[{"id":7,"failed":"x"}]})",
      .body = {}};
  EXPECT_EQ(read_answers(first, kRequests, true).size(), 1U);
  EXPECT_THROW(read_answers(first, kRequests), BadWorker);
  const std::string last = R"([{"id":8,"failed":""}])";
  for (
      const char* wrong :
      {R"([])", R"([{"id":8,"failed":""}])",
       R"([{"id":7,"failed":""},{"id":8,"failed":""},{"id":9,"failed":""}])"}) {
    const Frame frame = {
        .header = R"({"type":"answers","answers":)" + std::string(wrong) + "}",
        .body = {}};
    EXPECT_THROW(read_answers(frame, kRequests, true), BadWorker) << wrong;
  }
}

TEST(WorkerMessages, PutsSeveralCasesInAFrame) {
  const Frame frame = run_frame(kRequests);
  EXPECT_EQ(frame.header,
            R"({"type":"run","cases":[{"id":7,"program":1,"inputs":[],)"
            R"("results":[{"shape":"u8[1]","bytes":1}]},{"id":8,"program":2,)"
            R"("inputs":[{"shape":"u8[2]","bytes":2}],"results":[]}]})");
  EXPECT_EQ(frame.body, "ppqin");
}

TEST(WorkerMessages, RefusesAnAnswerThatWouldBeTooLongAlone) {
  const std::string ends = R"({"id":8,"failed":""}])";
  const auto told = [&](size_t bytes) {
    return complaint(fmt::format(R"([{{"id":7,"results":[{{"shape":"u8[1]",)"
                                 R"("bytes":{}}}]}},)",
                                 bytes) +
                         ends,
                     std::string(bytes, 'x'));
  };
  EXPECT_EQ(told((1U << 20U) + 1), "");
  EXPECT_EQ(told((1U << 20U) + 2),
            "sent a header with an answer that is longer than it may be");
}

TEST(WorkerMessages, RefusesWhatIsNoHello) {
  EXPECT_EQ(complaint_of_hello("{"),
            "sent a header \"{\", but it must be a JSON object");
  EXPECT_EQ(complaint_of_hello("[[[[[[[[[[[[1]]]]]]]]]]]]"),
            "sent a header that is nested more than 8 deep");
  EXPECT_EQ(complaint_of_hello(R"({"type":1})"),
            "sent a header \"{\"type\":1}\", but its type must be \"hello\"");
  EXPECT_EQ(complaint_of_hello(R"({"type":"hello","version":2})"),
            "sent a header without the version 1, which was offered and must "
            "be chosen");
  EXPECT_EQ(complaint_of_hello(
                R"({"type":"hello","version":1,"name":"n","program":"ptx"})"),
            "sent a header whose \"program\" is \"ptx\", but must be hlo or "
            "stablehlo");
  EXPECT_EQ(complaint_of_hello(R"({"type":"hello","error":"no GPU"})"),
            "cannot start: no GPU");
}

/// A hello with a field that is nested so deep, which nobody reads.
std::string nested_hello(size_t depth) {
  return with_batch(R"(1,"x":)" + std::string(depth - 1, '[') +
                    std::string(depth - 1, ']'));
}

TEST(WorkerMessages, AreNestedAtMost8Deep) {
  EXPECT_EQ(complaint_of_hello(nested_hello(8)), "");
  EXPECT_EQ(complaint_of_hello(nested_hello(9)),
            "sent a header that is nested more than 8 deep");
  const std::string unused = R"({"id":7,"failed":"","x":)";
  const std::string rest = R"(},{"id":8,"failed":""}])";
  // The answer is an object in a list in an object.
  EXPECT_EQ(complaint("[" + unused + "[[[[[]]]]]" + rest, ""), "");
  EXPECT_EQ(complaint("[" + unused + "[[[[[[]]]]]]" + rest, ""),
            "sent a header that is nested more than 8 deep");
}

TEST(WorkerMessages, KeepsNamesOf200BytesAndMessagesOf1000) {
  const auto name_of = [](size_t size) {
    return read_hello({.header = R"({"type":"hello","version":1,"name":")" +
                                 std::string(size, 'n') +
                                 R"(","program":"hlo","layouts":"dense"})",
                       .body = {}})
        .name;
  };
  EXPECT_EQ(name_of(200), std::string(200, 'n'));
  EXPECT_LE(name_of(201).find_last_of('n'), 199U);
  const auto message_of = [](size_t size) {
    const std::string header = R"({"type":"answers","answers":[{"id":7,)"
                               R"("failed":")" +
                               std::string(size, 'm') +
                               R"("},{"id":8,"failed":""}]})";
    return read_answers({.header = header, .body = {}}, kRequests)[0].message;
  };
  EXPECT_EQ(message_of(1000), std::string(1000, 'm'));
  EXPECT_LE(message_of(1001).find_last_of('m'), 999U);
}

TEST(WorkerMessages, ReadsAnswersInTheirOrder) {
  const std::vector<Answer> answers = read_answers(
      {.header = R"({"type":"answers","answers":[{"id":7,"rejected":"no"},)"
                 R"({"id":8,"results":[{"shape":"u8[1]","bytes":1},)"
                 R"({"shape":"u8[3]","bytes":3}]}]})",
       .body = "abcd"},
      kRequests);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].kind, Answer::Kind::kRejected);
  EXPECT_EQ(answers[0].message, "no");
  EXPECT_EQ(answers[1].kind, Answer::Kind::kResults);
  EXPECT_EQ(answers[1].results[1].shape, "u8[3]");
  EXPECT_EQ(answers[1].bytes, (std::vector<std::string>{"a", "bcd"}));
}

struct Lie {
  std::string answers;
  std::string complaint;
};

const Lie kLies[] = {
    {R"([{"id":7,"failed":""}])",
     "with a number of answers of 1, but it must be 2"},
    {R"(7)", "without a list \"answers\", which it must have"},
    {R"([{"id":8,"failed":""},{"id":7,"failed":""}])",
     "with an answer to another case than was asked"},
    {R"([7,8])", "with an answer that is no object"},
    {R"([{"id":7},{"id":8}])",
     "with an answer that must have one of results, unsupported, rejected, "
     "failed and crashed"},
    {R"([{"id":7,"failed":"","rejected":""},{"id":8}])",
     "with an answer that must have one of results, unsupported, rejected, "
     "failed and crashed"},
    {R"([{"id":7,"failed":3},{"id":8}])",
     "whose \"failed\" is no text, but must be one"},
    {R"([{"id":7,"results":[{"shape":"u8[9]","bytes":9}]},{"id":8}])",
     "with a result of 9 bytes where the body has no more than 4"},
    {R"([{"id":7,"results":[{"shape":"u8[9]","bytes":-1}]},{"id":8}])",
     "with a result whose \"bytes\" is no number, but must be one"},
    {R"([{"id":7,"results":[3]},{"id":8}])", "with a result that is no object"},
    {R"([{"id":7,"failed":""},{"id":8,"failed":""}])",
     "whose results end 4 bytes before the body does, but must be all of it"},
};

TEST(WorkerMessages, RefusesAnswersThatLie) {
  for (const Lie& lie : kLies) {
    EXPECT_EQ(complaint(lie.answers), "sent a header " + lie.complaint);
  }
}

}  // namespace
}  // namespace hlo::process
