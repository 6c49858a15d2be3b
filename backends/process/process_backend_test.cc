#include "backends/process/process_backend.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "backends/registry/make_backend.h"
#include "interpreter/error.h"
#include "interpreter/model/buffer.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

const std::string kLiar =  // without what sites add, it starts sooner
    "python3 -S -E " ASSAY_SOURCE_DIR "/backends/process/testing/liar.py ";

/// Cases that copy an array, of which one is marked as the one to fail at.
class Copies {
 public:
  Copies(size_t count, size_t marked) {
    for (size_t k = 0; k < count; ++k) {
      values_.push_back(text::parse_literal_with_shape(
          k == marked ? "f32[2] {777, 777}"
                      : fmt::format("f32[2] {{{}, 0.5}}", k)));
      arguments_.push_back(store(values_.back(), argument_shapes(module_)[0]));
    }
  }

  std::vector<Call> calls() const {
    std::vector<Call> calls;
    for (const Buffer& argument : arguments_) {
      calls.push_back({.module = &module_, .arguments = {&argument, 1}});
    }
    return calls;
  }

  /// "values" where the copy came back, else the message of the failure.
  std::string told(size_t k, const Outcome& outcome) const {
    if (const auto* failure = std::get_if<Failure>(&outcome)) {
      return failure->message;
    }
    const Buffer& result = std::get<std::vector<Buffer>>(outcome).at(0);
    return identical(load(result), values_[k]) ? "values" : "others";
  }

 private:
  const Module module_ = verified_module(
      "HloModule m\n\nENTRY main {\n  x = f32[2]{0:T(4)} parameter(0)\n"
      "  ROOT r = f32[2]{0:T(8)} copy(x)\n}\n");
  std::vector<Literal> values_;
  std::vector<Buffer> arguments_;
};

/// What the worker makes of so many cases, one after the other, of which the
/// second is marked.
std::vector<std::string> outcomes(Backend& backend, size_t count) {
  const Copies copies(count, 1);
  const std::vector<Call> calls = copies.calls();
  std::vector<std::string> found;
  for (size_t k = 0; k < count; ++k) {
    found.push_back(copies.told(
        k, guarded_run(backend, *calls[k].module, calls[k].arguments)));
  }
  return found;
}

