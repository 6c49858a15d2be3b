#include "conformance/report_pages/run_table.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace hlo::conformance {
namespace {

struct Entry {
  std::string_view id;
  int occurrence;  // of the id in its run
  size_t run;
  const RecordedCase* recorded;
};

std::vector<Entry> entries_of(const std::vector<EventFile>& runs) {
  std::vector<Entry> entries;
  for (size_t run = 0; run < runs.size(); ++run) {
    std::unordered_map<std::string_view, int> occurrences;
    for (const RecordedCase& recorded : runs[run].cases) {
      entries.push_back(
          {recorded.id, occurrences[recorded.id]++, run, &recorded});
    }
  }
  return entries;
}

}  // namespace

RunTable::RunTable(std::vector<EventFile> runs) : runs_(std::move(runs)) {
  std::vector<Entry> entries = entries_of(runs_);
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.id, a.occurrence, a.run) <
           std::tie(b.id, b.occurrence, b.run);
  });
  const Entry* last = nullptr;
  for (const Entry& entry : entries) {
    const bool is_new = last == nullptr || last->id != entry.id ||
                        last->occurrence != entry.occurrence;
    if (is_new) cells_.resize(cells_.size() + runs_.size(), nullptr);
    cells_[cells_.size() - runs_.size() + entry.run] = entry.recorded;
    last = &entry;
  }
}

const RecordedCase& RunTable::any(size_t i) const {
  const auto cells = row(i);
  return **std::find_if(cells.begin(), cells.end(),
                        [](const RecordedCase* c) { return c != nullptr; });
}

}  // namespace hlo::conformance
