#include "conformance/commands/results/run_run.h"

#include "conformance/commands/testing/commands.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kMaximum =
    "ENTRY e { a = f32[2] parameter(0)\n b = f32[2] parameter(1)\n"
    " ROOT r = f32[2] maximum(a, b) }\n";

class RunCommand : public Commands {
 protected:
  RunOptions options() const {
    RunOptions options;
    options.file = make("m.hlo", kMaximum);
    options.inputs = {"{1, nan}", "{2, 1}"};
    return options;
  }

  static Outcome run(const RunOptions& options) {
    return capture([&] { return run_run(options); });
  }
};

TEST_F(RunCommand, PrintsResultsAndTellsTimesApart) {
  RunOptions o = options();
  o.repeat = 3;
  const Outcome outcome = run(o);
  EXPECT_EQ(outcome.code, kConforms);
  EXPECT_EQ(outcome.out, "f32[2] {2, nan}\n");
  for (const char* const word :
       {"cpu: compile ", ", first run ", ", 2 later runs: median ", ", least ",
        ", peak memory "}) {
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
  }
}

TEST_F(RunCommand, PrintsTheDigestsThatEvalPrints) {
  RunOptions o = options();
  o.output = "digest";
  EXPECT_EQ(run(o).out, eval_file(o.file, o.inputs, "digest").out);
}

TEST_F(RunCommand, PrintsWhatTheBackendCounts) {
  RunOptions o = options();
  o.counts = true;
  const Outcome silent = run(o);
  EXPECT_EQ(silent.code, kNothing);
  EXPECT_EQ(silent.out, "");
  EXPECT_NE(silent.err.find("cpu: does not count what it does\n"),
            std::string::npos);
  o.backend = "tpu:";
  const Outcome counted = run(o);
  EXPECT_EQ(counted.code, kConforms);
  EXPECT_TRUE(counted.out.starts_with("f32[2] {2, nan}\nunit ")) << counted.out;
}

TEST_F(RunCommand, WritesNumPyFiles) {
  RunOptions o = options();
  o.output = (folder_ / "results").string();
  EXPECT_EQ(run(o).code, kConforms);
  EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / "results/0.npy"));
}

TEST_F(RunCommand, GivesEachRunTheWholeInfeed) {
  RunOptions o;
  o.file = make("reads.hlo", kReadsTwice);
  o.infeed = {"{5, 7}", "2"};
  o.repeat = 3;
  for (const char* const backend :
       {"interpreter:", "interpreter:definition", "cpu:", "tpu:"}) {
    o.backend = backend;
    const Outcome outcome = run(o);
    EXPECT_EQ(outcome.code, kConforms) << outcome.err;
    EXPECT_EQ(outcome.out,
              "s32[2] {3, 5}\n// outfeed of replica 0, partition 0\n"
              "s32[2] {5, 7}\n// outfeed of replica 0, partition 0\ns32[] 2\n")
        << backend;
  }
  o.infeed = {"random:3"};
  EXPECT_EQ(run(o).code, kConforms);
  o.infeed = {"{5, 7}"};
  const Outcome empty = run(o);
  EXPECT_EQ(empty.code, kDiffers);
  EXPECT_NE(empty.err.find("the infeed has 1 value"), std::string::npos)
      << empty.err;
  o.infeed = {"{5, 7, 9}", "2"};
  EXPECT_NE(run(o).code, kConforms);
}

/// Values that devices write in an outer and an inner program, as tuples, to
/// another device's channel that is the host's, and with sizes of run time.
constexpr std::string_view kWrites =
    "HloModule t, replica_count=2\n\nENTRY %main {\n"
    "  %a = f32[2] parameter(0)\n  %t = token[] after-all()\n"
    "  %n = s32[] constant(1)\n"
    "  %d = f32[<=2] set-dimension-size(%a, %n), dimensions={0}\n"
    "  %b = bf16[2] convert(%a)\n  %p = (f32[<=2], bf16[2]) tuple(%d, %b)\n"
    "  %o = token[] outfeed(%p, %t)\n"
    "  %s = (f32[2], u32[], token[]) send(%a, %o), channel_id=1,"
    " is_host_transfer=true\n"
    "  %e = token[] send-done(%s), channel_id=1, is_host_transfer=true\n"
    "  %r = u32[] replica-id()\n  %q = token[] outfeed(%r, %e)\n"
    "  ROOT %z = u32[] negate(%r)\n}\n";

