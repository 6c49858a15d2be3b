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

std::string shard(const std::string& lines, int exit_code) {
  std::string head = begin(9);
  head.replace(head.find("\"of\":1"), 6, "\"of\":2");
  return head + lines + R"({"event":"end","cases":1,"exit_code":)" +
         std::to_string(exit_code) + "}\n";
}

TEST(EventFile, TellsAShardThatWasStoppedFromAWholeOne) {
  const std::string conforms = line("add/f32/x", "conforms");
  const EventFile whole = read_event_file("f", shard(conforms, 0));
  EXPECT_TRUE(whole.is_partial());
  EXPECT_FALSE(whole.is_cut());
  EXPECT_EQ(whole.missing(), "shard 0/2");
  const EventFile stopped = read_event_file("f", shard(conforms, 4));
  EXPECT_TRUE(stopped.is_cut());
  EXPECT_EQ(stopped.missing(), "shard 0/2, it was stopped");
  const EventFile ends = read_event_file("f", begin(1) + conforms);
  EXPECT_EQ(ends.missing(), "its last line is missing");
  EXPECT_EQ(read_event_file("f", conforms + kEnd).missing(),
            "its first line is missing");
}

TEST(EventFile, RefusesWhatItsCountsContradict) {
  const auto problem = [](const std::string& text) {
    const EventFile file = read_event_file("f", text);
    EXPECT_TRUE(file.is_cut());
    return file.problems.empty() ? "" : file.problems[0];
  };
  const std::string conforms = line("add/f32/x", "conforms");
  EXPECT_NE(problem(begin(1) + conforms +
                    "{\"event\":\"end\",\"cases\":2,\"exit_code\":0}\n")
                .find("the end tells of 2 cases, and 1 are there"),
            std::string::npos);
  EXPECT_EQ(read_event_file("f", begin(1) + conforms +
                                     "{\"event\":\"end\",\"cases\":\"2\"}\n")
                .unread,
            0);
  EXPECT_NE(problem(begin(1) + conforms +
                    "{\"event\":\"end\",\"cases\":1,\"verdicts\":"
                    "{\"conforms\":0,\"differs\":1},\"exit_code\":1}\n")
                .find("the end tells of 0 times conforms, and it is there 1"),
            std::string::npos);
  EXPECT_NE(problem(begin(0) + conforms + kEnd).find("more than 0 cases"),
            std::string::npos);
  EXPECT_NE(problem(begin(1) + kEnd + conforms).find("the run has ended"),
            std::string::npos);
  std::string again = conforms;
  again.replace(again.find("add/f32/x"), 9, "add/f32/y");
  EXPECT_NE(problem(begin(2) + conforms + again + kEnd).find("is there twice"),
            std::string::npos);
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

// The second run is partial, and the first tells what it does not.
TEST(Change, IsFromTheLatestRunThatTells) {
  const RunTable table({run("1", 1, line("a/f32/x", "conforms")),
                        run("2", 9, ""),
                        run("3", 1, line("a/f32/x", "differs"))});
  EXPECT_EQ(change_of(table, 0, 1, 2), Change::kRegressed);
  EXPECT_EQ(earlier_run(table, 2), 1U);
  // A run of another backend tells nothing.
  const RunTable others(
      {read_event_file("1",
                       begin(1, "other:") + line("a/f32/x", "conforms") + kEnd),
       run("2", 9, ""), run("3", 1, line("a/f32/x", "differs"))});
  EXPECT_EQ(change_of(others, 0, 1, 2), Change::kSame);
  EXPECT_NE(trend_text(table).find("1      0     0 complete"),
            std::string::npos)
      << trend_text(table);
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
            "<code>a&#124;b&lt;i&gt; &#96;&#64;me</code>");
  EXPECT_EQ(
      markdown_code("![x](https://e) **b** #1 www.e"),
      "<code>&#33;&#91;x&#93;&#40;https&#58;//e&#41; &#42;&#42;b&#42;&#42; "
      "&#35;1 www&#46;e</code>");
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

// A shard that was stopped is no pass; one that came to its end is none either,
// but fails nothing.
TEST(Tap, PlansForWhatAShardLacks) {
  const std::string conforms = line("a/f32/x", "conforms");
  const auto tap = [&](int exit_code) {
    return tap_report(
        RunTable({read_event_file("1", shard(conforms, exit_code))}));
  };
  EXPECT_EQ(tap(0),
            "TAP version 14\n1..1\nok 1 - a/f32/x\n# partial: shard 0/2\n");
  EXPECT_EQ(tap(4).find("TAP version 14\n1..2\nok 1 - a/f32/x\n"), 0U);
}

// What conforms although it is waived fails where the run is strict.
TEST(Reports, ShowWhatIsUnexpected) {
  std::string head = begin(1);
  head.insert(head.find(",\"command\""), ",\"strict\":true");
  const RunTable table({read_event_file(
      "1", head + line("a/f32/x", "conforms", R"(,"waiver":"#7")") + kEnd)});
  EXPECT_NE(tap_report(table).find("not ok 1 - a/f32/x\n"), std::string::npos);
  EXPECT_NE(markdown_report(table).find("conforms although it is waived"),
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
