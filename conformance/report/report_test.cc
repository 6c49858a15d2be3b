#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "conformance/literals/literal_bits.h"
#include "conformance/report/events.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/junit.h"
#include "conformance/report/summary.h"

namespace hlo::conformance {
namespace {

Case make_case(const std::string& id) {
  Case c;
  c.id = id;
  c.file = "f.jsonl";
  c.line = 3;
  c.statement = "a \x01 statement <&>";
  return c;
}

CaseResult result(Verdict verdict) {
  CaseResult r;
  r.judgement.verdict = verdict;
  r.judgement.message = "why";
  return r;
}

CaseResult differing() {
  CaseResult r = result(Verdict::kDiffers);
  const Scalar one = parse_bits("f32[] 3f800000").scalar();
  const Scalar next = parse_bits("f32[] 3f800001").scalar();
  r.judgement.difference = Difference{.leaf = 0,
                                      .index = {1, 2},
                                      .expected = "one",
                                      .reference = one,
                                      .actual = next,
                                      .ulps = 1};
  r.judgement.closeness.elements = 6;
  r.judgement.closeness.outside = 1;
  r.judgement.closeness.worst_ulps = 1;
  return r;
}

int exit_code_of(std::initializer_list<Verdict> verdicts) {
  Summary summary("assay check");
  for (const Verdict verdict : verdicts) {
    summary.add(make_case("add/f32/x"), result(verdict));
  }
  return summary.exit_code();
}

TEST(Summary, ChoosesTheExitCode) {
  using enum Verdict;
  EXPECT_EQ(exit_code_of({kConforms, kRejectedRightly}), ExitCode::kConforms);
  EXPECT_EQ(exit_code_of({kConforms, kDiffers, kError}), ExitCode::kDiffers);
  EXPECT_EQ(exit_code_of({kConforms, kCrashed}), kBroken);
  EXPECT_EQ(exit_code_of({kUnsupported, kUnjudged}), kNothing);
  EXPECT_EQ(exit_code_of({kUnsupported, kRefused}), kNothing);
  EXPECT_EQ(exit_code_of({kRejectedRightly}), ExitCode::kConforms);
  EXPECT_EQ(exit_code_of({kConforms, kUnsupported}), ExitCode::kConforms);
}

Case flaky_case() {
  Case c;
  c.id = "add/f32/x";
  return c;
}

TEST(Report, NeverPassesWhatIsFlaky) {
  CaseResult result;
  result.judgement.verdict = Verdict::kCrashed;
  result.judgement.again = Verdict::kConforms;
  Summary summary("assay check");
  summary.keep_tests();
  const Finding* finding = summary.add(flaky_case(), result);
  EXPECT_EQ(summary.exit_code(), ExitCode::kDiffers);
  EXPECT_EQ(verdict_line(summary, "b"),
            "b: 0 of 1 case conforms, 1 crashed (1 of them flaky)");
  EXPECT_NE(describe(*finding).find(
                "  flaky: a second run had another outcome, conforms\n"),
            std::string::npos);
  EXPECT_NE(
      junit({{&summary, "b"}}).find("</error>\n      <flakyFailure message="),
      std::string::npos);
  const std::string event = case_event(flaky_case(), result.judgement, 0);
  EXPECT_NE(event.find(R"("flaky":"conforms")"), std::string::npos);
}

TEST(Summary, DescribesAFindingWithItsCommand) {
  Summary summary("assay check --backend 'cpu:'");
  const Finding* finding = summary.add(make_case("add/f32/x"), differing());
  ASSERT_NE(finding, nullptr);
  const std::string text = describe(*finding);
  for (const char* piece :
       {"differs add/f32/x", "f.jsonl:3", "element {1,2} of leaf 0",
        "0x1.000002p+0", "bits 3f800001", "+1 ulp",
        "assay check --backend 'cpu:' --filter 'add/f32/x'"}) {
    EXPECT_NE(text.find(piece), std::string::npos) << piece << "\n" << text;
  }
}

TEST(Summary, HasARowForEachFamily) {
  Summary summary("assay check");
  summary.add(make_case("add/f32/x"), differing());
  summary.add(make_case("add/f64/x"), result(Verdict::kConforms));
  const std::string table = summary.table();
  EXPECT_NE(table.find("\nadd                    f32 "), std::string::npos);
  EXPECT_NE(table.find("\nadd                    f64 "), std::string::npos);
  EXPECT_NE(table.find("\nall "), std::string::npos);
}

TEST(Summary, HasALineForEachOperationWithAFinding) {
  using enum Verdict;
  Summary summary("assay check");
  summary.add(make_case("add/f32/x"), differing());
  summary.add(make_case("add/f64/x"), result(kConforms));
  summary.add(make_case("add/f64/y"), result(kError));
  summary.add(make_case("dot/f32/x"), result(kUnsupported));
  summary.add(make_case("pad/f32/x"), result(kConforms));
  summary.add(make_case("pad/f32/y"), result(kRefused));
  EXPECT_EQ(summary.findings_by_operation(),
            "add: 1 of 3 cases conform, 1 differs, 1 error\n"
            "cases of 1 operation are not supported; -v shows them\n");
}

TEST(Summary, HasOneLineForAnOperationAndItsPage) {
  Summary summary("assay check");
  summary.add(make_case("all-to-all/f32/x"), result(Verdict::kError));
  summary.add(make_case("all-to-all/page/example-1"), result(Verdict::kError));
  summary.add(make_case("dynamic-sizes/f32/x"), result(Verdict::kError));
  EXPECT_EQ(summary.findings_by_operation(),
            "all-to-all: 0 of 2 cases conform, 2 error\n"
            "dynamic-sizes: 0 of 1 case conforms, 1 error\n");
}

TEST(Summary, CountsWhatConformsByAnEmptyBound) {
  Summary summary("assay check");
  CaseResult good = result(Verdict::kConforms);
  summary.add(make_case("add/f32/x"), good);
  EXPECT_EQ(empty_bounds_line(summary), "");
  good.judgement.closeness.empty_bounds = 1;
  summary.add(make_case("add/f32/y"), good);
  EXPECT_TRUE(empty_bounds_line(summary).starts_with(
      "1 element differs from the reference and conforms only because its"));
}

TEST(Summary, SaysTheVerdictInALine) {
  using enum Verdict;
  Summary summary("assay check");
  for (const Verdict verdict : {kConforms, kRejectedRightly, kCrashed}) {
    summary.add(make_case("add/f32/x"), result(verdict));
  }
  summary.add(make_case("add/f32/x"), differing());
  const std::string rest = " 2 of 4 cases conform, 1 differs, 1 crashed";
  EXPECT_EQ(verdict_line(summary, "cpu:"), "cpu:" + rest);
  EXPECT_EQ(verdict_line(summary, "mutant:carry"), "mutant:carry:" + rest);
  summary.add(make_case("add/f32/x"), result(kRefused));
  EXPECT_EQ(verdict_line(summary, "cpu:"),
            "cpu:" + rest + "; the verifier refused 1 invalid program");
}

TEST(Summary, QuotesForTheShell) {
  EXPECT_EQ(shell_quoted("a'b"), "'a'\\''b'");
}

TEST(Junit, EscapesAndStripsControlCharacters) {
  EXPECT_EQ(xml_escape("a<b>&\"\x01\x1b\n"), "a&lt;b&gt;&amp;&quot;\n");
  EXPECT_EQ(xml_escape("\xc3\xa4\xb9"
                       "b\xe2\x82"),
            "\xc3\xa4\ufffdb\ufffd");
  Summary summary("assay check");
  summary.keep_tests();
  summary.add(make_case("add/f32/x"), differing());
  const std::string xml = junit({{&summary, "cpu:"}});
  EXPECT_EQ(xml.find('\x01'), std::string::npos);
  EXPECT_NE(xml.find("<failure message=\"differs: expected one, but it is "),
            std::string::npos);
  EXPECT_NE(xml.find("failures=\"1\""), std::string::npos);
}

TEST(Junit, HasATestForEachCase) {
  Summary summary("assay check");
  summary.keep_tests();
  summary.add(make_case("add/f32/x"), result(Verdict::kConforms));
  summary.add(make_case("add/f32/y"), differing());
  summary.add(make_case("add/f32/z/more"), result(Verdict::kCrashed));
  const std::string xml = junit({{&summary, "cpu:"}});
  EXPECT_NE(xml.find("name=\"add\" tests=\"3\" failures=\"1\" errors=\"1\""),
            std::string::npos);
  for (const char* test :
       {"classname=\"add.f32\" name=\"x\" time=\"0.000\"/>",
        "name=\"y\" time=\"0.000\">", "name=\"z/more\" time=\"0.000\">"}) {
    EXPECT_NE(xml.find(test), std::string::npos) << test;
  }
}

TEST(Junit, NamesTheSuitesOfSeveralRunsByTheirBackends) {
  Summary summary("assay check");
  summary.keep_tests();
  summary.add(make_case("add/f32/x"), differing());
  const std::string xml = junit({{&summary, "a:"}, {&summary, "b:"}});
  EXPECT_NE(xml.find("<testsuites name=\"assay a: b:\" tests=\"2\""),
            std::string::npos);
  EXPECT_NE(xml.find("<testsuite name=\"b: add\""), std::string::npos);
}

TEST(Junit, CountsARunThatWasStoppedAsAnError) {
  Summary summary("assay check");
  summary.keep_tests();
  summary.add(make_case("add/f32/x"), result(Verdict::kConforms));
  const auto report = [&](bool is_cut) {
    return junit({{.summary = &summary,
                   .backend = "cpu:",
                   .missing = "shard 0/2",
                   .is_cut = is_cut}});
  };
  EXPECT_NE(
      report(true).find(R"(tests="2" failures="0" errors="1" skipped="0")"),
      std::string::npos);
  EXPECT_NE(report(true).find("<error message=\"partial: shard 0/2\"/>"),
            std::string::npos);
  EXPECT_NE(
      report(false).find(R"(tests="2" failures="0" errors="0" skipped="1")"),
      std::string::npos);
}

TEST(Junit, SkipsWhatIsNotSupported) {
  Summary summary("assay check");
  summary.keep_tests();
  summary.add(make_case("add/f32/x"), result(Verdict::kUnsupported));
  summary.add(make_case("add/f32/y"), result(Verdict::kRefused));
  const std::string xml = junit({{&summary, "cpu:"}});
  EXPECT_NE(xml.find("skipped=\"2\""), std::string::npos);
  EXPECT_NE(xml.find("<skipped message=\"refused\"/>"), std::string::npos);
}

TEST(Junit, HasNoCharacterThatXmlLacks) {
  EXPECT_EQ(xml_escape("a\xef\xbf\xbf\xef\xbf\xbe\xef\xbf\xbd\x01<"),
            "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd&lt;");
}

TEST(Events, AreJsonWithTheDifference) {
  const auto json = nlohmann::json::parse(
      case_event(make_case("add/f32/x"), differing().judgement, 0));
  EXPECT_EQ(json["verdict"], "differs");
  EXPECT_EQ(json["difference"]["actual"], "3f800001");
  EXPECT_EQ(json["difference"]["ulps"], 1);
}

TEST(Events, CountTheCasesThatTheVerifierRefusedToo) {
  Summary summary("assay check");
  summary.add(make_case("add/f32/x"), result(Verdict::kConforms));
  summary.add(make_case("add/f32/y"), result(Verdict::kRefused));
  const auto json = nlohmann::json::parse(end_event(summary, 0));
  EXPECT_EQ(json["cases"], 2);
  EXPECT_EQ(json["verdicts"]["refused"], 1);
}

TEST(Events, NameTheCasesByAHash) {
  const std::vector<Case> cases = {make_case("add/f32/x")};
  EXPECT_EQ(manifest(cases).size(), 64U);
  EXPECT_NE(manifest(cases), manifest({}));
}

}  // namespace
}  // namespace hlo::conformance