TEST_F(RunCommand, PrintsTheOutfeedThatEvalPrints) {
  RunOptions o;
  o.file = make("writes.hlo", kWrites);
  o.inputs = {"{1.5, 3}"};
  o.repeat = 2;
  const std::string whole = eval_file(o.file, o.inputs, "print").out;
  EXPECT_NE(whole.find("partition 0\nf32[<=2](1) {1.5}\nbf16[2] {1.5, 3}\n"),
            std::string::npos)
      << whole;
  for (const char* const backend : {"interpreter:", "cpu:", "tpu:"}) {
    o.backend = backend;
    EXPECT_EQ(run(o).out, whole) << backend;
  }
  o.output = "none";
  EXPECT_EQ(run(o).out, "");
  o.output = "print";
  o.backend = "mutant:drop-nan";
  EXPECT_EQ(run(o).out.find("outfeed"), std::string::npos);
}

TEST_F(RunCommand, CallsFunctionsOfLibrariesWhereTheBackendDoes) {
  RunOptions o;
  o.file = make("calls.hlo", kCallsTwice);
  o.inputs = {"1.5"};
  o.custom_calls = {ASSAY_FOREIGN_LIBRARY};
  for (const char* const backend : {"interpreter:", "tpu:"}) {
    o.backend = backend;
    EXPECT_EQ(run(o).out, "f32[] -3\n") << backend;
  }
  o.backend = "cpu:";
  EXPECT_EQ(run(o).code, kNothing) << "it calls none";
  o.backend = "mutant:drop-nan";
  EXPECT_EQ(run(o).code, kNothing) << "nothing comes from the host";
  o.backend = "interpreter:";
  o.custom_calls = {(folder_ / "missing.so").string()};
  EXPECT_EQ(run(o).code, kBroken);
}

TEST_F(RunCommand, JudgesByWhatIsCertified) {
  RunOptions o = options();
  o.judge = true;
  EXPECT_EQ(run(o).code, kConforms);
  o.backend = "mutant:drop-nan";
  const Outcome outcome = run(o);
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_NE(outcome.out.find("leaf 0 {1}: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("drop-nan 1 of 2 certified elements are outside"),
            std::string::npos)
      << outcome.out;
  o.judge = false;
  EXPECT_EQ(run(o).code, kConforms);
}

TEST_F(RunCommand, NamesTheBackendOfAFailureOnce) {
  RunOptions o;
  o.file = make("f.hlo",
                "ENTRY e { ROOT r = f32[2] custom-call(),"
                " custom_call_target=\"f\" }\n");
  const Outcome outcome = run(o);
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_NE(outcome.err.find("\ncpu: custom-call.target: does not run the "
                             "custom call f\n"),
            std::string::npos)
      << outcome.err;
}

TEST_F(RunCommand, JudgesNothingWhereNothingIsCertified) {
  RunOptions o;
  o.file = make("c.hlo",
                "ENTRY e { a = c64[] parameter(0)\n b = c64[] multiply(a, a)\n"
                " ROOT r = c64[] sine(b) }\n");
  o.inputs = {"(1, 2)"};
  o.backend = "interpreter:";
  o.judge = true;
  const Outcome outcome = run(o);
  EXPECT_EQ(outcome.code, kNothing);
  EXPECT_NE(outcome.out.find("leaf 0: nothing is certified: "),
            std::string::npos)
      << outcome.out;
}

TEST_F(RunCommand, SaysWhatABackendDidInsteadOfRunning) {
  RunOptions o = options();
  o.backend = "process:true";
  const Outcome broken = run(o);
  EXPECT_EQ(broken.code, kBroken);
  EXPECT_EQ(broken.out, "");
  EXPECT_NE(broken.err.find("process:true the worker ended"), std::string::npos)
      << broken.err;
  EXPECT_NE(broken.err.find("peak memory not known"), std::string::npos);
  o.backend = "nobody:";
  EXPECT_EQ(run(o).code, kUsage);
  o = options();
  o.inputs = {"{1, 2}"};
  EXPECT_EQ(run(o).code, kUsage);
  o = options();
  o.file = make("devices.hlo",
                "HloModule m, replica_count=2\n"
                "ENTRY e { x = f32[] parameter(0)\n"
                "  ROOT r = f32[] negate(x) }\n");
  o.inputs = {"1"};
  o.backend = "interpreter:";
  EXPECT_EQ(run(o).out,
            "// replica 0, partition 0\nf32[] -1\n"
            "// replica 1, partition 0\nf32[] -1\n");
}

}  // namespace
}  // namespace hlo::conformance
