#include "conformance/report/recorded_cases.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "conformance/literals/literal_bits.h"
#include "conformance/report/events.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

Case a_case() {
  Case c;
  c.id = "add/f32/x";
  c.file = "some cases.jsonl";
  c.line = 7;
  return c;
}

RunIdentity a_run(int64_t cases) {
  RunIdentity run;
  run.cases = cases;
  return run;
}

std::vector<Judgement> judgements() {
  Judgement differs;
  differs.verdict = Verdict::kDiffers;
  differs.again = Verdict::kConforms;
  differs.closeness = {.elements = 4,
                       .outside = 1,
                       .inexact = 2,
                       .worst_ulps = std::numeric_limits<double>::infinity(),
                       .headroom = 0.5,
                       .empty_bounds = 1,
                       .level = 3};
  differs.difference =
      Difference{.leaf = 1,
                 .index = {2, 0},
                 .expected = "from 1 to 2",
                 .reference = parse_bits("c64[] 3f800000:80000000").scalar(),
                 .actual = parse_bits("c64[] 7fc00000:00000000").scalar(),
                 .ulps = {}};
  Judgement far;
  far.verdict = Verdict::kDiffers;
  far.closeness.elements = 1;
  far.closeness.worst_ulps = 0x1p63;
  far.difference =
      Difference{.leaf = 0,
                 .index = {},
                 .expected = "0",
                 .reference = parse_bits("u64[] 0000000000000000").scalar(),
                 .actual = parse_bits("u64[] ffffffffffffffff").scalar(),
                 .ulps = std::numeric_limits<int64_t>::max()};
  Judgement crashed;
  crashed.verdict = Verdict::kCrashed;
  crashed.message = "the worker \"died\"\n";
  return {Judgement(), differs, far, crashed};
}

TEST(RecordedCases, AreWhatTheirEventsSay) {
  for (const Judgement& judgement : judgements()) {
    const std::string line = case_event(a_case(), judgement, 5);
    const RecordedCase recorded = read_case_event(line);
    EXPECT_EQ(case_event(a_case(), recorded.judgement, 5), line);
    EXPECT_EQ(recorded.event, line);
    EXPECT_EQ(recorded.judgement.closeness.worst_ulps,
              judgement.closeness.worst_ulps);
  }
}

TEST(RecordedCases, AreFoundByTheirPlace) {
  const std::string begin = begin_event(a_run(1));
  RecordedCases recorded;
  recorded.add(begin + "\n" + case_event(a_case(), Judgement(), 0) + "\n",
               begin);
  EXPECT_NE(recorded.find(a_case()), nullptr);
  Case other = a_case();
  other.line = 8;
  EXPECT_EQ(recorded.find(other), nullptr);
}

std::string rule_of(const std::string& text) {
  RecordedCases recorded;
  try {
    recorded.add(text, begin_event(a_run(1)));
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

TEST(RecordedCases, RefuseWhatIsNoEventOfTheRun) {
  const std::string begin = begin_event(a_run(1));
  RunIdentity other = a_run(1);
  other.backend = "cpu:";
  EXPECT_EQ(rule_of(begin_event(other)), "usage.resumed_run");
  EXPECT_EQ(rule_of(begin_event(a_run(2))), "usage.resumed_run");
  for (const char* line :
       {"", "[]", "{}", "null", R"({"id":1})",
        R"({"event":"case","id":"a","verdict":"good","file":"f","line":1})",
        R"({"id":"a","verdict":"differs","file":"f","line":1e99})",
        R"({"id":"a","verdict":"differs","file":"f","line":1,"elements":"x"})",
        R"({"id":"a","verdict":"differs","file":"f","line":1,"flaky":"no"})"}) {
    EXPECT_EQ(rule_of(begin + "\n" + line + "\n"), "usage.events") << line;
  }
}

}  // namespace
}  // namespace hlo::conformance
