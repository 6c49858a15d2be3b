#include "conformance/report/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "conformance/files/printable.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/report/exit_code.h"
#include "conformance/report/table.h"
#include "conformance/sets/membership.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

bool is_good(Verdict verdict) {
  return verdict == Verdict::kConforms || verdict == Verdict::kRejectedRightly;
}

std::string ulps_text(const Family& family) {
  if (family.closeness.elements == 0) return "-";
  const double ulps = family.closeness.worst_ulps;
  if (std::isinf(ulps)) return "NaN";
  return ulps < 1e6 ? fmt::format("{:.0f}", ulps) : fmt::format("{:.1e}", ulps);
}

std::string headroom_text(const Family& family) {
  const auto& headroom = family.closeness.headroom;
  return headroom ? fmt::format("{:.3f}", *headroom) : "-";
}

/// The columns of a table, in the order of what is known of each.
Table empty_table(bool has_waived) {
  const auto text = [](const char* title, size_t width) {
    return Column{.title = title, .width = width, .is_text = true};
  };
  const auto number = [](const char* title, size_t width, int rank) {
    return Column{.title = title, .width = width, .rank = rank};
  };
  std::vector<Column> columns = {
      text("operation", 22),        text("type", 15),
      number("cases", 6, 0),        number("conforms", 8, 0),
      number("rejected", 8, 2),     number("differs", 7, 0),
      number("unsupported", 11, 7), number("unjudged", 8, 3),
      number("broken", 6, 6),       number("refused", 7, 1),
      number("worst ulp", 9, 5),    number("of bound", 8, 4)};
  if (has_waived) columns.push_back(number("waived", 6, 0));
  return Table(std::move(columns));
}

std::vector<std::string> row(const Family& family, bool has_waived) {
  const auto count = [&](Verdict verdict) {
    return std::to_string(family.count(verdict));
  };
  std::vector<std::string> cells = {family.operation,
                                    family.type,
                                    std::to_string(family.cases()),
                                    count(Verdict::kConforms),
                                    count(Verdict::kRejectedRightly),
                                    std::to_string(family.failures()),
                                    count(Verdict::kUnsupported),
                                    count(Verdict::kUnjudged),
                                    std::to_string(family.broken()),
                                    count(Verdict::kRefused),
                                    ulps_text(family),
                                    headroom_text(family)};
  if (has_waived) cells.push_back(std::to_string(family.all_waived()));
  return cells;
}

std::string index_text(const Index& index) {
  return fmt::format("{{{}}}", fmt::join(index, ","));
}

std::string difference_text(const Finding& finding) {
  const Difference& d = *finding.judgement.difference;
  const Closeness& closeness = finding.judgement.closeness;
  std::string text = fmt::format(
      "  element {} of leaf {} ({} of {})\n"
      "    expected   {}\n",
      index_text(d.index), d.leaf, closeness.outside,
      counted(closeness.elements, "element is outside its set",
              "elements are outside their sets"),
      d.expected);
  const std::string reference = describe(d.reference);
  if (reference != d.expected) {
    text += fmt::format("    reference  {}\n", reference);
  }
  text += fmt::format("    actual     {}\n", describe(d.actual));
  if (!d.ulps) return text;
  const bool in_ulps = is_float(d.actual.type) || is_complex(d.actual.type);
  text +=
      fmt::format("    distance   {:+}{}\n", *d.ulps, in_ulps ? " ulp" : "");
  return text;
}

/// What came of the cases, the conforming ones first: "2 of 4 cases conform, 1
/// differs, 1 crashed".
std::string verdicts_text(const Family& family) {
  std::string text = fmt::format("{} of {} {}", family.conforming(),
                                 counted(family.cases(), "case"),
                                 family.cases() == 1 ? "conforms" : "conform");
  for (const Verdict verdict : all_verdicts()) {
    const int64_t n = family.count(verdict);
    if (n > 0 && !is_good(verdict) && verdict != Verdict::kRefused) {
      text += fmt::format(", {} {}", n, name(verdict));
    }
  }
  const int64_t waived = family.all_waived();
  if (waived > 0) text += fmt::format(", {} waived", waived);
  if (family.unexpected > 0) {
    text += fmt::format(", {} of those that conform waived", family.unexpected);
  }
  if (family.flaky > 0) {
    text += fmt::format(" ({} of them flaky)", family.flaky);
  }
  return text;
}

