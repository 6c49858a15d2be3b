#include "backends/cpu/routines/sort_routine.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/sorting/merge_rows.h"
#include "backends/cpu/kernels/sorting/radix_sort.h"
#include "backends/cpu/kernels/view.h"
#include "backends/cpu/routines/regions/comparator.h"
#include "backends/cpu/routines/regions/lane_region.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kSortedPerTask =
    int64_t{32} * 1024;          // elements worth another thread
constexpr int64_t kBeside = 16;  // lines that are copied together

using Lines = std::vector<const std::byte*>;  // of operands
using ResultLines = std::vector<std::byte*>;

template <typename Word>
void permute_words(const std::byte* from, std::span<const uint32_t> order,
                   std::byte* to) {
  const auto* const words = reinterpret_cast<const Word*>(from);
  auto* const sorted = reinterpret_cast<Word*>(to);
  const auto count = std::ssize(order);
  share_loop((count + kSortedPerTask - 1) / kSortedPerTask, [&](int64_t task) {
    const int64_t last = std::min(count, (task + 1) * kSortedPerTask);
    for (int64_t i = task * kSortedPerTask; i < last; ++i) {
      sorted[i] = words[order[static_cast<size_t>(i)]];
    }
  });
}

struct Wide {
  uint64_t parts[2];
};

void permute(size_t width, const std::byte* from,
             std::span<const uint32_t> order, std::byte* to) {
  switch (width) {
    case 1:
      return permute_words<uint8_t>(from, order, to);
    case 2:
      return permute_words<uint16_t>(from, order, to);
    case 4:
      return permute_words<uint32_t>(from, order, to);
    case 8:
      return permute_words<uint64_t>(from, order, to);
    default:
      return permute_words<Wide>(from, order, to);
  }
}

/// Writes the order of the rows of lines, one of each operand.
using OrderRows = std::function<void(const Lines&, std::span<uint32_t>)>;

void load_lanes(const std::byte* from, size_t width, const uint32_t* rows,
                size_t n, uint32_t* to) {
  const auto* const words = reinterpret_cast<const uint32_t*>(from);
  if (width == 4) {
    for (size_t i = 0; i < n; ++i) to[i] = words[rows[i]];
  } else {
    for (size_t i = 0; i < n; ++i) {
      to[i] = std::to_integer<uint32_t>(from[rows[i]]);
    }
  }
}

/// The comparison of rows by a region on the lanes of both.
RowsBefore before_of(const LaneRegion& region,
                     const std::vector<size_t>& widths, const Lines& lines) {
  const auto run = std::make_shared<LaneRun>(region, kMostPairs);
  return [run, &widths, &lines](const uint32_t* a, const uint32_t* b, size_t n,
                                uint8_t* before) {
    for (size_t k = 0; k < lines.size(); ++k) {
      load_lanes(lines[k], widths[k], a, n, run->parameter(2 * k));
      load_lanes(lines[k], widths[k], b, n, run->parameter(2 * k + 1));
    }
    run->run(n);
    const uint32_t* const result = run->result(0);
    for (size_t i = 0; i < n; ++i) before[i] = result[i] != 0 ? 1 : 0;
  };
}

/// A sort along one of the dimensions: `outer` times `inner` lines.
class Sort {
 public:
  explicit Sort(const Instruction& sort) {
    const Shape& shape = sort.operand_shape(0);
    const auto along = static_cast<size_t>(sort.get<Ints>("dimensions").at(0));
    for (size_t d = 0; d < shape.dims.size(); ++d) {
      (d < along ? outer_ : d == along ? size_ : inner_) *= shape.dims[d];
    }
    for (const Instruction* operand : sort.operands) {
      widths_.push_back(
          static_cast<size_t>(storage_bytes(operand->shape.element_type)));
    }
  }

  int64_t size() const { return size_; }

  bool by_keys(std::vector<ComparedKey> keys) {
    if (widths_.size() == 1 && keys.size() == 1) only_ = keys[0].key;
    order_ = [keys = std::move(keys)](const Lines& lines,
                                      std::span<uint32_t> order) {
      std::vector<SortColumn> columns;
      for (const ComparedKey& key : keys) {
        columns.push_back({key.key, lines[key.operand]});
      }
      const auto has_nan = [&](const SortColumn& column) {
        return has_unordered(column, std::ssize(order));
      };
      if (!std::ranges::any_of(columns, has_nan)) {
        return order_rows(columns, order);
      }
      merge_rows(order, [&] { return before_by(columns); });
    };
    return true;
  }

  bool by_region(std::optional<LaneRegion> region) {
    if (!region) return false;
    order_ = [region = *std::move(region), this](const Lines& lines,
                                                 std::span<uint32_t> order) {
      merge_rows(order, [&] { return before_of(region, widths_, lines); });
    };
    return true;
  }

