#include "conformance/expect/order/expect_sorted.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "interpreter/evaluate.h"
#include "interpreter/plans/region/comparator.h"
#include "interpreter/plans/sort/sorting.h"

namespace hlo::conformance {
namespace {

using Positions = std::vector<int64_t>;

/// Which of two elements the comparator puts before the other.
enum class Relation : uint8_t { kNeither, kFirst, kSecond, kBoth };

class Relations {
 public:
  Relations(const Instruction& sort, const std::vector<Literal>& rows)
      : region_(*sort.get<Computation*>("to_apply"), evaluator_),
        comparator_(region_, rows) {}

  /// Those of the elements at a[i] and b[i].
  std::vector<Relation> find(const Positions& a, const Positions& b) {
    std::vector<Relation> relations;
    for (size_t first = 0; first < a.size(); first += kBlock) {
      const size_t last = std::min(first + kBlock, a.size());
      const Positions left(a.begin() + offset(first), a.begin() + offset(last));
      const Positions right(b.begin() + offset(first),
                            b.begin() + offset(last));
      comparator_.compare(left, right);
      for (size_t i = 0; i < left.size(); ++i) {
        relations.push_back(comparator_.answer(i) ? Relation::kFirst
                                                  : Relation::kNeither);
      }
      comparator_.compare(right, left);
      for (size_t i = 0; i < left.size(); ++i) {
        if (!comparator_.answer(i)) continue;
        Relation& relation = relations[first + i];
        relation =
            relation == Relation::kFirst ? Relation::kBoth : Relation::kSecond;
      }
    }
    return relations;
  }

 private:
  static constexpr size_t kBlock = size_t{Region::kMaxElements};

  static std::ptrdiff_t offset(size_t i) {
    return static_cast<std::ptrdiff_t>(i);
  }

  Evaluator evaluator_{kReference};
  Region region_;
  Comparator comparator_;
};

/// A line's places, in order.
Positions places_of(const Lines& lines, int64_t line) {
  Positions places(static_cast<size_t>(lines.size));
  for (int64_t k = 0; k < lines.size; ++k) {
    places[static_cast<size_t>(k)] = lines.first(line) + k * lines.stride;
  }
  return places;
}

/// The runs of elements each of which is tied to the next.
std::vector<Positions> runs_of(const Positions& places, Relations& relations) {
  std::vector<Positions> runs;
  if (places.empty()) return runs;
  const Positions left(places.begin(), places.end() - 1);
  const Positions right(places.begin() + 1, places.end());
  const std::vector<Relation> found = relations.find(left, right);
  runs.push_back({places[0]});
  for (size_t i = 0; i < right.size(); ++i) {
    if (found[i] != Relation::kNeither) runs.emplace_back();
    runs.back().push_back(right[i]);
  }
  return runs;
}

/// Whether every element is tied to the ends of its run.
bool are_tied(const std::vector<Positions>& runs, Relations& relations) {
  Positions places;
  Positions ends;
  for (const Positions& run : runs) {
    for (const int64_t end : {run.front(), run.back()}) {
      places.insert(places.end(), run.begin(), run.end());
      ends.insert(ends.end(), run.size(), end);
    }
  }
  const std::vector<Relation> found = relations.find(places, ends);
  return std::ranges::count(found, Relation::kNeither) == std::ssize(found);
}

/// Whether every element lies on the right side of the first elements of the
/// line's first, last, and its neighbouring runs.
bool are_in_order(const std::vector<Positions>& runs, Relations& relations) {
  Positions places;
  Positions others;
  std::vector<Relation> sides;
  for (size_t r = 0; r < runs.size(); ++r) {
    for (const size_t other : {size_t{0}, r - 1, r + 1, runs.size() - 1}) {
      if (other == r || other >= runs.size()) continue;
      const Positions& run = runs[r];
      places.insert(places.end(), run.begin(), run.end());
      others.insert(others.end(), run.size(), runs[other].front());
      sides.insert(sides.end(), run.size(),
                   r < other ? Relation::kFirst : Relation::kSecond);
    }
  }
  return relations.find(places, others) == sides;
}

/// Whether the runs look like an order: comparing all pairs would take too
/// long.
bool are_consistent(const std::vector<Positions>& runs, Relations& relations) {
  return are_tied(runs, relations) && are_in_order(runs, relations);
}

/// The bits of an element of each operand, side by side.
std::string row(const std::vector<Literal>& leaves, int64_t place) {
  std::string bits;
  for (const Literal& leaf : leaves) {
    const auto width = static_cast<size_t>(storage_bytes(leaf.type()));
    const auto* data = reinterpret_cast<const char*>(leaf.bytes().data());
    bits.append(data + static_cast<size_t>(place) * width, width);
  }
  return bits;
}

void set_row(std::vector<Literal>& leaves, int64_t place,
             const std::string& bits) {
  size_t begin = 0;
  for (Literal& leaf : leaves) {
    const auto width = static_cast<size_t>(storage_bytes(leaf.type()));
    std::memcpy(
        leaf.mutable_bytes().data() + static_cast<size_t>(place) * width,
        bits.data() + begin, width);
    begin += width;
  }
}

/// The rows of a run that the observed result has not used up yet.
class Rows {
 public:
  explicit Rows(std::vector<std::string> rows)
      : rows_(std::move(rows)), used_(rows_.size(), 0) {
    std::ranges::sort(rows_);
  }