bool went_badly(Verdict verdict) {
  return is_failure(verdict) || is_broken(verdict);
}

/// The id behind operation and type; the whole id where there is nothing.
std::string test_name(const Case& c) {
  const auto [operation, type] = family_of(c.id);
  const size_t family = operation.size() + type.size() + 2;
  return c.id.size() > family ? c.id.substr(family) : c.id;
}

/// A case that did not go well, and is waived.
bool is_waived(const Judgement& judgement) {
  return !judgement.waiver.empty() && went_well(judgement) == false;
}

}  // namespace

bool is_unexpected(const Judgement& judgement) {
  return !judgement.waiver.empty() && went_well(judgement) == true;
}

namespace {

TestedCase test_of(const Case& c, const CaseResult& result,
                   const Finding* finding, bool is_strict) {
  const Judgement& judgement = result.judgement;
  return {.name = test_name(c),
          .verdict = judgement.verdict,
          .waiver = is_waived(judgement) ? judgement.waiver : "",
          .surprises = is_strict && is_unexpected(judgement),
          .flaky = judgement.again.has_value(),
          .seconds = result.seconds,
          .message = went_badly(judgement.verdict) ? why(judgement) : "",
          .text = finding == nullptr ? "" : describe(*finding)};
}

}  // namespace

int64_t Family::judged() const {
  return std::accumulate(verdicts.begin(), verdicts.end(), all_waived());
}

int64_t Family::all_waived() const {
  int64_t n = 0;
  for (const auto& [waiver, count] : waived) n += count;
  return n;
}

int64_t Family::cases() const { return judged() - count(Verdict::kRefused); }

int64_t Family::conforming() const {
  int64_t n = 0;
  for (const Verdict verdict : all_verdicts()) {
    if (is_good(verdict)) n += count(verdict);
  }
  return n;
}

int64_t Family::failures() const {
  int64_t n = 0;
  for (const Verdict verdict : all_verdicts()) {
    if (is_failure(verdict)) n += count(verdict);
  }
  return n;
}

int64_t Family::broken() const {
  int64_t n = 0;
  for (const Verdict verdict : all_verdicts()) {
    if (is_broken(verdict)) n += count(verdict);
  }
  return n;
}

void Family::add(const Family& other) {
  for (size_t v = 0; v < verdicts.size(); ++v) {
    verdicts.at(v) += other.verdicts.at(v);
  }
  flaky += other.flaky;
  for (const auto& [waiver, count] : other.waived) waived[waiver] += count;
  unexpected += other.unexpected;
  closeness.add(other.closeness);
  seconds += other.seconds;
}

const Finding* Summary::add(const Case& c, const CaseResult& result) {
  const auto key = family_of(c.id);
  Family& family = families_[key];
  family.operation = key.first;
  family.type = key.second;
  family.seconds += result.seconds;
  if (waivers_ != nullptr) waivers_->note(c.id, result.judgement);
  const Finding* finding = count(family, c, result.judgement);
  if (keeps_tests_) {
    family.tests.push_back(test_of(c, result, finding, is_strict_));
  }
  return finding;
}

const Finding* Summary::count(Family& family, const Case& c,
                              const Judgement& judgement) const {
  if (is_waived(judgement)) {
    ++family.waived[judgement.waiver];
    return nullptr;
  }
  if (is_unexpected(judgement)) ++family.unexpected;
  ++family.verdicts.at(static_cast<size_t>(judgement.verdict));
  family.flaky += judgement.again ? 1 : 0;
  family.closeness.add(judgement.closeness);
  return keep_finding(family, c, judgement);
}

const Finding* Summary::keep_finding(Family& family, const Case& c,
                                     const Judgement& judgement) const {
  if (!went_badly(judgement.verdict) ||
      family.findings.size() == Family::kMaxFindings) {
    return nullptr;
  }
  family.findings.push_back(
      {.id = c.id,
       .file = c.file,
       .line = c.line,
       .statement = c.statement,
       .judgement = judgement,
       .command =
           filters_ ? command_ + " --filter " + shell_quoted(c.id) : command_});
  return &family.findings.back();
}

