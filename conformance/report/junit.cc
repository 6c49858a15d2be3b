#include "conformance/report/junit.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
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

struct Suite {
  std::vector<const Family*> families;
  size_t extra = 0;  // tests that are no family
  int64_t failures = 0;
  int64_t errors = 0;
  int64_t skipped = 0;
  double seconds = 0;
};

/// Nothing of it says anything of the backend.
bool is_skipped(const Family& family) {
  return family.count(Verdict::kUnsupported) +
             family.count(Verdict::kUnjudged) ==
         family.cases();
}

void add(Suite& suite, const Family& family) {
  suite.families.push_back(&family);
  suite.seconds += family.seconds;
  if (family.failures() > 0) {
    ++suite.failures;
  } else if (family.broken() > 0) {
    ++suite.errors;
  } else if (is_skipped(family)) {
    ++suite.skipped;
  }
}

std::string findings_text(const Family& family) {
  std::string text;
  for (const Finding& finding : family.findings) {
    if (text.size() > kMaxText) break;
    text += describe(finding) + "\n";
  }
  return text.substr(0, kMaxText);
}

std::string outcome(const Family& family) {
  const bool failed = family.failures() > 0;
  if (failed || family.broken() > 0) {
    const std::string_view tag = failed ? "failure" : "error";
    const std::string text =
        fmt::format("      <{} message=\"{} of {}\">{}</{}>\n", tag,
                    failed ? family.failures() : family.broken(),
                    counted(family.cases(), "case"),
                    xml_escape(findings_text(family)), tag);
    if (family.flaky == 0) return text;
    return text + fmt::format(
                      "      <flakyFailure message=\"{} had another outcome "
                      "in a second run\" type=\"flaky\"/>\n",
                      counted(family.flaky, "case"));
  }
  if (!is_skipped(family)) return {};
  return fmt::format(
      "      <skipped message=\"{} unsupported, {} unjudged, {} refused\"/>\n",
      family.count(Verdict::kUnsupported), family.count(Verdict::kUnjudged),
      family.count(Verdict::kRefused));
}

std::string test_case(const Family& family) {
  return fmt::format(
      "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n"
      "{}    </testcase>\n",
      xml_escape(family.operation), xml_escape(family.type), family.seconds,
      outcome(family));
}

/// A test that stands for the cases that were not judged.
std::string unfinished(int64_t left) {
  return fmt::format(
      "  <testsuite name=\"run\" tests=\"1\" failures=\"0\" errors=\"1\" "
      "skipped=\"0\" time=\"0.000\">\n"
      "    <testcase classname=\"run\" name=\"end\" time=\"0.000\">\n"
      "      <error message=\"stopped before {} judged\"/>\n"
      "    </testcase>\n  </testsuite>\n",
      counted(left, "case was", "cases were"));
}

std::string counts(const Suite& suite) {
  return fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\"",
      suite.families.size() + suite.extra, suite.failures, suite.errors,
      suite.skipped, suite.seconds);
}

}  // namespace

std::string junit(const Summary& summary, const std::string& backend,
                  int64_t left) {
  std::map<std::string, Suite> suites;
  Suite all;
  for (const Family* family : summary.families()) {
    add(suites[family->operation], *family);
    add(all, *family);
  }
  if (left > 0) {
    ++all.extra;
    ++all.errors;
  }
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"assay {}\" {}>\n",
      xml_escape(backend), counts(all));
  for (const auto& [operation, suite] : suites) {
    text += fmt::format("  <testsuite name=\"{}\" {}>\n", xml_escape(operation),
                        counts(suite));
    for (const Family* family : suite.families) {
      text += test_case(*family);
    }
    text += "  </testsuite>\n";
  }
  if (left > 0) text += unfinished(left);
  return text + "</testsuites>\n";
}

std::string xml_escape(std::string_view text) {
  std::string escaped;
  for (const char c : as_utf8(text)) {
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
