#include "conformance/report_pages/run_totals.h"

namespace hlo::conformance {

Summary summary_of(const EventFile& file) {
  Summary summary(file.run ? file.run->command : "assay check");
  summary.keep_tests();
  summary.set_waivers(nullptr, file.run && file.run->strict);
  for (const RecordedCase& recorded : file.cases) {
    summary.add(case_of(recorded), {.judgement = recorded.judgement});
  }
  return summary;
}

std::string total_line(const EventFile& file, const Summary& summary) {
  const std::string line = verdict_line(summary, file.backend());
  if (!file.is_partial()) return line;
  return line + "; partial: " + file.missing();
}

size_t telling_run(const RunTable& table, size_t row, size_t run) {
  const auto cells = table.row(row);
  for (size_t other = run + 1; other-- > 0;) {
    const EventFile& file = table.runs()[other];
    const bool is_same = file.backend() == table.runs()[run].backend();
    if (is_same && (cells[other] != nullptr || !file.is_partial())) {
      return other;
    }
  }
  return run;
}

Change change_of(const RunTable& table, size_t row, size_t before,
                 size_t after) {
  const auto cells = table.row(row);
  const size_t told = telling_run(table, row, before);
  for (const size_t run : {told, after}) {
    if (cells[run] == nullptr && table.runs()[run].is_partial()) {
      return Change::kSame;
    }
  }
  return change_of(cells[told], cells[after]);
}

std::vector<std::vector<size_t>> changed_rows(const RunTable& table,
                                              size_t before, size_t after) {
  std::vector<std::vector<size_t>> rows(kChanges);
  for (size_t i = 0; i < table.size(); ++i) {
    const Change change = change_of(table, i, before, after);
    rows.at(static_cast<size_t>(change)).push_back(i);
  }
  return rows;
}

size_t earlier_run(const RunTable& table, size_t run) {
  for (size_t other = run; other-- > 0;) {
    if (table.runs()[other].backend() == table.runs()[run].backend()) {
      return other;
    }
  }
  return run;
}

}  // namespace hlo::conformance