std::vector<const Family*> Summary::families() const {
  std::vector<const Family*> list;
  list.reserve(families_.size());
  for (const auto& [key, family] : families_) list.push_back(&family);
  return list;
}

Family Summary::total() const {
  Family all;
  all.operation = "all";
  for (const auto& [key, family] : families_) all.add(family);
  return all;
}

int Summary::exit_code() const {
  const Family all = total();
  const bool surprises = is_strict_ && all.unexpected > 0;
  if (all.failures() > 0 || all.flaky > 0 || surprises) return kDiffers;
  if (all.broken() > 0) return kBroken;
  return all.conforming() == 0 ? kNothing : kConforms;
}

std::string Summary::table(std::optional<int> width) const {
  Family all = total();
  const bool has_waived = !all.waived.empty();
  Table table = empty_table(has_waived);
  for (const auto& [key, family] : families_) {
    table.add(row(family, has_waived));
  }
  // Distances of different operations and types do not compare.
  all.closeness.elements = 0;
  all.closeness.headroom.reset();
  table.add(row(all, has_waived));
  return table.text(width) + empty_bounds_line(*this);
}

std::map<std::string, Family> Summary::by_operation() const {
  std::map<std::string, Family> operations;
  for (const auto& [key, family] : families_) {
    operations[family.operation].add(family);
  }
  return operations;
}

std::string Summary::findings_by_operation() const {
  std::string text;
  int64_t unsupported = 0;
  for (const auto& [operation, family] : by_operation()) {
    const int64_t lacking = family.count(Verdict::kUnsupported);
    if (lacking > 0) ++unsupported;
    if (family.conforming() + lacking == family.cases()) continue;
    text += fmt::format("{}: {}\n", operation, verdicts_text(family));
  }
  if (unsupported == 0) return text;
  return text + fmt::format("cases of {} are not supported; -v shows them\n",
                            counted(unsupported, "operation"));
}

std::string Summary::waiver_lines() const {
  std::string text;
  for (const auto& [waiver, count] : total().waived) {
    text += fmt::format("waived       {}: {}\n", waiver,
                        counted(count, "case fails", "cases fail"));
  }
  if (waivers_ == nullptr) return text;
  for (const std::string& line : waivers_->findings()) text += line + "\n";
  return text;
}

std::string describe(const Finding& finding) {
  std::string text =
      fmt::format("{} {}  ({}:{})\n  {}\n", name(finding.judgement.verdict),
                  finding.id, finding.file, finding.line, finding.statement);
  if (!finding.judgement.message.empty()) {
    text += "  " + in_lines(finding.judgement.message) + "\n";
  }
  if (finding.judgement.difference) text += difference_text(finding);
  if (finding.judgement.again) {
    text += fmt::format("  flaky: a second run had another outcome, {}\n",
                        name(*finding.judgement.again));
  }
  return text + fmt::format("  reproduce  {}\n", finding.command);
}

std::string verdict_line(const Summary& summary, const std::string& backend) {
  const Family all = summary.total();
  std::string line =
      fmt::format("{} {}", with_colon(backend), verdicts_text(all));
  const int64_t refused = all.count(Verdict::kRefused);
  if (refused == 0) return line;
  return line + fmt::format("; the verifier refused {}",
                            counted(refused, "invalid program"));
}

std::string empty_bounds_line(const Summary& summary) {
  const int64_t n = summary.total().closeness.empty_bounds;
  if (n == 0) return {};
  return fmt::format(
      "{} {} from the reference and {} only because {} bound says nothing "
      "(spec/numerics.md, B4)\n",
      counted(n, "element"), n == 1 ? "differs" : "differ",
      n == 1 ? "conforms" : "conform", n == 1 ? "its" : "their");
}

std::pair<std::string, std::string> family_of(const std::string& id) {
  const size_t first = id.find('/');
  if (first == std::string::npos) return {id, ""};
  const size_t second = std::min(id.find('/', first + 1), id.size());
  return {id.substr(0, first), id.substr(first + 1, second - first - 1)};
}

std::string why(const Judgement& judgement) {
  std::string text(name(judgement.verdict));
  if (judgement.difference) {
    const Difference& d = *judgement.difference;
    return text + ": expected " + d.expected + ", but it is " +
           describe(d.actual);
  }
  if (!judgement.message.empty()) text += ": " + judgement.message;
  return text;
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace hlo::conformance
