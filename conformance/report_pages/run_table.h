#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/report_pages/event_file.h"

namespace hlo::conformance {

/// The cases of several runs beside each other, by their ids. Where a run has
/// an id more than once, its first cases belong together, its second ones, ...
class RunTable {
 public:
  explicit RunTable(std::vector<EventFile> runs);

  const std::vector<EventFile>& runs() const { return runs_; }

  size_t size() const { return cells_.size() / runs_.size(); }  // rows

  /// For each run its case, or null.
  std::span<const RecordedCase* const> row(size_t i) const {
    return std::span(cells_).subspan(i * runs_.size(), runs_.size());
  }

  /// A case of the row.
  const RecordedCase& any(size_t i) const;

 private:
  std::vector<EventFile> runs_;  // at least one
  std::vector<const RecordedCase*> cells_;
};

}  // namespace hlo::conformance
