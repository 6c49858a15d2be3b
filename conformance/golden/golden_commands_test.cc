#include <algorithm>

#include "conformance/commands/run_golden.h"
#include "conformance/commands/testing/commands.h"
#include "conformance/files/read_file.h"
#include "conformance/golden/golden_case.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kTanh =
    "ENTRY e { a = f32[4] parameter(0)\n t = f32[4] tanh(a)\n"
    " ROOT r = f32[4] maximum(t, a) }\n";
constexpr std::string_view kCount =
    "ENTRY e { ROOT r = s32[3] iota(), iota_dimension=0 }\n";

class GoldenCommands : public Commands {
 protected:
  static Outcome run(const GoldenOptions& options) {
    return capture([&] { return run_golden(options); });
  }

  /// The file of two programs.
  std::string golden() const {
    GoldenOptions o;
    o.action = "make";
    o.files = {make("Tanh Step.hlo", kTanh), make("count.hlo", kCount)};
    o.inputs = {"random:1", "random:2"};
    o.output = (folder_ / "g.jsonl").string();
    EXPECT_EQ(run(o).code, kConforms);
    return o.output;
  }

  static GoldenOptions on(const std::string& action,
                          const std::vector<std::string>& files) {
    GoldenOptions o;
    o.action = action;
    o.files = files;
    o.check.failures = 0;
    return o;
  }

  static Outcome check(const std::string& file, const std::string& backend,
                       bool exact = false) {
    GoldenOptions o = on("check", {file});
    o.check.backend = backend;
    o.check.exact = exact;
    return run(o);
  }

  /// The file with another result of the first case with that text in it.
  std::string changed(const std::string& from, const std::string& to) const {
    std::string text = read_file(golden());
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << text;
    text.replace(at, from.size(), to);
    return make("changed.jsonl", text);
  }
};

TEST_F(GoldenCommands, MakesNothingThatTakesMoreThanItsWork) {
  GoldenOptions o;
  o.action = "make";
  o.files = {make("sum.hlo",
                  "ENTRY e { a = f32[64,64] parameter(0)\n"
                  " ROOT r = f32[64,64] dot(a, a), lhs_contracting_dims={1}, "
                  "rhs_contracting_dims={0} }\n")};
  o.max_work = 1000;
  const Outcome stopped = run(o);
  EXPECT_EQ(stopped.code, kDiffers);
  EXPECT_NE(stopped.err.find("evaluate.work"), std::string::npos)
      << stopped.err;
  o.max_work = 100'000'000'000;
  const Outcome whole = run(o);
  EXPECT_EQ(whole.code, kConforms);
  EXPECT_NE(whole.out.find("--max-work 100000000000"), std::string::npos);
}

TEST_F(GoldenCommands, MakeACaseForEachSeed) {
  const std::string text = read_file(golden());
  for (const char* const id :
       {R"("id":"golden/tanh_step/random_1")",
        R"("id":"golden/tanh_step/random_2")", R"("id":"golden/count/none")"}) {
    EXPECT_NE(text.find(id), std::string::npos) << text;
  }
  EXPECT_EQ(std::ranges::count(text, '\n'), 4);
  EXPECT_EQ(read_file(golden()), text) << "another run, other bytes";
  EXPECT_EQ(run(on("verify", {golden()})).code, kConforms);
}

TEST_F(GoldenCommands, JudgeByWhatIsCertified) {
  const std::string file = golden();
  const Outcome good = check(file, "cpu:");
  EXPECT_EQ(good.code, kConforms) << good.out;
  EXPECT_NE(good.out.find("cpu: 3 of 3 cases conform"), std::string::npos);
  const Outcome bad = check(file, "mutant:count-from-one");
  EXPECT_EQ(bad.code, kDiffers);
  EXPECT_NE(bad.out.find("2 of 3 cases conform, 1 differs"), std::string::npos)
      << bad.out;
}

TEST_F(GoldenCommands, JudgeBitForBitWhereThatIsAsked) {
  // One code above the reference's lies in the set, and is not its bits.
  const std::string file = golden();
  EXPECT_EQ(check(file, "interpreter:", /*exact=*/true).code, kConforms);
  std::string text = read_file(file);
  const std::string value = R"({"bits":"s32[3] 00000000 00000001 00000002")";
  const size_t at = text.find(value);
  ASSERT_NE(at, std::string::npos) << text;
  text.replace(at, value.size(),
               R"({"interval":"s32[3] 00000000 00000001 00000003",)"
               R"("low":"s32[3] 00000000 00000001 00000000",)"
               R"("high":"s32[3] 00000000 00000001 00000003")");
  const size_t nan = text.find(R"(,"nan":)", at);
  text.erase(nan, text.find('}', nan) - nan);
  const std::string wide = make("wide.jsonl", text);
  EXPECT_EQ(check(wide, "interpreter:").code, kConforms);
  const Outcome exact = check(wide, "interpreter:", /*exact=*/true);
  EXPECT_EQ(exact.code, kDiffers);
  EXPECT_NE(exact.out.find("2 of 3 cases conform, 1 differs"),
            std::string::npos)
      << exact.out << exact.err;
  GoldenOptions profile = on("check", {wide});
  profile.check.exact = true;
  profile.check.profile = "opencl-full";
  EXPECT_EQ(run(profile).code, kUsage);
}

