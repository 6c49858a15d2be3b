#include "conformance/commands.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "conformance/commands/program.h"
#include "conformance/npy.h"
#include "conformance/sources/files.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram =
    "HloModule t\n\nENTRY %main {\n  %a = f32[2] parameter(0)\n"
    "  %b = s32[] parameter(1)\n  %c = f32[2] reshape(%a)\n"
    "  ROOT %r = (f32[2], s32[]) tuple(%c, %b)\n}\n";

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
    folder_ = fs::temp_directory_path() / ("assay_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    program_ = make("t.hlo", kProgram);
  }

  void TearDown() override { fs::remove_all(folder_); }

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

  fs::path folder_;
  std::string program_;
};

TEST_F(Commands, FmtSeparatesProgramsThatItReadsBack) {
  const std::string one = fmt({program_}, /*check=*/false).out;
  const Outcome two = fmt({program_, program_}, /*check=*/false);
  EXPECT_EQ(two.out, one + "// -----\n" + one);
  const std::string file = make("two.hlo", two.out);
  EXPECT_EQ(fmt({file}, /*check=*/true).code, kConforms);
  const std::string wrong = make("wrong.hlo", two.out + "}\n");
  EXPECT_NE(fmt({wrong}, false).err.find("wrong.hlo:18:1: "),
            std::string::npos);
  FmtOptions options = {.files = {file, program_}};
  options.to = "stablehlo";
  const Outcome three = capture([&] { return run_fmt(options); });
  EXPECT_EQ(fmt({make("three.mlir", three.out)}, true).code, kConforms)
      << three.out;
}

// Each element plus the sum of its column.
TEST_F(Commands, InputsSayTheSizesThatAProgramLeavesOpen) {
  const std::string file = make(
      "open.mlir",
      "func.func @main(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {\n"
      "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across "
      "dimensions = [0] : (tensor<?x?xi32>, tensor<i32>) -> tensor<?xi32>\n"
      "  %r = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xi32>) -> "
      "tensor<i32>\n"
      "  %c = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xi32>) -> "
      "tensor<i32>\n"
      "  %n = stablehlo.reshape %r : (tensor<i32>) -> tensor<1xi32>\n"
      "  %m = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>\n"
      "  %nm = stablehlo.concatenate %n, %m, dim = 0 : (tensor<1xi32>, "
      "tensor<1xi32>) -> tensor<2xi32>\n"
      "  %b = stablehlo.dynamic_broadcast_in_dim %s, %nm, dims = [1] : "
      "(tensor<?xi32>, tensor<2xi32>) -> tensor<?x?xi32>\n"
      "  %y = stablehlo.add %x, %b : tensor<?x?xi32>\n"
      "  return %y : tensor<?x?xi32>\n}\n");
  EXPECT_EQ(eval_file(file, {"2x3xs32=1 2 3 4 5 6"}).out,
            "s32[2,3] { { 6, 9, 12 }, { 9, 12, 15 } }\n");
  EXPECT_EQ(eval_file(file, {"s32[1,2] {{1, 2}}"}).out,
            "s32[1,2] { { 2, 4 } }\n");
  const auto error = [&](const char* input) {
    return eval_file(file, {input}).err;
  };
  EXPECT_NE(error("random:1").find("stablehlo.dynamic"), std::string::npos);
  EXPECT_NE(error("3xs32=1").find("stablehlo.dynamic"), std::string::npos);
  EXPECT_NE(error("4294967296x4294967296xs32=1").find("stablehlo.size"),
            std::string::npos);
}

