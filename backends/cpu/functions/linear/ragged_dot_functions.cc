#include "backends/cpu/functions/linear/ragged_dot_functions.h"

#include <algorithm>

#include "backends/cpu/arrays/add_product.h"
#include "backends/cpu/arrays/offsets.h"
#include "interpreter/rules/dimensions/ragged_dimension.h"

namespace hlo::cpu {
namespace {

bool has(const Ints& list, int64_t value) {
  return std::ranges::find(list, value) != list.end();
}

Ints without(const Shape& shape, const std::vector<Ints>& lists) {
  Ints rest;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const auto holds = [&](const Ints& list) { return has(list, d); };
    if (std::ranges::none_of(lists, holds)) rest.push_back(d);
  }
  return rest;
}

/// The group of each index of the ragged dimension, for each index of the
/// dimensions that have groups of their own; -1 in none.
class Groups {
 public:
  Groups(const Array& sizes, int64_t extent) : extent_(extent) {
    const std::vector<int64_t> numbers = integers(sizes);
    const auto count = static_cast<size_t>(sizes.shape.dims.back());
    const size_t rows = count == 0 ? 0 : numbers.size() / count;
    for (size_t row = 0; row < rows; ++row) {
      enter(std::span(numbers).subspan(row * count, count));
    }
    if (rows == 0) enter({});
  }

  int64_t of(int64_t outer, int64_t index) const {
    // One list of sizes is for all.
    const size_t row = groups_.size() == 1 ? 0 : static_cast<size_t>(outer);
    return groups_.at(row).at(static_cast<size_t>(index));
  }

 private:
  void enter(std::span<const int64_t> sizes) {
    std::vector<int64_t> group(static_cast<size_t>(extent_), -1);
    // Beyond the ends of the dimension sums count, too, but not beyond those of
    // their type.
    int64_t begin = 0;
    for (size_t g = 0; g < sizes.size(); ++g) {
      int64_t end = 0;
      if (__builtin_add_overflow(begin, sizes[g], &end)) {
        end = sizes[g] > 0 ? INT64_MAX : INT64_MIN;
      }
      for (int64_t i = std::max<int64_t>(begin, 0); i < std::min(end, extent_);
           ++i) {
        int64_t& own = group[static_cast<size_t>(i)];
        if (own < 0) own = static_cast<int64_t>(g);
      }
      begin = end;
    }
    groups_.push_back(std::move(group));
  }

  int64_t extent_;
  std::vector<std::vector<int64_t>> groups_;
};

/// What the loops of a ragged-dot walk over.
struct Walk {
  RaggedDimension ragged;
  Ints batch, free, contracted;  // of lhs
  std::vector<int64_t> x_batch, x_free, x_contracted;
  std::vector<int64_t> y_batch, y_free, y_contracted;
  int64_t group_step = 0;  // in rhs

  Walk(const Instruction& dot, const Shape& lhs, const Shape& rhs)
      : ragged(ragged_dimension(dot)) {
    batch = dot.get_or<Ints>("lhs_batch_dims", {});
    contracted = dot.get_or<Ints>("lhs_contracting_dims", {});
    free = without(lhs, {batch, contracted});
    const Ints y_batches = dot.get_or<Ints>("rhs_batch_dims", {});
    const Ints y_contracting = dot.get_or<Ints>("rhs_contracting_dims", {});
    const Ints group = dot.get_or<Ints>("rhs_group_dims", {});
    x_batch = offsets(lhs, batch);
    x_free = offsets(lhs, free);
    x_contracted = offsets(lhs, contracted);
    y_batch = offsets(rhs, y_batches);
    y_free = offsets(rhs, without(rhs, {y_batches, y_contracting, group}));
    y_contracted = offsets(rhs, y_contracting);
    if (!group.empty()) {
      group_step = row_major_strides(rhs.dims)[static_cast<size_t>(group[0])];
    }
  }
};

/// Sums over the groups of a ragged dimension.
template <typename T>
class RaggedSums {
 public:
  RaggedSums(const Walk& walk, const Shape& lhs, const Array& sizes,
             std::vector<T> x, std::vector<T> y)
      : walk_(walk),
        dims_(lhs.dims),
        groups_(sizes, lhs.dims[static_cast<size_t>(walk.ragged.dimension)]),
        x_(std::move(x)),
        y_(std::move(y)) {}

  /// The results in their order: groups, where they are contracted, batches,
  /// free dimensions of both.
  std::vector<T> all(int64_t groups) const {
    const bool contracts = walk_.ragged.mode == RaggedMode::kContracting;
    std::vector<T> results;
    for (int64_t g = 0; g < (contracts ? groups : 1); ++g) {
      for (size_t b = 0; b < walk_.x_batch.size(); ++b) {
        for (const int64_t m : walk_.x_free) {
          for (const int64_t n : walk_.y_free) {
            results.push_back(sum(contracts ? g : -1, b, m, n));
          }
        }
      }
    }
    return results;
  }

 private:
  int64_t group_of(int64_t offset) const {
    const Index at = delinearize(offset, dims_);
    int64_t outer = 0;
    for (const int64_t d : walk_.ragged.outer) {
      const auto dimension = static_cast<size_t>(d);
      outer = outer * dims_[dimension] + at[dimension];
    }
    return groups_.of(outer, at[static_cast<size_t>(walk_.ragged.dimension)]);
  }

  T sum(int64_t wanted, size_t b, int64_t m, int64_t n) const {
    T total{};
    for (size_t k = 0; k < walk_.x_contracted.size(); ++k) {
      const int64_t left = walk_.x_batch[b] + m + walk_.x_contracted[k];
      const int64_t group = group_of(left);
      if (group < 0 || (wanted >= 0 && group != wanted)) continue;
      const int64_t right = walk_.y_batch[b] + n + walk_.y_contracted[k] +
                            group * walk_.group_step;
      total = accumulate(total, x_[static_cast<size_t>(left)],
                         y_[static_cast<size_t>(right)]);
    }
    return total;
  }

  const Walk& walk_;
  const std::vector<int64_t>& dims_;
  Groups groups_;
  std::vector<T> x_, y_;
};

Array ragged_dot(const Instruction& instruction, Operands operands) {
  const ElementType type = instruction.shape.element_type;
  const Walk walk(instruction, operands[0]->shape, operands[1]->shape);
  return with_host_type(type, [&](auto tag) {
    using T = decltype(tag);
    const RaggedSums<T> sums(walk, operands[0]->shape, *operands[2],
                             operand_values<T>(*operands[0], type),
                             operand_values<T>(*operands[1], type));
    return store<T>(instruction.shape,
                    sums.all(operands[2]->shape.dims.back()));
  });
}

}  // namespace

Functions ragged_dot_functions() { return {{"ragged-dot", ragged_dot}}; }

}  // namespace hlo::cpu
