#include "conformance/report_pages/markdown_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "conformance/files/printable.h"
#include "conformance/report/junit.h"
#include "conformance/report_pages/run_totals.h"
#include "interpreter/counted.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

constexpr size_t kMostCell = 300;
// What a table has at most, of each kind of change.
constexpr size_t kMostRows = 200;

/// A text that takes whole blocks while they fit.
class Bounded {
 public:
  explicit Bounded(size_t most) : most_(most) {}

  void add(const std::string& block) {
    // Room for the line that counts what is left out.
    constexpr size_t kReserve = 200;
    const bool fits =
        left_out_ == 0 && text_.size() + block.size() + kReserve <= most_;
    if (fits) {
      text_ += block;
    } else {
      ++left_out_;
    }
  }

  std::string text() const {
    if (left_out_ == 0) return text_;
    return text_ +
           fmt::format("\n{} left out: a summary has at most {} bytes.\n",
                       counted(left_out_, "more line is", "more lines are"),
                       most_);
  }

 private:
  size_t most_;
  std::string text_;
  int64_t left_out_ = 0;
};

std::string row(std::initializer_list<std::string> cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

void add_runs(Bounded& text, const RunTable& table) {
  text.add("# Assay\n\n");
  text.add(
      row({"run", "conform", "fail", "broken", "waived", "unsupported",
           "unjudged", "flaky", "state"}) +
      row({"---", "--:", "--:", "--:", "--:", "--:", "--:", "--:", "---"}));
  for (const EventFile& file : table.runs()) {
    const Family all = summary_of(file).total();
    text.add(row(
        {markdown_code(file.backend()),
         fmt::format("{} of {}", all.conforming(), all.cases()),
         std::to_string(all.failures()), std::to_string(all.broken()),
         std::to_string(all.all_waived()),
         std::to_string(all.count(Verdict::kUnsupported)),
         std::to_string(all.count(Verdict::kUnjudged)),
         std::to_string(all.flaky),
         file.is_partial() ? "**partial**: " + file.missing() : "complete"}));
  }
}

void add_problems(Bounded& text, const RunTable& table) {
  for (const EventFile& file : table.runs()) {
    for (const std::string& problem : file.problems) {
      text.add("\n" + markdown_code(problem) + "\n");
    }
  }
}

std::string why_cell(const RecordedCase* recorded) {
  if (recorded == nullptr) return "";
  return is_unexpected(recorded->judgement)
             ? markdown_code("conforms although it is waived")
             : markdown_code(why(recorded->judgement));
}

/// A table of the first rows, and how many more there are.
void add_rows(Bounded& text, const RunTable& table,
              const std::vector<size_t>& rows, size_t run) {
  text.add(row({"case", "now"}) + row({"---", "---"}));
  for (size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    text.add(row({markdown_code(table.any(rows[i]).id),
                  why_cell(table.row(rows[i])[run])}));
  }
  if (rows.size() > kMostRows) {
    text.add(fmt::format("\n{} more\n", rows.size() - kMostRows));
  }
}

void add_changes(Bounded& text, const RunTable& table, size_t run) {
  const size_t before = earlier_run(table, run);
  if (before == run) return;
  text.add(fmt::format("\n## Changes of {} from {} to {}\n",
                       markdown_code(table.runs()[run].backend()),
                       markdown_code(table.runs()[before].name),
                       markdown_code(table.runs()[run].name)));
  const auto changes = changed_rows(table, before, run);
  const size_t same = changes.back().size();
  if (same == table.size()) text.add("\nNone.\n");
  for (size_t kind = 0; kind + 1 < kChanges; ++kind) {
    if (changes[kind].empty()) continue;
    text.add(fmt::format("\n### {}: {}\n\nA case that {}.\n\n",
                         change_names()[kind].name, changes[kind].size(),
                         change_names()[kind].meaning));
    add_rows(text, table, changes[kind], run);
  }
}

void add_failures(Bounded& text, const RunTable& table, size_t run) {
  const EventFile& file = table.runs()[run];
  const bool is_strict = file.run && file.run->strict;
  std::vector<size_t> rows;
  for (size_t i = 0; i < table.size(); ++i) {
    const RecordedCase* c = table.row(i)[run];
    if (c == nullptr) continue;
    const bool surprises = is_strict && is_unexpected(c->judgement);
    if (surprises || (fails(*c) && !is_waived(*c))) rows.push_back(i);
  }
  if (rows.empty()) return;
  text.add(fmt::format("\n## What fails: {}, {}\n\n",
                       markdown_code(table.runs()[run].backend()),
                       counted(static_cast<int64_t>(rows.size()), "case")));
  add_rows(text, table, rows, run);
}

}  // namespace

std::string markdown_report(const RunTable& table, size_t most) {
  Bounded text(most);
  add_runs(text, table);
  add_problems(text, table);
  for (size_t run = 0; run < table.runs().size(); ++run) {
    add_changes(text, table, run);
  }
  for (size_t run = 0; run < table.runs().size(); ++run) {
    add_failures(text, table, run);
  }
  return text.text();
}

std::string markdown_code(std::string_view text) {
  std::string cell = printable(shortened(text, kMostCell));
  std::replace(cell.begin(), cell.end(), '\n', ' ');
  // Markdown reads its own signs between tags, too; a number stands for none,
  // and xml_escape() leaves no & but in such.
  constexpr std::string_view kSigns = "|*_[]()!~#\\`@:$";
  std::string safe;
  for (const char c : xml_escape(cell)) {
    const bool is_address = c == '.' && safe.ends_with("www");
    if (is_address || kSigns.find(c) != std::string_view::npos) {
      safe += fmt::format("&#{};", static_cast<int>(c));
    } else {
      safe += c;
    }
  }
  return "<code>" + safe + "</code>";
}

}  // namespace hlo::conformance