TEST_F(Commands, EvalPrintsALineForEachLeaf) {
  const Outcome outcome = eval({"{1, -0.0}", "s32=7"});
  EXPECT_EQ(outcome.code, kConforms);
  EXPECT_EQ(outcome.out, "f32[2] {1, -0.0}\ns32[] 7\n");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Commands, BoundsPrintsRangesAndJudgesABackend) {
  BoundsOptions options;
  options.file = make("b.hlo",
                      "HloModule b\n\nENTRY main {\n  x = f32[2] parameter(0)\n"
                      "  ROOT r = f32[2] tanh(x)\n}\n");
  options.inputs = {"{0, 7}"};
  options.backend = "cpu:";
  const Outcome outcome = capture([&] { return run_bounds(options); });
  EXPECT_EQ(outcome.code, kConforms);
  EXPECT_NE(outcome.out.find("1 of one value, 1 bounded"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("(bits 3f7fffe1) to"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("cpu: 0 of 2 certified"), std::string::npos)
      << outcome.out;
}

TEST_F(Commands, BoundsRefusesAnUnknownLevel) {
  BoundsOptions options;
  options.file = program_;
  options.profile = "loose";
  EXPECT_EQ(capture([&] { return run_bounds(options); }).code, kUsage);
}

TEST_F(Commands, EvalPrintsNothingOrDigests) {
  EXPECT_EQ(eval({"{1, 2}", "7"}, "none").out, "");
  const std::string digests = eval({"{1, 2}", "7"}, "digest").out;
  EXPECT_EQ(digests.size(), 2 * 64 + 2 * 3 + 6 + 5U);
  EXPECT_EQ(digests, eval({"{1, 2}", "7"}, "digest").out);
  EXPECT_NE(digests, eval({"{1, 3}", "7"}, "digest").out);
}

TEST_F(Commands, EvalWritesAFileForEachLeaf) {
  const std::string folder = (folder_ / "out/deep").string();
  EXPECT_EQ(eval({"{1, nan(0x400001)}", "7"}, folder).code, kConforms);
  const Literal first = read_npy(read_file(folder + "/0.npy"),
                                 Shape::array(ElementType::kF32, {2}));
  EXPECT_EQ(first.at(1).bits[0], 0x7fc00001U);
  const Literal second =
      read_npy(read_file(folder + "/1.npy"), Shape::scalar(ElementType::kS32));
  EXPECT_EQ(second.integer(0), 7);
}

TEST_F(Commands, EvalTakesOneSeedForAll) {
  const Outcome outcome = eval({"random:1"});
  EXPECT_EQ(outcome.code, kConforms);
  EXPECT_EQ(outcome.out, eval({"random:1"}).out);
  EXPECT_NE(outcome.out, eval({"random:2"}).out);
}

constexpr std::string_view kReadsTwice =
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

TEST_F(Commands, EvalReadsTheInfeedInOrder) {
  EvalOptions options;
  options.file = make("i.hlo", kReadsTwice);
  options.infeed = {"{10, 20}", "s32=3"};
  const Outcome outcome = capture([&] { return run_eval(options); });
  EXPECT_EQ(outcome.code, kConforms) << outcome.err;
  EXPECT_EQ(outcome.out,
            "s32[2] {7, 17}\n// outfeed of replica 0, partition 0\n"
            "s32[2] {10, 20}\n// outfeed of replica 0, partition 0\n"
            "s32[] 3\n");
}

TEST_F(Commands, DevicesReadFromOneInfeed) {
  EvalOptions options;
  options.file = make("d.hlo",
                      "HloModule d, replica_count=2\n\nENTRY %main {\n"
                      "  %t = token[] after-all()\n"
                      "  %i = (s32[], token[]) infeed(%t)\n"
                      "  ROOT %a = s32[] get-tuple-element(%i), index=0\n}\n");
  options.infeed = {"5", "6"};
  const Outcome outcome = capture([&] { return run_eval(options); });
  EXPECT_EQ(outcome.out,
            "// replica 0, partition 0\ns32[] 5\n"
            "// replica 1, partition 0\ns32[] 6\n")
      << outcome.err;
}

TEST_F(Commands, EvalTakesOneSeedForTheWholeInfeed) {
  EvalOptions options;
  options.file = make("i.hlo", kReadsTwice);
  options.infeed = {"random:1"};
  const Outcome outcome = capture([&] { return run_eval(options); });
  EXPECT_EQ(outcome.code, kConforms) << outcome.err;
  EXPECT_EQ(outcome.out, capture([&] { return run_eval(options); }).out);
  options.infeed = {"random:2"};
  EXPECT_NE(outcome.out, capture([&] { return run_eval(options); }).out);
}

TEST_F(Commands, EvalRefusesAnInfeedThatDoesNotFit) {
  EvalOptions options;
  options.file = make("i.hlo", kReadsTwice);
  const auto eval_with = [&](const std::vector<std::string>& infeed) {
    options.infeed = infeed;
    return capture([&] { return run_eval(options); });
  };
  const Outcome none = eval_with({});
  EXPECT_EQ(none.code, kDiffers);
  EXPECT_NE(none.err.find("infeed.empty"), std::string::npos) << none.err;
  const Outcome few = eval_with({"{10, 20}"});
  EXPECT_EQ(few.code, kDiffers);
  EXPECT_NE(few.err.find("i.hlo:9:"), std::string::npos) << few.err;
  const Outcome other = eval_with({"{10, 20}", "f32[] 3"});
  EXPECT_EQ(other.code, kUsage);
  EXPECT_NE(other.err.find("infeed value 1, s32[]"), std::string::npos)
      << other.err;
}

constexpr std::string_view kCallsTwice =
    "HloModule t\n\nENTRY %main {\n  %a = f32[] parameter(0)\n"
    "  %b = f32[] custom-call(%a), custom_call_target=\"twice\"\n"
    "  ROOT %c = f32[] negate(%b)\n}\n";

TEST_F(Commands, EvalCallsFunctionsOfALibrary) {
  EvalOptions options;
  options.file = make("c.hlo", kCallsTwice);
  options.inputs = {"f32=21"};
  const Outcome without = capture([&] { return run_eval(options); });
  EXPECT_EQ(without.code, kDiffers);
  EXPECT_NE(without.err.find("c.hlo:5:3: error: custom-call.target"),
            std::string::npos)
      << without.err;
  options.custom_calls = {ASSAY_FOREIGN_LIBRARY};
  EXPECT_EQ(capture([&] { return run_eval(options); }).out, "f32[] -42\n");
  options.custom_calls = {"nowhere.so"};
  const Outcome missing = capture([&] { return run_eval(options); });
  EXPECT_EQ(missing.code, kBroken);
  EXPECT_NE(missing.err.find("file.library"), std::string::npos);
}

TEST_F(Commands, EvalCallsThemFromStableHlo) {
  EvalOptions options;
  options.file = make(
      "c.mlir",
      "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
      "  %b = stablehlo.custom_call @twice(%a) : (tensor<f32>) -> tensor<f32>\n"
      "  return %b : tensor<f32>\n}\n");
  options.inputs = {"f32=21"};
  options.custom_calls = {ASSAY_FOREIGN_LIBRARY};
  const Outcome outcome = capture([&] { return run_eval(options); });
  EXPECT_EQ(outcome.out, "f32[] 42\n") << outcome.err;
}

TEST_F(Commands, CompareJudgesWhatIsBehindAForeignFunctionAndNotItself) {
  CompareOptions options;
  options.file = make("c.hlo", kCallsTwice);
  options.inputs = {"f32=21"};
  options.custom_calls = {ASSAY_FOREIGN_LIBRARY};
  const Outcome outcome = capture([&] { return run_compare(options); });
  EXPECT_EQ(outcome.code, kConforms) << outcome.err;
  EXPECT_EQ(outcome.out.find("custom-call"), std::string::npos);
  EXPECT_NE(outcome.out.find("cpu: 1 of 1 case conforms"), std::string::npos)
      << outcome.out;
}

TEST_F(Commands, EvalRefusesInputsThatDoNotFit) {
  EXPECT_EQ(eval({}).code, kUsage);
  EXPECT_EQ(eval({"{1, 2}"}).code, kUsage);
  EXPECT_EQ(eval({"{1, 2, 3}", "7"}).code, kUsage);
  EXPECT_EQ(eval({"{1, 2", "7"}).code, kUsage);
  EXPECT_EQ(eval({"3xf32=0", "7"}).code, kUsage);
  EXPECT_EQ(eval({"@" + program_, "7"}).code, kUsage);
  EXPECT_NE(eval({"{1, 2}"}).err.find("input.count"), std::string::npos);
}

TEST_F(Commands, EvalRefusesFilesThatCannotBeReadOrWritten) {
  EXPECT_EQ(eval_file((folder_ / "none.hlo").string(), {}).code, kBroken);
  EXPECT_EQ(eval_file(folder_.string(), {}).code, kBroken);
  EXPECT_EQ(eval({"@nowhere.npy", "7"}).code, kBroken);
  EXPECT_EQ(eval({"{1, 2}", "7"}, program_ + "/out").code, kBroken);
}

TEST_F(Commands, ErrorsHaveAPlaceAndACaret) {
  const std::string file =
      make("bad.hlo", "HloModule m\n\nENTRY e {\n  ROOT a = f32[2] foo()\n}\n");
  const Outcome outcome = eval_file(file, {});
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_EQ(outcome.err.find(file + ":4:19: error: text."), 0U) << outcome.err;
  EXPECT_NE(outcome.err.find("\n    ROOT a = f32[2] foo()\n"),
            std::string::npos);
  EXPECT_NE(outcome.err.find("                    ^\n"), std::string::npos);
}

TEST_F(Commands, TruncatedAndBinaryFilesAreRefused) {
  for (size_t size = 0; size + 3 < kProgram.size(); size += 7) {
    const std::string file = make("cut.hlo", kProgram.substr(0, size));
    EXPECT_EQ(eval_file(file, {"random:0"}).code, kDiffers) << size;
  }
  std::string garbage(1000, '\0');
  for (size_t i = 0; i < garbage.size(); ++i) {
    garbage[i] = static_cast<char>(i * 37 % 256);
  }
  const Outcome outcome = eval_file(make("garbage.hlo", garbage), {});
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
}

TEST(Printable, KeepsTextAndReplacesTheRest) {
  EXPECT_EQ(printable("a\n\xc3\xa4\xe2\x82\xac"), "a\n\xc3\xa4\xe2\x82\xac");
  EXPECT_EQ(printable("\x1b[1m\t\x7f"), "?[1m??");
  EXPECT_EQ(printable("\x93N\xc3"), "?N?");
  EXPECT_EQ(printable("\xe2\x82"), "??");
}

TEST_F(Commands, FmtPrintsTheCanonicalForm) {
  EXPECT_EQ(fmt({program_}, false).out, kProgram);
}

TEST_F(Commands, FmtChecksWithoutPrinting) {
  const std::string other =
      make("other.hlo", "HloModule m\nENTRY e { ROOT a = f32[] constant(1) }");
  EXPECT_EQ(fmt({program_}, true).code, kConforms);
  const Outcome outcome = fmt({program_, other}, true);
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, other + ": not in canonical form\n");
}

TEST_F(Commands, FmtPrintsOneLineForEachError) {
  const std::string bad = make("bad.hlo", "HloModule m\n\nENTRY e {");
  const Outcome outcome = fmt({bad, program_, bad}, false);
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_EQ(outcome.out, kProgram);
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 2);
}

