#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/commands/results/run_eval.h"
#include "conformance/commands/run_fmt.h"
#include "conformance/files/output_file.h"

// What the tests of commands share; no program includes it.
namespace hlo::conformance {

/// A program with an array and a scalar.
inline constexpr std::string_view kProgram =
    "HloModule t\n\nENTRY %main {\n  %a = f32[2] parameter(0)\n"
    "  %b = s32[] parameter(1)\n  %c = f32[2] reshape(%a)\n"
    "  ROOT %r = (f32[2], s32[]) tuple(%c, %b)\n}\n";

/// A program that calls a function of a library.
inline constexpr std::string_view kCallsTwice =
    "HloModule t\n\nENTRY %main {\n  %a = f32[] parameter(0)\n"
    "  %b = f32[] custom-call(%a), custom_call_target=\"twice\"\n"
    "  ROOT %c = f32[] negate(%b)\n}\n";

/// A program that reads two values by infeed.
inline constexpr std::string_view kReadsTwice =
    "HloModule t\n\nENTRY %main {\n  %t = token[] after-all()\n"
    "  %i = (s32[2], token[]) infeed(%t)\n"
    "  %a = s32[2] get-tuple-element(%i), index=0\n"
    "  %u = token[] get-tuple-element(%i), index=1\n"
    "  %o = token[] outfeed(%a, %u)\n"
    "  %j = (s32[], token[]) infeed(%o)\n"
    "  %b = s32[] get-tuple-element(%j), index=0\n"
    "  %p = token[] outfeed(%b, %o)\n"
    "  %c = s32[2] broadcast(%b), dimensions={}\n"
    "  ROOT %r = s32[2] subtract(%a, %c)\n}\n";

/// What a command came to.
struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

/// What a command prints and returns.
template <typename Run>
Outcome capture(const Run& run) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = run();
  std::fflush(stdout);
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

/// Files that the tests make, gone after each of them.
class Commands : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("assay_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    program_ = make("t.hlo", kProgram);
  }

  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string make(const std::string& name, std::string_view text) const {
    std::string path = (folder_ / name).string();
    write_file(path, std::string(text));
    return path;
  }

  Outcome eval(const std::vector<std::string>& inputs,
               const std::string& output = "print") const {
    return eval_file(program_, inputs, output);
  }

  static Outcome eval_file(const std::string& file,
                           const std::vector<std::string>& inputs,
                           const std::string& output = "print") {
    EvalOptions options;
    options.file = file;
    options.inputs = inputs;
    options.output = output;
    return capture([&] { return run_eval(options); });
  }

  static Outcome fmt(const std::vector<std::string>& files, bool check) {
    return capture([&] { return run_fmt({.files = files, .check = check}); });
  }

  std::filesystem::path folder_;
  std::string program_;
};

}  // namespace hlo::conformance
