#include "conformance/commands/before_after/run_translation.h"

#include "conformance/commands/run_compare.h"
#include "conformance/commands/testing/commands.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kSub =
    "HloModule m\nENTRY e { x = f32[4] parameter(0)\n"
    "  y = f32[4] parameter(1)\n  ROOT r = f32[4] subtract(x, y) }\n";
constexpr std::string_view kSame =
    "HloModule m\nENTRY e { x = f32[4] parameter(0)\n"
    "  y = f32[4] parameter(1)\n  z = f32[4] negate(y)\n"
    "  ROOT r = f32[4] add(x, z) }\n";
constexpr std::string_view kWrong =
    "HloModule m\nENTRY e { x = f32[4] parameter(0)\n"
    "  y = f32[4] parameter(1)\n  ROOT r = f32[4] subtract(y, x) }\n";
constexpr std::string_view kStable =
    "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %r = stablehlo.subtract %x, %y : tensor<4xf32>\n"
    "  return %r : tensor<4xf32>\n}\n";
constexpr std::string_view kHeld =
    "HloModule m\nENTRY e { x = f32[2] parameter(0)\n"
    "  c = f32[2] constant({...})\n  ROOT r = f32[2] add(x, c) }\n";

class RunTranslation : public Commands {
 protected:
  static Outcome compare(CompareOptions options) {
    return capture([&] { return run_compare(options); });
  }

  Outcome compare_pair(std::string_view before, std::string_view after,
                       const std::string& elided = {}) const {
    CompareOptions options;
    options.before = make("before.txt", before);
    options.after = make("after.txt", after);
    options.elided = elided;
    return compare(options);
  }
};

TEST_F(RunTranslation, ReadsBothLanguages) {
  const Outcome outcome = compare_pair(kStable, kSame);
  EXPECT_EQ(outcome.code, kConforms) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("agrees: 4 elements"), std::string::npos);
}

TEST_F(RunTranslation, NamesTheInstructionWithItsLine) {
  const Outcome outcome = compare_pair(kSub, kWrong);
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_NE(outcome.out.find("after.txt:4: ROOT %r = f32[4] subtract(%y, %x)"),
            std::string::npos)
      << outcome.out;
}

TEST_F(RunTranslation, DrawsWhatTextsLeaveOutAndSaysSo) {
  const Outcome without = compare_pair(kHeld, kHeld);
  EXPECT_EQ(without.code, kNothing);
  EXPECT_NE(without.out.find("constant.elided"), std::string::npos);
  const Outcome with = compare_pair(kHeld, kHeld, "random:3");
  EXPECT_EQ(with.code, kConforms);
  EXPECT_NE(with.out.find("%c = f32[2] is drawn from random:3"),
            std::string::npos)
      << with.out;
  EXPECT_EQ(compare_pair(kHeld, kHeld, "3").code, kUsage);
}

TEST_F(RunTranslation, TakesAFolderOfDumpsAndNamesThePass) {
  const auto dump = folder_ / "dump";
  std::filesystem::create_directories(dump);
  const std::string module = "dump/module_0001.jit_f.";
  make(module + "before_optimizations.txt", kSub);
  make(module + "0001.one.after_x.before_y.txt", kSame);
  make(module + "0002.two.after_y.before_z.txt", kWrong);
  make(module + "cpu_after_optimizations.txt", kWrong);
  make("dump/module_0002.jit_g.before_optimizations.txt", kSub);
  make("dump/module_0002.jit_g.cpu_after_optimizations.txt", kSame);
  make("dump/module_0003.jit_h.before_optimizations.txt", kSub);
  make("dump/module_0003.jit_h.cpu_after_optimizations.txt", "HloModule");
  CompareOptions options;
  options.dump = dump.string();
  const Outcome outcome = compare(options);
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_NE(outcome.out.find("0002.two.after_y.before_z.txt:4: ROOT %r"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("1 of 3 modules agree, 1 differs, 1 not judged"),
            std::string::npos)
      << outcome.out;
}

TEST_F(RunTranslation, WaivesWhatIsKnownToDiffer) {
  std::filesystem::create_directories(folder_ / "dump");
  for (const char* const name : {"module_0001.jit_f.", "module_0002.jit_g."}) {
    const std::string path = std::string("dump/") + name;
    make(path + "before_optimizations.txt", kSub);
    make(path + "cpu_after_optimizations.txt",
         path.ends_with("f.") ? kWrong : kSame);
  }
  CompareOptions options;
  options.dump = (folder_ / "dump").string();
  options.waiving.today = "2027-01-31";
  const auto waive = [&](const std::string& cases) {
    options.waiving.files = {
        make("w.json", R"({"waivers": [{"engine": "compiler", "cases": ")" +
                           cases + R"(", "reason": "r", "owner": "o", )" +
                           R"("expires": "2027-02-01"}]})")};
  };
  waive("module_0001.*");
  const Outcome waived = compare(options);
  EXPECT_EQ(waived.code, kConforms) << waived.err;
  EXPECT_NE(waived.out.find("1 of 2 modules agree, 0 differ, 0 not judged, "
                            "1 waived"),
            std::string::npos)
      << waived.out;
  EXPECT_NE(waived.out.find(": 1 program differs\n"), std::string::npos);
  waive("module_0002.*");
  const Outcome other = compare(options);
  EXPECT_EQ(other.code, kDiffers);
  EXPECT_NE(other.out.find("contradicted "), std::string::npos) << other.out;
  waive("module_*");
  options.waiving.strict = true;
  EXPECT_EQ(compare(options).code, kDiffers) << "one agrees although waived";
}

TEST_F(RunTranslation, WaivesAPairByTheNameOfTheProgramAfter) {
  CompareOptions options;
  options.before = make("before.txt", kSub);
  options.after = make("after.txt", kWrong);
  options.waiving.today = "2027-01-31";
  options.waiving.files = {
      make("w.json", R"({"waivers": [{"cases": "*after.txt", "reason": "r",)"
                     R"( "owner": "o", "expires": "2027-02-01"}]})")};
  const Outcome outcome = compare(options);
  EXPECT_EQ(outcome.code, kNothing) << outcome.err;
  EXPECT_NE(outcome.out.find("waived  "), std::string::npos) << outcome.out;
}

TEST_F(RunTranslation, AFileThatIsNoProgramIsToldWithItsPlace) {
  const Outcome outcome = compare_pair(kSub, "HloModule m\nENTRY e { x = ");
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_NE(outcome.err.find("after.txt:2:"), std::string::npos) << outcome.err;
}

TEST_F(RunTranslation, WantsOneKindOfComparison) {
  CompareOptions options;
  EXPECT_EQ(compare(options).code, kUsage);
  options.before = program_;
  EXPECT_EQ(compare(options).code, kUsage);
  options.after = program_;
  options.file = program_;
  EXPECT_EQ(compare(options).code, kUsage);
}

TEST_F(RunTranslation, JudgesABackendByFoldersOfProgramsAndGoesOn) {
  std::filesystem::create_directories(folder_ / "ops");
  make("ops/a.mlir", kStable);
  make("ops/b.mlir", "func.func @main(");
  make("ops/c.hlo", kSub);
  make("ops/readme.md", "no program");
  CompareOptions options;
  options.files = {(folder_ / "ops").string()};
  options.backend = "interpreter:";
  const Outcome outcome = compare(options);
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_NE(outcome.out.find("2 of 2 cases conform"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("3 programs, 1 not run to the end"),
            std::string::npos)
      << outcome.out;
}

}  // namespace
}  // namespace hlo::conformance
