#include <string>

#include "conformance/commands/run_check.h"
#include "conformance/commands/run_compare.h"
#include "conformance/commands/testing/commands.h"
#include "conformance/files/read_file.h"
#include "conformance/merge/run_merge.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

class CheckWaivers : public Commands {
 protected:
  /// Two cases of maximum/f32, of which a mutant fails one and passes the
  /// other.
  CheckOptions options(const std::string& cases) const {
    CheckOptions options;
    options.backend = "mutant:drop-nan";
    options.cases = {ASSAY_SOURCE_DIR "/conformance/vectors/maximum.jsonl"};
    options.filter = "maximum/f32/values:maximum/f32/drawn";
    options.failures = 0;
    options.waiving.files = {waivers(cases, "2027-01-31")};
    options.waiving.today = "2027-01-31";
    return options;
  }

  std::string waivers(const std::string& cases,
                      const std::string& expires) const {
    return make("w.json", R"({"waivers": [{"cases": ")" + cases +
                              R"(", "reason": "NaN is lost", "owner": "me", )" +
                              R"("expires": ")" + expires + R"("}]})");
  }

  static Outcome check(const CheckOptions& options) {
    return capture([&] { return run_check(options); });
  }
};

TEST_F(CheckWaivers, CountFailuresApart) {
  const Outcome outcome = check(options("maximum/f32/values"));
  EXPECT_EQ(outcome.code, kConforms);
  EXPECT_NE(outcome.out.find("mutant:drop-nan: 1 of 2 cases conform, 1 waived"),
            std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("waived       "), std::string::npos);
  EXPECT_NE(
      outcome.out.find("NaN is lost (me, until 2027-01-31): 1 case fails"),
      std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.out.find("contradicted"), std::string::npos);
  CheckOptions only = options("maximum/f32/values");
  only.filter = "maximum/f32/values";
  EXPECT_EQ(check(only).code, kNothing) << "a waived case conforms";
}

TEST_F(CheckWaivers, ReportPassesAndFailOnThemWhereStrict) {
  CheckOptions o = options("maximum/f32/*");
  const Outcome lax = check(o);
  EXPECT_EQ(lax.code, kConforms);
  EXPECT_NE(lax.out.find("1 of 2 conform, first maximum/f32/drawn"),
            std::string::npos)
      << lax.out;
  o.waiving.strict = true;
  o.junit = (folder_ / "j.xml").string();
  EXPECT_EQ(check(o).code, kDiffers);
  EXPECT_NE(
      read_file(o.junit).find("<failure message=\"conforms although it is "
                              "waived\"/>"),
      std::string::npos);
}

TEST_F(CheckWaivers, WaiveNothingThatHasExpired) {
  CheckOptions o = options("maximum/f32/*");
  o.waiving.today = "2027-02-01";
  const Outcome outcome = check(o);
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_NE(outcome.out.find("expired      "), std::string::npos);
  o.waiving.today.clear();
  o.waiving.files = {waivers("maximum/f32/*", "2001-01-01")};
  EXPECT_EQ(check(o).code, kDiffers);
}

TEST_F(CheckWaivers, StandInEventsAndJUnit) {
  CheckOptions o = options("maximum/f32/values");
  o.output = (folder_ / "e.jsonl").string();
  o.junit = (folder_ / "j.xml").string();
  check(o);
  const std::string events = read_file(o.output);
  EXPECT_NE(events.find("\"waivers\":\""), std::string::npos);
  EXPECT_NE(events.find(",\"waiver\":\""), std::string::npos) << events;
  EXPECT_NE(events.find("\"waived\":1,\"exit_code\":0"), std::string::npos);
  const std::string junit = read_file(o.junit);
  EXPECT_NE(junit.find("<skipped message=\"waived: "), std::string::npos)
      << junit;
  EXPECT_NE(junit.find("failures=\"0\" errors=\"0\" skipped=\"1\""),
            std::string::npos);
  // Resumed and merged they say the same.
  o.resume = true;
  check(o);
  EXPECT_EQ(read_file(o.output), events);
  MergeOptions merge;
  merge.files = {o.output};
  merge.output = (folder_ / "merged.jsonl").string();
  const Outcome merged = capture([&] { return run_merge(merge); });
  EXPECT_EQ(merged.code, kConforms);
  EXPECT_EQ(read_file(merge.output), events);
  EXPECT_NE(merged.out.find("1 of 2 cases conform, 1 waived"),
            std::string::npos);
  o.waiving.files.clear();
  EXPECT_EQ(check(o).code, kUsage) << "another run";
}

TEST_F(CheckWaivers, AreToldOfAMergedRunAsOfTheRun) {
  CheckOptions o = options("maximum/f32/drawn");
  o.waiving.files = {
      waivers("maximum/f32/drawn", "2027-01-31"),
      make("x.json", R"({"waivers": [{"cases": "x/*", "reason": "r",)"
                     R"( "owner": "o", "expires": "2027-02-01"},)"
                     R"({"cases": "*", "reason": "r", "owner": "o",)"
                     R"( "link": "https://x.org", "expires": "2001-01-01"},)"
                     R"({"cases": "y", "engine": "cpu:", "reason": "r",)"
                     R"( "owner": "o", "expires": "2027-02-01"}]})")};
  o.output = (folder_ / "e.jsonl").string();
  const Outcome run = check(o);
  for (const char* const word :
       {"expired      ", "unused       ", "contradicted ", "https://x.org"}) {
    EXPECT_NE(run.out.find(word), std::string::npos) << run.out;
  }
  MergeOptions merge;
  merge.files = {o.output};
  merge.failures = 0;
  EXPECT_EQ(capture([&] { return run_merge(merge); }).out, run.out);
}

TEST_F(CheckWaivers, RefuseAWrongFileWithItsPlace) {
  CheckOptions o = options("x");
  o.waiving.files = {make("wrong.json", "{\"waivers\":\n [}")};
  const Outcome outcome = check(o);
  EXPECT_EQ(outcome.code, kUsage);
  EXPECT_NE(outcome.err.find("wrong.json:2:3: error: usage.waivers: "),
            std::string::npos)
      << outcome.err;
  o.waiving.files = {(folder_ / "missing.json").string()};
  EXPECT_EQ(check(o).code, kBroken);
}

TEST_F(CheckWaivers, LetCompareGoOn) {
  CompareOptions o;
  o.file = make("iotas.hlo",
                "ENTRY e { a = s32[2] iota(), iota_dimension=0\n"
                "  b = s32[3] iota(), iota_dimension=0\n"
                "  ROOT r = (s32[2], s32[3]) tuple(a, b) }\n");
  o.backend = "mutant:count-from-one";
  o.waiving.files = {waivers("iota/s32/a", "2999-12-31")};
  const Outcome outcome = capture([&] { return run_compare(o); });
  EXPECT_EQ(outcome.code, kDiffers);
  EXPECT_NE(outcome.out.find("0 of 2 cases conform, 1 differs, 1 waived"),
            std::string::npos)
      << outcome.out;
  o.waiving.files = {waivers("iota/*", "2999-12-31")};
  EXPECT_EQ(capture([&] { return run_compare(o); }).code, kNothing);
}

}  // namespace
}  // namespace hlo::conformance
