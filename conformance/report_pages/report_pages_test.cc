#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "conformance/report_pages/badge.h"
#include "conformance/report_pages/change.h"
#include "conformance/report_pages/event_file.h"
#include "conformance/report_pages/history/case_history.h"
#include "conformance/report_pages/html_report.h"
#include "conformance/report_pages/markdown_report.h"
#include "conformance/report_pages/report_data.h"
#include "conformance/report_pages/run_table.h"
#include "conformance/report_pages/run_totals.h"
#include "conformance/report_pages/tap_report.h"

namespace hlo::conformance {
namespace {

std::string begin(int cases, const std::string& backend = "mine:") {
  return R"({"event":"begin","backend":")" + backend + R"(","cases":)" +
         std::to_string(cases) +
         R"(,"manifest":"m","version":"1","build":"b","profile":"tight",)"
         R"("require":"","levels":true,"shard":0,"of":1,"command":"assay check"})"
         "\n";
}

std::string line(const std::string& id, const std::string& verdict,
                 const std::string& more = "") {
  static int number = 0;
  ++number;
  return R"({"event":"case","position":)" + std::to_string(number) +
         R"(,"id":")" + id + R"(","verdict":")" + verdict +
         R"(","source":"exact","file":"none.jsonl","line":)" +
         std::to_string(number) + more + "}\n";
}

std::string at_level(int level) {
  return R"(,"elements":3,"inexact":1,"outside":0,"worst_ulps":1,"level":)" +
         std::to_string(level);
}

const char* const kEnd = "{\"event\":\"end\"}\n";

EventFile run(const std::string& name, int cases, const std::string& lines) {
  return read_event_file(name, begin(cases) + lines + kEnd);
}

/// A run in which one case conforms, another is as given.
RunTable two_runs(const std::string& before, const std::string& after) {
  return RunTable(
      {run("1", 2, line("add/f32/x", "conforms") + line("add/f32/y", before)),
       run("2", 2, line("add/f32/x", "conforms") + line("add/f32/y", after))});
}

TEST(EventFile, SaysThatALastLineIsCutOff) {
  const EventFile file = read_event_file(
      "f", begin(2) + line("add/f32/x", "conforms") + R"({"event":"ca)");
  EXPECT_EQ(file.cases.size(), 1U);
  ASSERT_EQ(file.problems.size(), 1U);
  EXPECT_EQ(file.problems[0].find("f:3: error: usage.events: "), 0U);
  EXPECT_TRUE(file.is_partial());
  EXPECT_EQ(file.left(), 1);
}

TEST(EventFile, LeavesOutForeignLines) {
  const EventFile file =
      read_event_file("f", begin(1) + "hello\n{\"event\":\"sweep\"}\n[]\n\n" +
                               line("add/f32/x", "conforms") + kEnd);
  EXPECT_EQ(file.cases.size(), 1U);
  EXPECT_EQ(file.unread, 4);
  EXPECT_TRUE(file.is_partial());
}

TEST(EventFile, CountsACaseOnce) {
  const std::string twice = line("add/f32/x", "conforms");
  const EventFile file = run("f", 1, twice + twice);
  EXPECT_EQ(file.cases.size(), 1U);
  EXPECT_EQ(file.unread, 1);
}

TEST(EventFile, KnowsAWholeRun) {
  EXPECT_FALSE(run("f", 1, line("add/f32/x", "conforms")).is_partial());
  EXPECT_TRUE(run("f", 2, line("add/f32/x", "conforms")).is_partial());
  EXPECT_TRUE(
      read_event_file("f", begin(1) + line("a/b/c", "conforms")).is_partial());
}

TEST(RunTable, PutsTheCasesOfOneIdIntoOneRow) {
  const RunTable table(
      {run("1", 2, line("b/f32/x", "conforms") + line("a/f32/x", "conforms")),
       run("2", 2, line("a/f32/x", "differs") + line("c/f32/x", "conforms"))});
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table.any(0).id, "a/f32/x");
  EXPECT_EQ(table.row(0)[1]->judgement.verdict, Verdict::kDiffers);
  EXPECT_EQ(table.row(1)[1], nullptr);
  EXPECT_EQ(table.any(2).id, "c/f32/x");
}

TEST(RunTable, KeepsCasesWithOneIdApart) {
  const RunTable table(
      {run("1", 2, line("a/f32/x", "conforms") + line("a/f32/x", "differs"))});
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table.row(1)[0]->judgement.verdict, Verdict::kDiffers);
}

struct Became {
  const char* before;
  const char* after;
  Change change;
};

TEST(Change, FollowsFromTheVerdicts) {
  using enum Change;
  for (const auto& [before, after, change] :
       std::vector<Became>{{"conforms", "differs", kRegressed},
                           {"conforms", "crashed", kRegressed},
                           {"rejected-rightly", "accepted-wrongly", kRegressed},
                           {"conforms", "unsupported", kLost},
                           {"differs", "conforms", kFixed},
                           {"differs", "crashed", kOtherFailure},
                           {"differs", "wrong-shape", kOtherFailure},
                           {"unsupported", "differs", kNewFailure},
                           {"unsupported", "conforms", kGained},
                           {"refused", "refused", kSame},
                           {"crashed", "crashed", kSame}}) {
    EXPECT_EQ(change_of(two_runs(before, after), 1, 0, 1), change)
        << before << " " << after;
  }
}

TEST(Change, SeesALaxerLevel) {
  const RunTable table({run("1", 1, line("a/f32/x", "conforms", at_level(0))),
                        run("2", 1, line("a/f32/x", "conforms", at_level(2)))});
  EXPECT_EQ(change_of(table, 0, 0, 1), Change::kLaxer);
  EXPECT_EQ(change_of(table, 0, 1, 0), Change::kStricter);
}

