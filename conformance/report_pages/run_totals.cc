#include "conformance/report_pages/run_totals.h"

#include <fmt/format.h>

#include "interpreter/counted.h"

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
  std::string line = verdict_line(summary, file.backend());
  if (!file.is_partial()) return line;
  line += "; partial: ";
  if (file.shards() > 1) {
    return line + fmt::format("shard {}/{}", file.run->shard, file.run->of);
  }
  if (file.left() == 0 && file.unread > 0) {
    return line + counted(file.unread, "line") + " could not be read";
  }
  if (!file.run) return line + "its first line is missing";
  return line + counted(file.left(), "case was", "cases were") + " not judged";
}

Change change_of(const RunTable& table, size_t row, size_t before,
                 size_t after) {
  const auto cells = table.row(row);
  for (const size_t run : {before, after}) {
    if (cells[run] == nullptr && table.runs()[run].is_partial()) {
      return Change::kSame;
    }
  }
  return change_of(cells[before], cells[after]);
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
