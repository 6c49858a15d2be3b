#include "conformance/commands/results/run_eval.h"

#include "conformance/commands/testing/commands.h"
#include "conformance/files/read_file.h"
#include "conformance/literals/npy.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

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

// sort hands on the array that it is given, with its layout.
TEST_F(Commands, EvalPrintsTheLayoutThatTheProgramStates) {
  const std::string file =
      make("so.hlo",
           "HloModule so\n\nless {\n  a = s32[] parameter(0)\n"
           "  b = s32[] parameter(1)\n"
           "  ROOT c = pred[] compare(a, b), direction=LT\n}\n\n"
           "ENTRY main {\n  x = s32[2,2]{0,1:T(2,4)} parameter(0)\n"
           "  ROOT r = s32[2,2]{1,0} sort(x), dimensions={1}, to_apply=less\n"
           "}\n");
  EXPECT_EQ(eval_file(file, {"{{2, 1}, {3, 4}}"}, "print").out,
            "s32[2,2]{1,0} { { 1, 2 }, { 3, 4 } }\n");
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

}  // namespace
}  // namespace hlo::conformance
