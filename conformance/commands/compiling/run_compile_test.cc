#include "conformance/commands/compiling/run_compile.h"

#include "conformance/commands/testing/commands.h"
#include "conformance/files/read_file.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

class CompileCommand : public Commands {
 protected:
  static Outcome compile(const CompileOptions& options) {
    return capture([&] { return run_compile(options); });
  }

  static CompileOptions program(const std::string& file) {
    CompileOptions options;
    options.file = file;
    options.explain = true;
    return options;
  }

  Outcome explained(std::string_view text, const std::string& backend) const {
    CompileOptions options = program(make("p.hlo", text));
    options.backend = backend;
    return compile(options);
  }
};

TEST_F(CompileCommand, TellsTheTimeAndNothingElse) {
  CompileOptions options = program(program_);
  options.explain = false;
  const Outcome outcome = compile(options);
  EXPECT_EQ(outcome.code, kConforms);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.find("cpu: compile "), 0U) << outcome.err;
}

TEST_F(CompileCommand, PrintsAndWritesTheExplanation) {
  CompileOptions options = program(program_);
  const Outcome printed = compile(options);
  EXPECT_EQ(printed.out.find("0 steps of 0 operations\n"), 0U) << printed.out;
  options.output = (folder_ / "plan.txt").string();
  EXPECT_EQ(compile(options).out, "");
  EXPECT_EQ(read_file(options.output), printed.out);
}

TEST_F(CompileCommand, TellsWhyThereIsNoPlan) {
  const Outcome devices = explained(
      "HloModule m, replica_count=2\nENTRY e { x = f32[2] "
      "parameter(0)\n ROOT r = f32[4] all-gather(x), "
      "replica_groups={{0,1}}, dimensions={0} }\n",
      "cpu:");
  EXPECT_EQ(devices.code, kConforms);
  EXPECT_EQ(devices.out,
            "no plan, but one instruction after the other: the program talks "
            "to other devices or the host\n");
  const Outcome sizes = explained(
      "ENTRY e { x = f32[2] parameter(0)\n n = s32[] constant(1)\n ROOT r = "
      "f32[<=2] set-dimension-size(x, n), dimensions={0} }\n",
      "cpu:");
  EXPECT_NE(sizes.out.find("sizes that are known at run time only"),
            std::string::npos)
      << sizes.out;
}

TEST_F(CompileCommand, PlansArraysUpToTheirLargestSize) {
  const auto told = [&](const std::string& type) {
    return explained("ENTRY e { x = " + type +
                         " parameter(0)\n ROOT r = " + type + " negate(x) }\n",
                     "cpu:")
        .out;
  };
  EXPECT_NE(told("f32[4294967296]").find("\nblock: 17179869184 bytes"),
            std::string::npos);
  EXPECT_NE(told("f32[4294967297]").find("of more than 17179869184 bytes"),
            std::string::npos);
}

TEST_F(CompileCommand, TellsTheLayoutsOfTiles) {
  const Outcome outcome = explained(
      "ENTRY main { ROOT x = f32[2,3]{1,0:T(2,128)} parameter(0) }", "tpu:");
  EXPECT_EQ(outcome.code, kConforms);
  EXPECT_NE(outcome.out.find("%x f32[2,3]{1,0:T(2,128)}: 24 bytes in 1024"),
            std::string::npos)
      << outcome.out;
}

TEST_F(CompileCommand, SaysThatABackendCompilesAsItRuns) {
  const Outcome outcome = explained(kProgram, "interpreter:");
  EXPECT_EQ(outcome.code, kNothing);
  EXPECT_EQ(outcome.err, "interpreter: compiles as it runs\n");
}

TEST_F(CompileCommand, RefusesWhatIsWrong) {
  EXPECT_EQ(explained("ENTRY", "cpu:").code, kDiffers);
  EXPECT_EQ(compile(program((folder_ / "none").string())).code, kBroken);
  EXPECT_EQ(explained(kProgram, "cup:").code, kUsage);
  CompileOptions options = program(program_);
  options.output = program_;
  EXPECT_EQ(compile(options).code, kUsage);
}

}  // namespace
}  // namespace hlo::conformance
