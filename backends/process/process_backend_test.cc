#include "backends/process/process_backend.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "backends/registry/make_backend.h"
#include "interpreter/error.h"
#include "interpreter/model/buffer.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

const std::string kLiar =
    "python3 " ASSAY_SOURCE_DIR "/backends/process/testing/liar.py ";

/// What the worker makes of so many cases that copy an array: "values" where
/// those come back, else the message of the failure.
std::vector<std::string> outcomes(Backend& backend, int count) {
  const Module module = verified_module(
      "HloModule m\n\nENTRY main {\n  x = f32[2]{0:T(4)} parameter(0)\n"
      "  ROOT r = f32[2]{0:T(8)} copy(x)\n}\n");
  const Literal value = text::parse_literal_with_shape("f32[2] {1, 2}");
  const std::vector<Buffer> arguments = {
      store(value, argument_shapes(module)[0])};
  std::vector<std::string> found;
  for (int i = 0; i < count; ++i) {
    const Outcome outcome = guarded_run(backend, module, arguments);
    if (const auto* failure = std::get_if<Failure>(&outcome)) {
      found.push_back(failure->message);
      continue;
    }
    const Buffer& result = std::get<std::vector<Buffer>>(outcome).at(0);
    found.emplace_back(identical(load(result), value) ? "values" : "others");
  }
  return found;
}

struct Fault {
  std::string name;
  std::string message;  // of the second case of three; "values" where none
};

const Fault kFaults[] = {
    {"none", "values"},
    {"die", "the worker ended with the exit code 7 without an answer"},
    {"crash", "the worker was ended by the signal 11 without an answer"},
    {"speak",
     "the worker ended with the exit code 1 without an answer; its last "
     "words: out of luck\n"},
    {"hang", "the worker did not answer within 1 s"},
    {"late", "the worker did not answer within 1 s"},
    {"garbage",
     "the worker wrote \"Hello, world?Hel\" on standard output, but a frame "
     "must begin with ASSY"},
    {"close_output", "the worker closed its standard output without an answer"},
    {"close_input", "values"},
    {"half",
     "the worker ended with the exit code 0 in the middle of its answer"},
    {"huge",
     "the worker sent a frame with a body of 1152921504606846976 bytes, but "
     "it can have at most 1048584"},
    {"longer",
     "the worker sent a header with a result of 800 bytes where the body has "
     "no more than 8"},
    {"shape", "a result f32[1] instead of f32[2]"},
    {"flood_output",
     "the worker wrote \"xxxxxxxxxxxxxxxx\" on standard output, but a frame "
     "must begin with ASSY"},
    {"more", "values"},
    {"fork", "the worker ended with the exit code 3 without an answer"},
    {"ignore_sigterm", "the worker did not answer within 1 s"},
};

TEST(ProcessBackend, LosesOnlyTheCaseOfAFault) {
  for (const auto& [name, message] : kFaults) {
    const auto backend =
        make_process_backend("process:timeout=1 " + kLiar + name);
    const std::vector<std::string> found = outcomes(*backend, 3);
    EXPECT_EQ(found, (std::vector<std::string>{"values", message, "values"}))
        << name;
  }
}

TEST(ProcessBackend, KeepsTheEndOfAFloodOfErrors) {
  const auto backend =
      make_process_backend("process:timeout=1 " + kLiar + "flood_errors");
  const std::vector<std::string> found = outcomes(*backend, 3);
  EXPECT_TRUE(found[1].starts_with(
      "the worker did not answer within 1 s; its last words: xxx"));
  EXPECT_LT(found[1].size(), 5000U);
  EXPECT_EQ(found[2], "values");
}

TEST(ProcessBackend, HandsOverLayoutsWhereTheyAreWanted) {
  const auto backend =
      make_process_backend("process:" + kLiar + "none explicit");
  // The tile of the input is not that of the result.
  EXPECT_EQ(outcomes(*backend, 1),
            std::vector<std::string>{
                "a result f32[2]{0:T(4)} instead of f32[2]{0:T(8)}"});
}

TEST(ProcessBackend, GivesUpAfterThreeStarts) {
  const auto backend = make_process_backend("process:false");
  const std::vector<std::string> found = outcomes(*backend, 5);
  EXPECT_EQ(found[2],
            "the worker ended with the exit code 1 without an answer");
  EXPECT_EQ(found[3], "the worker could not be started three times in a row");
}

TEST(ProcessBackend, EndsAStartThatHangs) {
  const auto begin = std::chrono::steady_clock::now();
  const auto backend = make_process_backend("process:startup=0.2 sleep 1000");
  EXPECT_EQ(outcomes(*backend, 1),
            std::vector<std::string>{"the worker did not answer within 0.2 s"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(ProcessBackend, RefusesSettingsWithoutSense) {
  for (const char* uri : {"process:", "process:  ", "process:timeout=0 x",
                          "process:timeout=1", "process:startup=1e9 x",
                          "process:timeout=1s x", "process:timeout=nan x"}) {
    EXPECT_THROW(make_backend(uri), Error) << uri;
  }
  EXPECT_EQ(make_backend("process:startup=1 timeout=2.5 x y")->name(),
            "process:startup=1 timeout=2.5 x y");
}

}  // namespace
}  // namespace hlo
