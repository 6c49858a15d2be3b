#include "interpreter/plans/updates/window_select.h"

#include <algorithm>

#include "interpreter/model/index_loops.h"
#include "interpreter/plans/fold/fold_cells.h"
#include "interpreter/plans/region/comparator.h"

namespace hlo {
namespace {

/// The choices of a run of windows.
class Choices {
 public:
  explicit Choices(int64_t count) : chosen_(static_cast<size_t>(count), -1) {}

  void visit(const FoldCells& cells, Comparator& comparator) {
    lanes_.clear();
    choices_.clear();
    cells_.clear();
    for (size_t i = 0; i < cells.lanes().size(); ++i) {
      const auto lane = static_cast<size_t>(cells.lanes()[i]);
      const int64_t position = cells.positions()[i];
      if (chosen_[lane] < 0) {
        chosen_[lane] = position;
      } else {
        lanes_.push_back(lane);
        choices_.push_back(chosen_[lane]);
        cells_.push_back(position);
      }
    }
    if (lanes_.empty()) return;
    comparator.compare(choices_, cells_);
    for (size_t i = 0; i < lanes_.size(); ++i) {
      if (!comparator.answer(i)) chosen_[lanes_[i]] = cells_[i];
    }
  }

  const std::vector<int64_t>& chosen() const { return chosen_; }

 private:
  std::vector<int64_t> chosen_;
  std::vector<size_t> lanes_;
  std::vector<int64_t> choices_;
  std::vector<int64_t> cells_;
};

}  // namespace

std::vector<Update> select_cells(const Fold& windows, Operands operands,
                                 Evaluator& evaluator) {
  const Region region(*windows.reducer, evaluator);
  Comparator comparator(region, operands.first(1));
  int64_t count = 1;
  for (const FoldAxis& axis : windows.axes) count *= axis.result_size;
  std::vector<Update> updates;
  for (int64_t first = 0; first < count; first += Region::kMaxElements) {
    const int64_t n = std::min(Region::kMaxElements, count - first);
    FoldCells cells(windows, first, n);
    Choices choices(n);
    for_each_index(cell_counts(windows), [&](const Index& cell) {
      cells.find(cell);
      choices.visit(cells, comparator);
    });
    for (int64_t i = 0; i < n; ++i) {
      const int64_t chosen = choices.chosen()[static_cast<size_t>(i)];
      if (chosen >= 0) updates.push_back({chosen, first + i});
    }
  }
  return updates;
}

}  // namespace hlo
