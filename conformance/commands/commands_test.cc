#include "conformance/commands/testing/commands.h"

#include <algorithm>

#include "conformance/commands/results/run_bounds.h"
#include "conformance/commands/run_compare.h"
#include "conformance/commands/run_explain.h"
#include "conformance/commands/run_list.h"
#include "conformance/commands/run_spec.h"
#include "conformance/commands/verified_program.h"
#include "conformance/files/read_file.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

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

TEST_F(Commands, BoundsTellsABackendThatBrokeFromOneThatDiffers) {
  BoundsOptions options;
  options.file = make("b.hlo",
                      "HloModule b\n\nENTRY main {\n"
                      "  ROOT x = f32[2] parameter(0)\n}\n");
  options.inputs = {"{0, 7}"};
  options.backend = "process:false";
  EXPECT_EQ(capture([&] { return run_bounds(options); }).code, kBroken);
  options.backend = "process:sleep 1000";
  options.timeout = 0.1;
  EXPECT_EQ(capture([&] { return run_bounds(options); }).code, kBroken);
}

TEST_F(Commands, BoundsTellsTheRangesOfComplexParts) {
  BoundsOptions options;
  options.file = make("c.hlo",
                      "HloModule c\n\nENTRY main {\n  x = c64[1] parameter(0)\n"
                      "  y = c64[1] multiply(x, x)\n"
                      "  ROOT r = (c64[1], c64[1]) tuple(y, x)\n}\n");
  options.inputs = {"{(1, 2)}"};
  options.backend = "cpu:";
  const Outcome outcome = capture([&] { return run_bounds(options); });
  EXPECT_EQ(outcome.code, kConforms);
  for (const char* const line :
       {"1 element: 0 of one value, 1 bounded", "{0} real part from -3.00000",
        ", imaginary part from 3.99999", "1 element: 1 of one value",
        "cpu: 0 of 2 certified"}) {
    EXPECT_NE(outcome.out.find(line), std::string::npos) << outcome.out;
  }
}

TEST_F(Commands, BoundsJudgesNobodyWhereNothingIsCertified) {
  BoundsOptions options;
  options.file = make("c.hlo",
                      "HloModule c\n\nENTRY main {\n  x = c64[1] parameter(0)\n"
                      "  y = c64[1] multiply(x, x)\n"
                      "  ROOT r = c64[1] multiply(y, y)\n}\n");
  options.inputs = {"{(1, 2)}"};
  EXPECT_EQ(capture([&] { return run_bounds(options); }).code, kConforms);
  options.backend = "cpu:";
  const Outcome outcome = capture([&] { return run_bounds(options); });
  EXPECT_EQ(outcome.code, kNothing) << outcome.out;
  EXPECT_NE(outcome.out.find("nothing is certified"), std::string::npos);
}

TEST_F(Commands, BoundsRefusesAnUnknownLevel) {
  BoundsOptions options;
  options.file = program_;
  options.profile = "loose";
  EXPECT_EQ(capture([&] { return run_bounds(options); }).code, kUsage);
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

TEST_F(Commands, CompareTellsWhatItComparedWhereTheWorkIsTooMuch) {
  CompareOptions options;
  options.file = make("loop.hlo", R"(HloModule m
same { s = f32[] parameter(0)
  ROOT r = f32[] negate(s) }
always { s = f32[] parameter(0)
  ROOT r = pred[] constant(true) }
ENTRY e { x = f32[] constant(1)
  ROOT r = f32[] while(x), condition=always, body=same }
)");
  options.max_work = 1'000'000;
  const Outcome outcome = capture([&] { return run_compare(options); });
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_NE(outcome.err.find("evaluate.work"), std::string::npos);
  EXPECT_NE(outcome.out.find("cases conform; stopped before the program ended"),
            std::string::npos)
      << outcome.out;
}

TEST_F(Commands, CompareHandsOverSizesThatShapesDoNotMark) {
  CompareOptions options;
  options.file = make("sizes.hlo", R"(ENTRY e {
  x = f32[2,3] constant({{1, 2, 3}, {4, 5, 6}})
  n = s32[] constant(2)
  d = f32[2,<=3] set-dimension-size(x, n), dimensions={1}
  s = f32[2,3] multiply(d, d)
  ROOT r = s32[] get-dimension-size(s), dimensions={1} }
)");
  for (const char* const backend : {"interpreter:", "cpu:"}) {
    options.backend = backend;
    const Outcome outcome = capture([&] { return run_compare(options); });
    EXPECT_EQ(outcome.code, kConforms) << outcome.out;
    EXPECT_NE(outcome.out.find("5 of 5 cases conform"), std::string::npos)
        << outcome.out;
  }
}

// Several programs are told as much as one.
TEST_F(Commands, SayOnceWhichDeviceTheyHaveFound) {
  CompareOptions options;
  options.files = {make("a.hlo", "ENTRY e { ROOT c = s32[] constant(1) }"),
                   make("b.hlo", "ENTRY e { ROOT c = s32[] constant(2) }")};
  options.backend = "gpu:";
  const Outcome found = capture([&] { return run_compare(options); });
  EXPECT_EQ(found.code, kConforms) << found.out;
  EXPECT_TRUE(found.err.starts_with("note: gpu: is ")) << found.err;
  EXPECT_EQ(found.err.find('\n') + 1, found.err.size()) << found.err;
  options.backend = "gpu:?device=fibers";
  EXPECT_EQ(capture([&] { return run_compare(options); }).err, "");
}