  bool take(const std::string& wanted) {
    const auto first = static_cast<size_t>(
        std::ranges::lower_bound(rows_, wanted) - rows_.begin());
    if (first == rows_.size()) return false;
    const size_t at = first + used_[first];
    if (at >= rows_.size() || rows_[at] != wanted) return false;
    ++used_[first];
    return true;
  }

  std::vector<std::string> left() const {
    std::vector<std::string> found;
    size_t used = 0;  // of the rows like this one, from the first of them on
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (i == 0 || rows_[i] != rows_[i - 1]) used = used_[i];
      if (used == 0) found.push_back(rows_[i]);
      used -= used > 0 ? 1 : 0;
    }
    return found;
  }

 private:
  std::vector<std::string> rows_;
  std::vector<size_t> used_;  // at the first of equal rows
};

/// Puts the run's rows where the observed result has them; those that it
/// lacks go, in order, where it has rows that do not belong there.
void arrange(const Positions& run, const std::vector<Literal>& observed,
             std::vector<Literal>& nearest) {
  std::vector<std::string> rows;
  rows.reserve(run.size());
  for (const int64_t place : run) rows.push_back(row(nearest, place));
  Rows wanted(std::move(rows));
  Positions open;
  for (const int64_t place : run) {
    const std::string seen = row(observed, place);
    if (wanted.take(seen)) {
      set_row(nearest, place, seen);
    } else {
      open.push_back(place);
    }
  }
  const std::vector<std::string> left = wanted.left();
  for (size_t i = 0; i < open.size(); ++i) set_row(nearest, open[i], left[i]);
}

/// Notes why the leaves whose elements of the run are not all one are open.
void note_open(const Positions& run, const std::vector<Literal>& leaves,
               bool is_order, std::vector<std::string>& reasons) {
  for (size_t k = 0; k < leaves.size(); ++k) {
    const bool alike = std::ranges::all_of(run, [&](int64_t place) {
      return leaves[k].at(place) == leaves[k].at(run.front());
    });
    if (alike || !reasons[k].empty()) continue;
    reasons[k] =
        is_order ? "equal elements of this sort may come in any order"
                 : "the comparator of this sort is no order of its elements";
  }
}

bool same_rows(const Positions& places, const std::vector<Literal>& a,
               const std::vector<Literal>& b) {
  return std::ranges::all_of(
      places, [&](int64_t place) { return row(a, place) == row(b, place); });
}

/// Open leaves are those that have a reason for it.
std::vector<Expectation> sets_of(std::vector<Literal> leaves,
                                 const std::vector<std::string>& reasons) {
  std::vector<Expectation> sets;
  sets.reserve(leaves.size());
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (reasons[k].empty()) {
      sets.emplace_back(ArraySet::moved(std::move(leaves[k])));
    } else {
      sets.emplace_back(UnspecifiedSet{reasons[k]});
    }
  }
  return sets;
}

}  // namespace

std::vector<Expectation> expect_sorted(const Instruction& sort,
                                       const std::vector<Literal>& reference,
                                       const std::vector<Literal>* observed) {
  const Lines lines =
      lines_along(reference[0].shape(), sort.get<Ints>("dimensions")[0]);
  Relations relations(sort, reference);
  const bool is_stable = sort.op->is_determined(sort);
  std::vector<Literal> nearest = reference;
  std::vector<std::string> reasons(reference.size());
  for (int64_t line = 0; line < lines.count; ++line) {
    const Positions places = places_of(lines, line);
    if (observed != nullptr && same_rows(places, reference, *observed))
      continue;
    std::vector<Positions> runs = runs_of(places, relations);
    const bool is_order = are_consistent(runs, relations);
    if (is_order && is_stable) continue;
    if (!is_order) runs = {places};
    for (const Positions& run : runs) {
      if (observed == nullptr) {
        note_open(run, reference, is_order, reasons);
      } else if (run.size() > 1) {
        arrange(run, *observed, nearest);
      }
    }
  }
  return sets_of(std::move(nearest), reasons);
}

}  // namespace hlo::conformance