TEST_F(GoldenCommands, JudgeByAnotherProfile) {
  GoldenOptions o = on("check", {golden()});
  o.check.profile = "opencl-full";
  const Outcome outcome = run(o);
  EXPECT_EQ(outcome.code, kConforms) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("3 of 3 cases conform"), std::string::npos)
      << outcome.out;
}

TEST_F(GoldenCommands, DiffTellsWhatDiffers) {
  const std::string file = golden();
  EXPECT_EQ(run(on("diff", {file, file})).code, kConforms);
  const std::string other =
      changed("00000000 00000001 00000002", "00000000 00000001 00000003");
  const Outcome outcome = run(on("diff", {file, other}));
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_EQ(outcome.out,
            "golden/count/none: leaf 0: 1 of 3 elements has other bits, first "
            "{2}: 2 (bits 00000002), now 3 (bits 00000003)\n1 difference\n");
  EXPECT_EQ(run(on("diff", {file})).code, kUsage);
  EXPECT_EQ(run(on("diff", {file, (folder_ / "none.jsonl").string()})).code,
            kBroken);
}

TEST_F(GoldenCommands, BlessKeepsWhoWhenAndWhy) {
  const std::string before = read_file(golden());
  const std::string file =
      changed("00000000 00000001 00000002", "00000000 00000001 00000003");
  EXPECT_EQ(run(on("verify", {file})).code, kDiffers);
  GoldenOptions o = on("bless", {file});
  const std::string wrong = read_file(file);
  EXPECT_EQ(run(o).code, kUsage);
  o.by = {.who = "me", .when = "2027-01-31", .why = {}, .cases = {}};
  const Outcome untold = run(o);
  EXPECT_EQ(untold.code, kUsage);
  EXPECT_NE(untold.err.find("usage.bless: "), std::string::npos) << untold.err;
  EXPECT_EQ(read_file(file), wrong);
  o.by.why = "iota was wrong";
  EXPECT_EQ(run(o).code, kConforms);
  const std::string after = read_file(file);
  EXPECT_NE(after.find(R"("blessed":[{"who":"me","when":"2027-01-31",)"
                       R"("why":"iota was wrong",)"
                       R"("cases":["golden/count/none"]}]})"),
            std::string::npos)
      << after;
  EXPECT_EQ(after.substr(after.find('\n')), before.substr(before.find('\n')));
  EXPECT_EQ(run(on("verify", {file})).code, kConforms);
  EXPECT_EQ(run(o).code, kConforms);
  EXPECT_EQ(read_file(file), after) << "blessed for nothing";
}

TEST_F(GoldenCommands, RefuseTwoProgramsOfOneName) {
  std::filesystem::create_directories(folder_ / "other");
  GoldenOptions o =
      on("make", {make("p.hlo", kCount), make("other/p.mlir", kCount)});
  const Outcome outcome = run(o);
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_NE(outcome.err.find("usage.golden: two cases have the id"),
            std::string::npos)
      << outcome.err;
  o.files.clear();
  EXPECT_EQ(run(o).code, kUsage);
  o.files = {make("broken.hlo", "ENTRY e { ROOT r = s32[3] foo() }\n")};
  EXPECT_NE(run(o).err.find("broken.hlo:1:"), std::string::npos);
  o.files = {make("reads.hlo", kReadsTwice)};
  const Outcome reads = run(o);
  EXPECT_EQ(reads.code, kDiffers);
  EXPECT_NE(reads.err.find("reads.hlo:5:"), std::string::npos) << reads.err;
}

TEST_F(GoldenCommands, TakeProgramsOfStableHlo) {
  GoldenOptions o = on("make", {make("two.mlir",
                                     "func.func @main(%x: tensor<?xf32>) -> "
                                     "tensor<?xf32> {\n  return %x : "
                                     "tensor<?xf32>\n}\n")});
  o.inputs = {"2xf32=1 2"};
  o.output = (folder_ / "s.jsonl").string();
  const Outcome outcome = run(o);
  EXPECT_EQ(outcome.code, kConforms) << outcome.err;
  EXPECT_NE(read_file(o.output).find(R"("id":"golden/two/given")"),
            std::string::npos);
  EXPECT_EQ(check(o.output, "cpu:").code, kConforms);
}

TEST(GoldenName, IsAPartOfAnId) {
  EXPECT_EQ(golden_name("a/B c.hlo"), "b_c");
  EXPECT_EQ(golden_name("x.y.mlir"), "x.y");
  EXPECT_EQ(golden_name(".hlo"), ".hlo");
  EXPECT_EQ(golden_name("-"), "-");
  EXPECT_EQ(golden_name(""), "_");
  EXPECT_EQ(golden_name("dir/"), "_");
  EXPECT_EQ(golden_name("\xc3\xbc.hlo"), "__");
}

}  // namespace
}  // namespace hlo::conformance