  void run(std::span<const std::byte* const> from,
           std::span<std::byte* const> to) const {
    const int64_t beside = std::min(inner_, kBeside);
    const int64_t groups = (inner_ + beside - 1) / beside;
    const int64_t some = std::max<int64_t>(
        1, kSortedPerTask / std::max<int64_t>(1, size_ * beside));
    const int64_t all = outer_ * groups;
    share_loop((all + some - 1) / some, [&](int64_t task) {
      for (int64_t i = task * some; i < std::min(all, (task + 1) * some); ++i) {
        const int64_t first = i % groups * beside;
        sort_group(from, to, i / groups * size_ * inner_ + first,
                   std::min(beside, inner_ - first));
      }
    });
  }

 private:
  /// Sorts so many lines beside each other, the first of which begins at a
  /// position. Where lines do not lie in memory one after the other they are
  /// sorted elsewhere.
  void sort_group(std::span<const std::byte* const> from,
                  std::span<std::byte* const> to, int64_t position,
                  int64_t count) const {
    if (inner_ == 1) return sort_line(from, to, position);
    std::vector<AlignedBytes> memory;
    Lines own;
    ResultLines sorted;
    for (size_t k = 0; k < widths_.size(); ++k) {
      const auto bytes = static_cast<size_t>(size_ * count) * widths_[k];
      memory.push_back(aligned_bytes(bytes));
      own.push_back(memory.back().get());
      memory.push_back(aligned_bytes(bytes));
      sorted.push_back(memory.back().get());
      copy_elements(beside_each_other(position, count).permuted(kTurned),
                    widths_[k], from[k], 0, size_ * count, memory[2 * k].get());
    }
    for (int64_t i = 0; i < count; ++i) sort_line(own, sorted, i * size_);
    const View turned = View::dense({count, size_}).permuted(kTurned);
    for (size_t k = 0; k < widths_.size(); ++k) {
      // What was read is not needed any more.
      std::byte* const rows = memory[2 * k].get();
      copy_elements(turned, widths_[k], sorted[k], 0, size_ * count, rows);
      write_elements(beside_each_other(position, count), widths_[k], rows,
                     to[k]);
    }
  }

  static constexpr int64_t kTurned[] = {1, 0};

  /// The elements of so many lines, a row of them after the other.
  View beside_each_other(int64_t position, int64_t count) const {
    return {{size_, count}, {inner_, 1}, position};
  }

  /// Sorts the line at a position of memory in which it lies in one piece.
  void sort_line(std::span<const std::byte* const> from,
                 std::span<std::byte* const> to, int64_t position) const {
    const auto offset = position * static_cast<int64_t>(widths_[0]);
    if (only_ && !has_unordered({*only_, from[0] + offset}, size_)) {
      std::memcpy(to[0] + offset, from[0] + offset,
                  static_cast<size_t>(size_) * widths_[0]);
      return sort_elements(*only_, to[0] + offset, size_);
    }
    Lines lines;
    for (size_t k = 0; k < widths_.size(); ++k) {
      lines.push_back(from[k] + position * static_cast<int64_t>(widths_[k]));
    }
    std::vector<uint32_t> order(static_cast<size_t>(size_));
    order_(lines, order);
    for (size_t k = 0; k < widths_.size(); ++k) {
      permute(widths_[k], lines[k], order,
              to[k] + position * static_cast<int64_t>(widths_[k]));
    }
  }

  int64_t outer_ = 1;
  int64_t size_ = 1;
  int64_t inner_ = 1;
  std::vector<size_t> widths_;  // of an element of each operand
  OrderRows order_;
  std::optional<SortKey> only_;  // of a sort of one operand by it
};

/// Whether the comparator's parameters and the results have the types of the
/// operands.
bool keeps_types(const Instruction& sort, const Computation& comparator) {
  const auto results = leaves(sort.shape);
  for (size_t k = 0; k < results.size(); ++k) {
    if (results[k]->element_type != sort.operand_shape(k).element_type) {
      return false;
    }
  }
  for (size_t i = 0; i < comparator.parameters.size(); ++i) {
    if (comparator.parameters[i]->shape.element_type !=
        sort.operand_shape(i / 2).element_type) {
      return false;
    }
  }
  return true;
}

/// Whether lanes hold an element of each operand.
bool fits_lanes(const Instruction& sort) {
  return std::ranges::all_of(sort.operands, [](const Instruction* operand) {
    return lane_width(operand->shape.element_type) != 0;
  });
}

}  // namespace

std::optional<Routine> sort_routine(const Instruction& sort) {
  const Computation& comparator = *sort.get<Computation*>("to_apply");
  const auto own = std::make_shared<Sort>(sort);
  if (own->size() > kMostRows || !keeps_types(sort, comparator)) {
    return std::nullopt;
  }
  std::optional<std::vector<ComparedKey>> keys = compared_keys(comparator);
  const bool fits =
      keys ? own->by_keys(*std::move(keys))
           : fits_lanes(sort) && own->by_region(lane_region(comparator));
  if (!fits) return std::nullopt;
  return Routine{[own](auto from, auto to) { own->run(from, to); }};
}

}  // namespace hlo::cpu