/// What the worker makes of so many cases at once.
std::vector<std::string> outcomes_at_once(Backend& backend, size_t count,
                                          size_t marked) {
  const Copies copies(count, marked);
  const std::vector<Outcome> all = guarded_run_all(backend, copies.calls());
  std::vector<std::string> found;
  for (size_t k = 0; k < all.size(); ++k) {
    found.push_back(copies.told(k, all[k]));
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
    {"tell_crash", "the engine died"},
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
    {"fewer",
     "the worker sent a header with a number of answers of 0, but it must be "
     "1"},
    {"swapped",
     "the worker sent a header with an answer to another case than was asked"},
    {"flood_output",
     "the worker wrote \"xxxxxxxxxxxxxxxx\" on standard output, but a frame "
     "must begin with ASSY"},
    {"more", "values"},
    {"fork", "the worker ended with the exit code 3 without an answer"},
    {"ignore_sigterm", "the worker did not answer within 1 s"},
    {"leave_group", "the worker did not answer within 1 s"},
    {"wait_for_all", "values"},
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

// Frames have 1, 2, 4, 8 and 2 cases.
constexpr size_t kAtOnce = 17;

TEST(ProcessBackend, CrashesWhereTheWorkerSaysSo) {
  const auto backend = make_process_backend("process:" + kLiar + "tell_crash");
  const Copies copies(1, 0);
  const Call call = copies.calls().front();
  const Outcome outcome = backend->run(*call.module, call.arguments);
  ASSERT_TRUE(std::holds_alternative<Failure>(outcome));
  EXPECT_EQ(std::get<Failure>(outcome).kind, Failure::Kind::kCrashed);
}

TEST(ProcessBackend, LosesOnlyTheCaseOfAFaultInABatch) {
  for (const auto& [name, message] : kFaults) {
    const auto backend =
        make_process_backend("process:timeout=1 " + kLiar + name + " dense 8");
    std::vector<std::string> expected(kAtOnce, "values");
    expected[11] = message;
    EXPECT_EQ(outcomes_at_once(*backend, kAtOnce, 11), expected) << name;
  }
}

TEST(ProcessBackend, FindsTheCulpritAnywhereInABatch) {
  for (size_t marked = 0; marked < kAtOnce; ++marked) {
    const auto backend =
        make_process_backend("process:" + kLiar + "die dense 64");
    std::vector<std::string> expected(kAtOnce, "values");
    expected[marked] =
        "the worker ended with the exit code 7 without an answer";
    EXPECT_EQ(outcomes_at_once(*backend, kAtOnce, marked), expected) << marked;
  }
}

TEST(ProcessBackend, LosesOnlyTheCaseOfAFaultInABatchInParts) {
  for (const auto& [name, message] : kFaults) {
    const bool is_chosen = name == "die" || name == "hang" || name == "half" ||
                           name == "longer" || name == "shape";
    if (!is_chosen) continue;
    const auto backend = make_process_backend("process:timeout=1 " + kLiar +
                                              name + " dense 8 parts");
    std::vector<std::string> expected(kAtOnce, "values");
    expected[11] = message;
    EXPECT_EQ(outcomes_at_once(*backend, kAtOnce, 11), expected) << name;
  }
}

/// Until the worker takes eight cases at once, if it ever does.
void wait_for_batches(Backend& backend) {
  for (int k = 0; k < 100 && backend.most_at_once() < 8; ++k) {
    outcomes_at_once(backend, 15, 15);
  }
}

/// What it makes of eight cases then, of which the sixth is marked.
std::vector<std::string> outcomes_of_eight(Backend& backend) {
  wait_for_batches(backend);
  return outcomes_at_once(backend, 8, 5);
}

TEST(ProcessBackend, AsksNoCaseAgainWhoseAnswerCame) {
  namespace fs = std::filesystem;
  const fs::path log =
      fs::temp_directory_path() / ("liar_log" + std::to_string(getpid()));
  setenv("LIAR_LOG", log.c_str(), 1);
  const auto backend =
      make_process_backend("process:" + kLiar + "die dense 8 parts");
  wait_for_batches(*backend);
  fs::remove(log);
  outcomes_at_once(*backend, 8, 5);
  unsetenv("LIAR_LOG");
  std::ifstream lines(log);
  std::map<std::string, int> asked;
  for (std::string line; std::getline(lines, line);) ++asked[line];
  fs::remove(log);
  EXPECT_EQ(asked, (std::map<std::string, int>{{"0", 1},
                                               {"1", 1},
                                               {"2", 1},
                                               {"3", 1},
                                               {"4", 1},
                                               {"777", 2},
                                               {"6", 2},
                                               {"7", 2}}));
}

TEST(ProcessBackend, CallsFlakyWhatFailsTogetherAndPassesAlone) {
  const std::string ended =
      "with 2 cases, the worker ended with the exit code 7 without an answer";
  for (const std::string parts : {"", " parts"}) {
    const auto backend =
        make_process_backend("process:" + kLiar + "crowd dense 8" + parts);
    std::vector<std::string> expected(8, "values");
    // In halves the marked case fails with the one before it; answers in parts
    // say which one it was.
    expected[5] = parts.empty() ? ended : "with 8" + ended.substr(6);
    EXPECT_EQ(outcomes_of_eight(*backend), expected) << parts;
    // From then on it gets its cases one by one.
    EXPECT_EQ(outcomes_of_eight(*backend),
              std::vector<std::string>(8, "values"));
    EXPECT_EQ(backend->most_at_once(), 1U);
  }
}

TEST(ProcessBackend, HoldsNoSilenceAgainstABatchWhoseCasesPass) {
  for (const std::string parts : {"", " parts"}) {
    const auto backend = make_process_backend("process:timeout=2 " + kLiar +
                                              "slow_crowd dense 8" + parts);
    EXPECT_EQ(outcomes_of_eight(*backend),
              std::vector<std::string>(8, "values"));
  }
}

TEST(ProcessBackend, TakesMoreAtOnceAsLongAsThatIsFast) {
  const auto backend =
      make_process_backend("process:" + kLiar + "none dense 1000");
  EXPECT_EQ(backend->most_at_once(), 1U);
  for (int k = 0; k < 100 && backend->most_at_once() < 64; ++k) {
    outcomes_at_once(*backend, 127, 127);
  }
  EXPECT_EQ(backend->most_at_once(), 64U);
  const auto single = make_process_backend("process:" + kLiar + "none");
  outcomes_at_once(*single, 3, 3);
  EXPECT_EQ(single->most_at_once(), 1U);
}

TEST(ProcessBackend, BlamesAStartThatFailsOnOneCase) {
  const auto backend = make_process_backend("process:false");
  const std::string start =
      "the worker ended with the exit code 1 without an answer";
  const std::string none =
      "the worker could not be started three times in a row";
  EXPECT_EQ(outcomes_at_once(*backend, 5, 5),
            (std::vector<std::string>{start, start, start, none, none}));
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

TEST(ProcessBackend, TakesNothingThatComesBeforeItAsks) {
  const auto backend = make_process_backend("process:" + kLiar + "early");
  EXPECT_EQ(outcomes(*backend, 1),
            std::vector<std::string>{
                "the worker cannot start: it wrote to standard output behind "
                "its hello, where it must wait for a case"});
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