TEST_F(Commands, CompareJudgesWhatSeveralDevicesDo) {
  CompareOptions options;
  options.file = make("devices.hlo", R"(HloModule m, replica_count=2
ENTRY e { x = f32[2] parameter(0)
  i = u32[] replica-id()
  y = f32[2] negate(x)
  ROOT r = f32[4] all-gather(y), replica_groups={{0,1}}, dimensions={0} }
)");
  options.inputs = {"{1, 2}", "{3, 4}"};
  options.backend = "interpreter:";
  const Outcome all = capture([&] { return run_compare(options); });
  EXPECT_EQ(all.code, kConforms) << all.err;
  EXPECT_NE(all.out.find("4 of 4 cases conform"), std::string::npos) << all.out;
  options.file = make("wrong.hlo", R"(HloModule m, replica_count=2
ENTRY e { i = s32[2] iota(), iota_dimension=0
  ROOT r = s32[4] all-gather(i), replica_groups={{0,1}}, dimensions={0} }
)");
  options.inputs = {};
  options.backend = "mutant:count-from-one";
  options.failures = 3;
  const Outcome mutant = capture([&] { return run_compare(options); });
  EXPECT_EQ(mutant.code, kDiffers);
  EXPECT_NE(mutant.out.find("on replica 1, partition 0"), std::string::npos)
      << mutant.out;
  EXPECT_NE(mutant.out.find("1 of 3 cases conform"), std::string::npos)
      << mutant.out;
}

TEST_F(Commands, CompareStopsAfterAsManyFailuresAsItIsAsked) {
  CompareOptions options;
  options.file = make("iotas.hlo", R"(HloModule m
ENTRY e { a = s32[2] iota(), iota_dimension=0
  b = s32[3] iota(), iota_dimension=0
  c = s32[4] iota(), iota_dimension=0
  ROOT r = (s32[2], s32[3], s32[4]) tuple(a, b, c) }
)");
  options.backend = "mutant:count-from-one";
  const Outcome one = capture([&] { return run_compare(options); });
  EXPECT_EQ(one.code, kDiffers);
  EXPECT_EQ(one.err, "");
  EXPECT_NE(one.out.find("0 of 1 case conforms, 1 differs; stopped where 1 "
                         "instruction had failed"),
            std::string::npos)
      << one.out;
  options.failures = 4;
  const Outcome all = capture([&] { return run_compare(options); });
  EXPECT_NE(all.out.find("0 of 3 cases conform, 3 differs"), std::string::npos)
      << all.out;
}

TEST_F(Commands, CompareShrinksTheInstructionsThatFailFirst) {
  CompareOptions options;
  options.file = make("iotas.hlo", R"(HloModule m
ENTRY e { a = s32[2] iota(), iota_dimension=0
  b = s32[3] iota(), iota_dimension=0
  c = s32[4] iota(), iota_dimension=0
  ROOT r = (s32[2], s32[3], s32[4]) tuple(a, b, c) }
)");
  options.backend = "mutant:count-from-one";
  options.shrink = {
      .count = 2, .folder = (folder_ / "shrunk").string(), .limits = {}};
  const Outcome two = capture([&] { return run_compare(options); });
  EXPECT_EQ(two.code, kDiffers);
  EXPECT_NE(two.out.find("stopped where 2 instructions had failed"),
            std::string::npos)
      << two.out;
  for (const char* const name :
       {"shrunk/1/module.hlo", "shrunk/2/module.hlo"}) {
    EXPECT_NE(read_file((folder_ / name).string()).find("s32[1] iota()"),
              std::string::npos)
        << two.out;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "shrunk/3"));
}

TEST_F(Commands, CompareBlamesNoBackendForABufferBeyondAllMemory) {
  CompareOptions options;
  options.file = make("tile.hlo", R"(HloModule m
ENTRY e { ROOT r = f32[2]{0:T(1099511627776)} iota(), iota_dimension=0 }
)");
  options.backend = "interpreter:";
  const Outcome outcome = capture([&] { return run_compare(options); });
  EXPECT_EQ(outcome.code, kBroken);
  EXPECT_NE(outcome.out.find("interpreter: 0 of 1 case conforms, 1 error"),
            std::string::npos)
      << outcome.out;
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

TEST_F(Commands, FmtShowsThePlaceOfEachError) {
  const std::string bad = make("bad.hlo", "HloModule m\n\nENTRY e {");
  const Outcome outcome = fmt({bad, program_, bad}, false);
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_EQ(outcome.out, kProgram);
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 6);
  EXPECT_EQ(std::ranges::count(outcome.err, '^'), 2);
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

TEST_F(Commands, ListSaysWhoDoesNotStartToTellItsTags) {
  const auto tags_of = [](const std::string& backend) {
    ListOptions options;
    options.tags = backend;
    return capture([&] { return run_list(options); });
  };
  EXPECT_EQ(tags_of("interpreter:").code, 0);
  EXPECT_EQ(tags_of("process:/bin/false").code, kUsage);
  EXPECT_NE(tags_of("process:/bin/false").err.find("usage.backend"),
            std::string::npos);
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
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_NE(outcome.err.find("explain.index: [2] is no index of f32[2]"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace hlo::conformance