TEST(Change, KnowsNothingOfWhatAPartialRunLacks) {
  const RunTable table({run("1", 1, line("a/f32/x", "conforms")),
                        run("2", 9, ""), run("3", 0, "")});
  EXPECT_EQ(change_of(table, 0, 0, 1), Change::kSame);
  EXPECT_EQ(change_of(table, 0, 0, 2), Change::kGone);
}

TEST(ReportData, LetsNothingEndItsElement) {
  const std::string page = html_report(RunTable({run(
      "</script><b>", 1,
      line("a/f32/</script>", "crashed",
           R"(,"message":"</script><img src=x onerror=alert(1)><!--")"))}));
  EXPECT_EQ(page.find("<img src=x"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  const size_t data = page.find("id=\"data\">");
  const size_t end = page.find("</script>", data);
  const std::string json = page.substr(data + 10, end - data - 10);
  const auto read = nlohmann::json::parse(json);
  EXPECT_EQ(read["table"]["ids"], "0a/f32/</script>\n");
}

TEST(ReportData, SharesNoPartsOfCharacters) {
  const auto read = nlohmann::json::parse(report_data(RunTable({run(
      "1", 2,
      line("a\u00e9/f/x", "conforms") + line("a\u00e9/f/y", "conforms"))})));
  EXPECT_EQ(read["table"]["ids"],
            "0a\u00e9/f/x\n"
            "1\u00e9/f/y\n");
}

TEST(ReportData, IsThereForARunWithoutCases) {
  const auto read =
      nlohmann::json::parse(report_data(RunTable({run("1", 0, "")})));
  EXPECT_EQ(read["rows"], 0);
  EXPECT_EQ(read["runs"].size(), 1U);
}

TEST(Markdown, PutsRegressionsFirstAndMarksPartialRuns) {
  const std::string text = markdown_report(RunTable(
      {run("1", 2, line("a/f32/x", "conforms") + line("a/f32/y", "differs")),
       run("2", 3, line("a/f32/x", "differs") + line("a/f32/y", "conforms"))}));
  EXPECT_LT(text.find("### regressed: 1"), text.find("### fixed: 1"));
  EXPECT_NE(text.find("**partial**"), std::string::npos);
}

TEST(Markdown, StaysWithinItsBound) {
  const RunTable table = two_runs("conforms", "differs");
  const std::string whole = markdown_report(table);
  for (size_t most = 300; most < whole.size(); most += 7) {
    const std::string text = markdown_report(table, most);
    EXPECT_LE(text.size(), most);
    EXPECT_NE(text.find(" left out: "), std::string::npos);
  }
}

TEST(Markdown, EscapesWhatEventsSay) {
  EXPECT_EQ(markdown_code("a|b<i>\n`@me"),
            "<code>a&#124;b&lt;i&gt; `@me</code>");
}

TEST(Tap, HasATestForEachCaseAndPlansForThoseThatAreMissing) {
  const std::string text = tap_report(
      RunTable({run("1", 4,
                    line("a/f32/x", "conforms") + line("a/f32/y", "differs") +
                        line("a/f32/z # TODO", "unsupported"))}));
  EXPECT_EQ(text.find("TAP version 14\n1..4\nok 1 - a/f32/x\n"
                      "not ok 2 - a/f32/y\n  ---\n  verdict: differs\n"),
            0U);
  EXPECT_NE(text.find("ok 3 - a/f32/z \\# TODO # SKIP unsupported\n"),
            std::string::npos);
}

TEST(Reports, ShowApartWhatIsWaived) {
  const RunTable table(
      {run("1", 2,
           line("a/f32/x", "differs", R"(,"waiver":"#7 <b>")") +
               line("a/f32/y", "conforms"))});
  EXPECT_NE(
      tap_report(table).find("not ok 1 - a/f32/x # TODO waived: \\#7 <b>\n"),
      std::string::npos);
  const std::string text = markdown_report(table);
  EXPECT_EQ(text.find("What fails"), std::string::npos);
  EXPECT_NE(text.find("waived"), std::string::npos);
  EXPECT_NE(report_data(table).find("waived (#7 \\u003cb>) "),
            std::string::npos);
}

TEST(Badge, CountsAndSaysWhatIsPartial) {
  const RunTable table = two_runs("differs", "conforms");
  const std::string svg = badge(table.runs());
  EXPECT_NE(svg.find("1 of 2 conform, 1 fails"), std::string::npos);
  EXPECT_NE(svg.find("2 of 2 conform"), std::string::npos);
  EXPECT_EQ(svg.find("::"), std::string::npos) << svg;
  const EventFile part = run("<", 3, line("a/f32/x", "conforms"));
  EXPECT_NE(badge({&part, 1}).find("1 of 1 conform, partial"),
            std::string::npos);
}

TEST(History, CollapsesWhatIsTheSame) {
  const auto at = [](const char* name, const char* verdict) {
    return run(name, 2, line("a/f32/x", verdict) + line("a/f32/y", "conforms"));
  };
  const RunTable table({at("1", "conforms"), at("2", "conforms"),
                        at("3", "differs"), run("4", 2, ""),
                        at("5", "differs")});
  EXPECT_EQ(history_text(table),
            "mine: 5 runs\n"
            "a/f32/x\n"
            "  conforms          1 to 2, 2 runs\n"
            "  differs           3 to 5, 2 runs (regressed)\n"
            "1 case is the same in all of them\n");
}

TEST(Trend, CountsWhatBecameWorseAndBetter) {
  const std::string text = trend_text(two_runs("conforms", "differs"));
  EXPECT_NE(text.find("2       1    1      0     1      0     0 complete"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace hlo::conformance
