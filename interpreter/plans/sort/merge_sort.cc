#include "interpreter/plans/sort/merge_sort.h"

#include <algorithm>
#include <utility>

#include "interpreter/plans/region/comparator.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

using Positions = std::vector<int64_t>;

/// Two neighbouring runs of a line on their way into one.
struct Merge {
  int64_t line_first;  // position of the line's element 0
  int64_t a, a_end;    // the run that comes first on equality
  int64_t b, b_end;
  int64_t to;
};

/// Merge number `i` of runs of `width` elements, where each line has
/// `per_line` of them.
Merge make_merge(const Lines& lines, int64_t width, int64_t per_line,
                 int64_t i) {
  const int64_t line = i / per_line;
  const int64_t base = line * lines.size;
  const int64_t start = i % per_line * 2 * width;
  const int64_t middle = std::min(start + width, lines.size);
  const int64_t end = std::min(start + 2 * width, lines.size);
  return {lines.first(line), base + start, base + middle,
          base + middle,     base + end,   base + start};
}

/// Runs up to Region::kMaxElements merges side by side.
class Merger {
 public:
  Merger(const Lines& lines, const Positions& from, Positions& to,
         Comparator& comparator)
      : lines_(lines), from_(from), to_(to), comparator_(comparator) {}

  void run(std::vector<Merge> merges) {
    finish(merges);
    while (!merges.empty()) {
      step(merges);
      finish(merges);
    }
  }

 private:
  int64_t position(const Merge& merge, int64_t place) const {
    return merge.line_first + from_[static_cast<size_t>(place)] * lines_.stride;
  }

  void put(Merge& merge, int64_t& place) {
    to_[static_cast<size_t>(merge.to++)] = from_[static_cast<size_t>(place++)];
  }

  /// One element of each merge: the later run's only if it comes before.
  void step(std::vector<Merge>& merges) {
    first_.clear();
    second_.clear();
    for (const Merge& merge : merges) {
      first_.push_back(position(merge, merge.b));
      second_.push_back(position(merge, merge.a));
    }
    comparator_.compare(first_, second_);
    for (size_t i = 0; i < merges.size(); ++i) {
      put(merges[i], comparator_.answer(i) ? merges[i].b : merges[i].a);
    }
  }

  /// Copies what is left of a run whose partner has ended.
  void finish(std::vector<Merge>& merges) {
    std::erase_if(merges, [&](Merge& merge) {
      if (merge.a < merge.a_end && merge.b < merge.b_end) return false;
      while (merge.a < merge.a_end) put(merge, merge.a);
      while (merge.b < merge.b_end) put(merge, merge.b);
      return true;
    });
  }

  const Lines& lines_;
  const Positions& from_;
  Positions& to_;
  Comparator& comparator_;
  Positions first_;
  Positions second_;
};

/// What stays the same from level to level.
struct MergeSort {
  const Lines& lines;
  Operands operands;
  const Region& comparator;

  /// Merges [begin, end) of runs of `width`, `per_line` in each line.
  void merge(const Positions& from, Positions& to, int64_t width,
             int64_t per_line, int64_t begin, int64_t end) const {
    Comparator compare(comparator, operands);
    Merger merger(lines, from, to, compare);
    for (int64_t i = begin; i < end; i += Region::kMaxElements) {
      const int64_t last = std::min(i + Region::kMaxElements, end);
      std::vector<Merge> merges;
      merges.reserve(static_cast<size_t>(last - i));
      for (int64_t m = i; m < last; ++m) {
        merges.push_back(make_merge(lines, width, per_line, m));
      }
      merger.run(std::move(merges));
    }
  }
};

}  // namespace

std::vector<int64_t> merge_sort(const Lines& lines, Operands operands,
                                const Computation& comparator,
                                Evaluator& evaluator) {
  const Region region(comparator, evaluator);
  const MergeSort sort{lines, operands, region};
  Positions order(static_cast<size_t>(lines.count * lines.size));
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<int64_t>(i) % lines.size;
  }
  Positions merged(order.size());
  for (int64_t width = 1; width < lines.size; width *= 2) {
    const int64_t per_line = (lines.size + 2 * width - 1) / (2 * width);
    region.parallel_for(
        lines.count * per_line, 64, [&](int64_t begin, int64_t end) {
          sort.merge(order, merged, width, per_line, begin, end);
        });
    order.swap(merged);
  }
  return order;
}

}  // namespace hlo
