#include "conformance/report/junit.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

// Viewers choke on more.
constexpr size_t kMaxText = 10'000;

/// The text with U+FFFD for what is not UTF-8.
std::string as_utf8(std::string_view text) {
  using nlohmann::json;
  const std::string dumped =
      json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  return json::parse(dumped).get<std::string>();
}

/// U+FFFE and U+FFFF, which XML has not.
bool is_noncharacter(std::string_view utf8) {
  return utf8 == "\xef\xbf\xbe" || utf8 == "\xef\xbf\xbf";
}

/// How many tests of a suite, or of the report, are what.
struct Counts {
  int64_t tests = 0;
  int64_t failures = 0;
  int64_t errors = 0;
  int64_t skipped = 0;
  double seconds = 0;

  void add(const Counts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    seconds += other.seconds;
  }
};

/// Whether it says nothing of the backend, or nothing that is not known.
bool is_skipped(const TestedCase& test) {
  return !test.waiver.empty() || test.verdict == Verdict::kUnsupported ||
         test.verdict == Verdict::kUnjudged ||
         test.verdict == Verdict::kRefused;
}

Counts counts_of(const TestedCase& test) {
  Counts counts{.tests = 1, .seconds = test.seconds};
  if (is_skipped(test)) {
    counts.skipped = 1;
  } else if (is_failure(test.verdict) || test.surprises) {
    counts.failures = 1;
  } else if (is_broken(test.verdict)) {
    counts.errors = 1;
  }
  return counts;
}

std::string skipped(const TestedCase& test) {
  const std::string why = test.waiver.empty() ? std::string(name(test.verdict))
                                              : "waived: " + test.waiver;
  return fmt::format("      <skipped message=\"{}\"/>\n",
                     xml_escape(why.substr(0, kMaxText)));
}

std::string outcome(const TestedCase& test) {
  std::string text;
  if (is_skipped(test)) return skipped(test);
  if (test.surprises) {
    return "      <failure message=\"conforms although it is waived\"/>\n";
  }
  if (is_failure(test.verdict) || is_broken(test.verdict)) {
    const std::string_view tag = is_failure(test.verdict) ? "failure" : "error";
    text = fmt::format("      <{} message=\"{}\" type=\"{}\">{}</{}>\n", tag,
                       xml_escape(test.message.substr(0, kMaxText)),
                       name(test.verdict),
                       xml_escape(test.text.substr(0, kMaxText)), tag);
  }
  if (!test.flaky) return text;
  return text +
         "      <flakyFailure message=\"a second run had another outcome\" "
         "type=\"flaky\"/>\n";
}

std::string test_case(const Family& family, const TestedCase& test) {
  const std::string head =
      fmt::format(R"(    <testcase classname="{}.{}" name="{}" time="{:.3f}")",
                  xml_escape(family.operation), xml_escape(family.type),
                  xml_escape(test.name), test.seconds);
  const std::string body = outcome(test);
  return body.empty() ? head + "/>\n"
                      : head + ">\n" + body + "    </testcase>\n";
}

std::string attributes(const Counts& counts) {
  return fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\"",
      counts.tests, counts.failures, counts.errors, counts.skipped,
      counts.seconds);
}

std::string suite(const std::string& title, const Counts& counts,
                  const std::string& tests) {
  return fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n",
                     xml_escape(title), attributes(counts), tests);
}

Counts counts_of_missing(const TestedRun& run) {
  return {
      .tests = 1, .errors = run.is_cut ? 1 : 0, .skipped = run.is_cut ? 0 : 1};
}

/// A suite with a test that stands for what is missing.
std::string unfinished(const std::string& before, const TestedRun& run) {
  return suite(
      before + "run", counts_of_missing(run),
      fmt::format(
          "    <testcase classname=\"run\" name=\"end\" time=\"0.000\">\n"
          "      <{} message=\"partial: {}\"/>\n"
          "    </testcase>\n",
          run.is_cut ? "error" : "skipped", xml_escape(run.missing)));
}

/// The suites of a run, whose names begin so; its counts go to `all`.
std::string suites(const TestedRun& run, const std::string& before,
                   Counts& all) {
  std::map<std::string, std::pair<Counts, std::string>> by_operation;
  for (const Family* family : run.summary->families()) {
    auto& [counts, tests] = by_operation[family->operation];
    for (const TestedCase& test : family->tests) {
      counts.add(counts_of(test));
      tests += test_case(*family, test);
    }
  }
  std::string text;
  for (const auto& [operation, content] : by_operation) {
    all.add(content.first);
    text += suite(before + operation, content.first, content.second);
  }
  if (run.missing.empty()) return text;
  all.add(counts_of_missing(run));
  return text + unfinished(before, run);
}

}  // namespace

std::string junit(const std::vector<TestedRun>& runs) {
  Counts all;
  std::string names;
  std::string text;
  for (const TestedRun& run : runs) {
    names += " " + run.backend;
    text += suites(run, runs.size() > 1 ? run.backend + " " : "", all);
  }
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<testsuites name=\"assay{}\" {}>\n",
             xml_escape(names), attributes(all)) +
         text + "</testsuites>\n";
}

std::string xml_escape(std::string_view text) {
  std::string escaped;
  const std::string valid = as_utf8(text);
  for (size_t i = 0; i < valid.size(); ++i) {
    const char c = valid[i];
    if (is_noncharacter(std::string_view(valid).substr(i, 3))) {
      escaped += "\xef\xbf\xbd";
      i += 2;
      continue;
    }
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        if (!control || c == '\n' || c == '\t') escaped += c;
    }
  }
  return escaped;
}

}  // namespace hlo::conformance
