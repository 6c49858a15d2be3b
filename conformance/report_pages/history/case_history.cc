#include "conformance/report_pages/history/case_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "conformance/report/table.h"
#include "conformance/report_pages/run_totals.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

/// Runs in a row in which a case is the same.
struct Span {
  size_t first;
  size_t last;
  int64_t runs;
};

/// Those of the runs that tell of the row; a partial one that lacks it is none.
std::vector<size_t> telling(const RunTable& table, size_t row,
                            const std::vector<size_t>& runs) {
  std::vector<size_t> known;
  for (const size_t run : runs) {
    const bool lacks = table.row(row)[run] == nullptr;
    if (!lacks || !table.runs()[run].is_partial()) known.push_back(run);
  }
  return known;
}

std::vector<Span> spans_of(const RunTable& table, size_t row,
                           const std::vector<size_t>& runs) {
  std::vector<Span> spans;
  for (const size_t run : telling(table, row, runs)) {
    const bool same = !spans.empty() && change_of(table, row, spans.back().last,
                                                  run) == Change::kSame;
    if (!same) spans.push_back({.first = run, .last = run, .runs = 0});
    spans.back().last = run;
    ++spans.back().runs;
  }
  return spans;
}

std::string verdict_of(const RecordedCase* recorded) {
  if (recorded == nullptr) return "absent";
  return std::string(name(recorded->judgement.verdict));
}

/// `before` is the span before it, or null.
std::string span_line(const RunTable& table, size_t row, const Span& span,
                      const Span* before) {
  std::string text =
      fmt::format("  {:<17} {}", verdict_of(table.row(row)[span.first]),
                  table.runs()[span.first].name);
  if (span.runs > 1) {
    text +=
        fmt::format(" to {}, {} runs", table.runs()[span.last].name, span.runs);
  }
  if (before != nullptr) {
    const Change change = change_of(table, row, before->last, span.first);
    text +=
        fmt::format(" ({})", change_names()[static_cast<size_t>(change)].name);
  }
  return text + "\n";
}

std::string row_text(const RunTable& table, size_t row,
                     const std::vector<Span>& spans) {
  std::string text = table.any(row).id + "\n";
  const Span* before = nullptr;
  for (const Span& span : spans) {
    text += span_line(table, row, span, before);
    before = &span;
  }
  return text;
}

std::string backend_text(const RunTable& table, const BackendRuns& backend) {
  std::string text;
  int64_t same = 0;
  for (size_t row = 0; row < table.size(); ++row) {
    const auto spans = spans_of(table, row, backend.runs);
    if (spans.size() > 1) {
      text += row_text(table, row, spans);
    } else if (!spans.empty() && table.row(row)[spans[0].first] != nullptr) {
      ++same;
    }
  }
  return fmt::format("{}{} {}\n{}{} the same in all of them\n", backend.backend,
                     backend.backend.ends_with(':') ? "" : ":",
                     counted(std::ssize(backend.runs), "run"), text,
                     counted(same, "case is", "cases are"));
}

/// How many cases became worse, better and otherwise another; - for a first
/// run.
std::array<std::string, 3> change_cells(const RunTable& table,
                                        const BackendRuns& backend, size_t i) {
  if (i == 0) return {"-", "-", "-"};
  const auto changes =
      changed_rows(table, backend.runs[i - 1], backend.runs[i]);
  std::array<int64_t, 3> counts{};
  for (size_t kind = 0; kind + 1 < kChanges; ++kind) {
    const auto to = static_cast<size_t>(direction(static_cast<Change>(kind)));
    counts.at(to) += std::ssize(changes[kind]);
  }
  return {std::to_string(counts[0]), std::to_string(counts[1]),
          std::to_string(counts[2])};
}

}  // namespace

std::vector<BackendRuns> runs_by_backend(const RunTable& table) {
  std::vector<BackendRuns> backends;
  for (size_t run = 0; run < table.runs().size(); ++run) {
    const std::string& name = table.runs()[run].backend();
    auto found =
        std::find_if(backends.begin(), backends.end(),
                     [&](const BackendRuns& b) { return b.backend == name; });
    if (found == backends.end()) {
      found = backends.insert(found, {.backend = name, .runs = {}});
    }
    found->runs.push_back(run);
  }
  return backends;
}

std::string history_text(const RunTable& table) {
  std::string text;
  for (const BackendRuns& backend : runs_by_backend(table)) {
    if (!text.empty()) text += "\n";
    text += backend_text(table, backend);
  }
  return text;
}

std::string trend_text(const RunTable& table) {
  const auto number = [](const char* title) { return Column{.title = title}; };
  Table rows({{.title = "run", .width = 20, .is_text = true},
              {.title = "backend", .width = 12, .is_text = true},
              number("cases"),
              number("conform"),
              number("fail"),
              number("broken"),
              number("worse"),
              number("better"),
              number("other"),
              {.title = "state", .is_text = true}});
  for (const BackendRuns& backend : runs_by_backend(table)) {
    for (size_t i = 0; i < backend.runs.size(); ++i) {
      const EventFile& file = table.runs()[backend.runs[i]];
      const Family all = summary_of(file).total();
      const auto changed = change_cells(table, backend, i);
      rows.add({file.name, file.backend(), std::to_string(all.cases()),
                std::to_string(all.conforming()),
                std::to_string(all.failures()), std::to_string(all.broken()),
                changed[0], changed[1], changed[2],
                file.is_partial() ? "partial" : "complete"});
    }
  }
  return rows.text({});
}

}  // namespace hlo::conformance