TEST_F(Commands, ListNamesOperationsAndTypes) {
  const auto list = [](const ListOptions& options) {
    return capture([&] { return run_list(options); }).out;
  };
  ListOptions types;
  types.types = true;
  types.filter = "f8e4m3*:-*fnuz";
  const std::string found = list(types);
  EXPECT_EQ(std::ranges::count(found, '\n'), 2);
  ListOptions operations;
  operations.filter = "reshape";
  EXPECT_EQ(list(operations).substr(0, 8), "reshape ");
  ListOptions backends;
  backends.backends = true;
  EXPECT_NE(list(backends).find("cpu:"), std::string::npos);
}

TEST_F(Commands, SpecPrintsPages) {
  const auto spec = [](const std::string& name) {
    return capture([&] { return run_spec({name}); });
  };
  EXPECT_EQ(spec("pad").out.substr(0, 6), "# pad\n");
  EXPECT_EQ(spec("dynamic-slice").code, kConforms);
  EXPECT_EQ(spec("layout").out.substr(0, 9), "# Layouts");
  EXPECT_EQ(spec("paf").code, kUsage);
  EXPECT_NE(spec("paf").err.find("paf"), std::string::npos);
}

TEST_F(Commands, ExplainTellsOfStableHlo) {
  ExplainOptions options;
  options.file = make("t.mlir",
                      "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                      "  %y = stablehlo.negate %x : tensor<2xf32>\n"
                      "  return %y : tensor<2xf32>\n}\n");
  options.inputs = {"f32[2] {1, 2}"};
  options.element = "[1]";
  const Outcome outcome = capture([&] { return run_explain(options); });
  EXPECT_EQ(outcome.code, kConforms) << outcome.err;
  EXPECT_NE(outcome.out.find("%x[1] = 2 (40000000)"), std::string::npos)
      << outcome.out;
}

TEST_F(Commands, ExplainRunsWithAnInfeedAndFunctions) {
  ExplainOptions options;
  options.file = make("i.hlo", kReadsTwice);
  EXPECT_NE(
      capture([&] { return run_explain(options); }).err.find("infeed.empty"),
      std::string::npos);
  options.infeed = {"random:1"};
  EXPECT_EQ(capture([&] { return run_explain(options); }).code, kConforms);
  options.file = make("c.hlo", kCallsTwice);
  options.infeed = {};
  options.inputs = {"f32=21"};
  options.custom_calls = {ASSAY_FOREIGN_LIBRARY};
  const Outcome outcome = capture([&] { return run_explain(options); });
  EXPECT_NE(outcome.out.find("%b[] = 42 (42280000)"), std::string::npos)
      << outcome.out << outcome.err;
}

TEST_F(Commands, ExplainSaysWhatIsWrongWithAnElement) {
  ExplainOptions options;
  options.file = program_;
  options.inputs = {"f32[2] {1, 2}", "s32[] 3"};
  options.element = "%c[2]";
  const Outcome outcome = capture([&] { return run_explain(options); });
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_NE(outcome.err.find("explain.index: [2] is no index of f32[2]"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace hlo::conformance
