#include <algorithm>
#include <optional>

#include "backends/tpu/machine/scalar_read.h"
#include "backends/tpu/machine/whole_array.h"
#include "backends/tpu/operations/contraction/contraction_map.h"
#include "interpreter/rules/dimensions/dot_side.h"
#include "interpreter/rules/dimensions/ragged_dimension.h"

namespace hlo::tpu {
namespace {

__extension__ using Wide = __int128;

constexpr int64_t kNumber = sizeof(int64_t);

int64_t at(const std::vector<int64_t>& values, int64_t i) {
  return values[static_cast<size_t>(i)];
}

/// The groups that indices of the ragged dimension fall into.
class Groups {
 public:
  static constexpr int64_t kNone = -1;

  Groups(const Instruction& dot, const RaggedDimension& ragged,
         Machine& machine, const TiledArray& sizes)
      : dims_(dot.operand_shape(0).dims),
        ragged_(ragged),
        length_(at(dims_, ragged.dimension)),
        count_(sizes.shape.dims.back()),
        has_one_list_(sizes.shape.rank() == 1),
        lists_(count_ == 0 ? 1 : sizes.shape.element_count() / count_),
        room_(room_for_whole(machine, lists_ * length_ * kNumber)) {
    for (int64_t list = 0; list < lists_; ++list) assign(machine, sizes, list);
  }

  int64_t count() const { return count_; }

  /// That of the element of lhs at a row-major position; none where lhs has no
  /// elements, so that there are no terms.
  int64_t of(int64_t position) const {
    if (std::ranges::find(dims_, 0) != dims_.end()) return kNone;
    const Index index = delinearize(position, dims_);
    int64_t list = 0;
    for (const int64_t d : ragged_.outer) {
      if (!has_one_list_) list = list * at(dims_, d) + at(index, d);
    }
    return at(groups_, list * length_ + at(index, ragged_.dimension));
  }

 private:
  /// The first group that covers an index has it: sizes may be negative, so
  /// that groups overlap.
  void assign(Machine& machine, const TiledArray& sizes, int64_t list) {
    const auto first = groups_.size();
    groups_.resize(first + static_cast<size_t>(length_), kNone);
    Wide end = 0;
    for (int64_t g = 0; g < count_; ++g) {
      const auto begin =
          static_cast<int64_t>(std::clamp<Wide>(end, 0, length_));
      end += integer_at(machine, sizes, list * count_ + g);
      for (int64_t i = begin; i < std::min<Wide>(end, length_); ++i) {
        int64_t& group = groups_[first + static_cast<size_t>(i)];
        if (group == kNone) group = g;
      }
    }
  }

  const std::vector<int64_t>& dims_;
  const RaggedDimension& ragged_;
  int64_t length_;
  int64_t count_;
  bool has_one_list_;
  int64_t lists_;
  std::optional<ScratchRoom> room_;
  std::vector<int64_t> groups_;  // of each list and index
};

/// Rows, or terms, of lhs that are multiplied with one matrix: a batch, a
/// group, and which of them.
struct Part {
  int64_t batch;
  int64_t group;  // Groups::kNone: there are no terms
  std::vector<int64_t> chosen;
};

class RaggedDotMap final : public ContractionMap {
 public:
  RaggedDotMap(Machine& machine, const Instruction& dot,
               const TiledArray& sizes)
      : mode_(ragged_dimension(dot).mode) {
    const DotSide left(dot, 0);
    DotSide right(dot, 1);
    const Shape& rhs = dot.operand_shape(1);
    for (const int64_t d : dot.get_or<Ints>("rhs_group_dims", {})) {
      std::erase(right.free, d);
      group_stride_ = at(row_major_strides(rhs.dims), d);
    }
    lhs_batch_ = positions_along(dot.operand_shape(0), left.batch);
    lhs_free_ = positions_along(dot.operand_shape(0), left.free);
    lhs_depth_ = positions_along(dot.operand_shape(0), left.contracting);
    rhs_batch_ = positions_along(rhs, right.batch);
    rhs_free_ = positions_along(rhs, right.free);
    rhs_depth_ = positions_along(rhs, right.contracting);
    const RaggedDimension ragged = ragged_dimension(dot);
    room_ = room_for_whole(machine, chosen_numbers() * kNumber);
    find_parts(Groups(dot, ragged, machine, sizes));
  }

  int64_t products() const override { return std::ssize(parts_); }

  Extents extents(int64_t product) const override {
    const Part& part = parts_[static_cast<size_t>(product)];
    const int64_t chosen = std::ssize(part.chosen);
    const bool has_rows = mode_ == RaggedMode::kFree;
    const bool has_terms = mode_ == RaggedMode::kContracting;
    const int64_t depth = has_terms ? chosen : std::ssize(lhs_depth_);
    return {has_rows ? chosen : std::ssize(lhs_free_), std::ssize(rhs_free_),
            part.group == Groups::kNone ? 0 : depth};
  }

  void lhs(int64_t product, int64_t row, int64_t first,
           std::span<int64_t> into) const override {
    const Part& part = parts_[static_cast<size_t>(product)];
    fill(part, lhs_depth_,
         at(lhs_batch_, part.batch) + at(lhs_free_, row_of(part, row)), first,
         into);
  }

  void rhs(int64_t product, int64_t column, int64_t first,
           std::span<int64_t> into) const override {
    const Part& part = parts_[static_cast<size_t>(product)];
    fill(part, rhs_depth_,
         at(rhs_batch_, part.batch) + at(rhs_free_, column) +
             part.group * group_stride_,
         first, into);
  }

  /// Groups that are summed over are the first dimension of the result.
  int64_t result(int64_t product, int64_t row, int64_t column) const override {
    const Part& part = parts_[static_cast<size_t>(product)];
    int64_t matrix = part.batch;
    if (mode_ == RaggedMode::kContracting) {
      matrix += part.group * std::ssize(lhs_batch_);
    }
    return (matrix * std::ssize(lhs_free_) + row_of(part, row)) *
               std::ssize(rhs_free_) +
           column;
  }

 private:
  int64_t row_of(const Part& part, int64_t row) const {
    return mode_ == RaggedMode::kFree ? at(part.chosen, row) : row;
  }

  void fill(const Part& part, const std::vector<int64_t>& depth, int64_t base,
            int64_t first, std::span<int64_t> into) const {
    const bool chooses = mode_ == RaggedMode::kContracting;
    for (int64_t& position : into) {
      position = base + at(depth, chooses ? at(part.chosen, first) : first);
      ++first;
    }
  }

  /// How many numbers the parts have at most.
  int64_t chosen_numbers() const {
    if (mode_ == RaggedMode::kBatch) return 0;
    return std::ssize(lhs_batch_) * (mode_ == RaggedMode::kFree
                                         ? std::ssize(lhs_free_)
                                         : std::ssize(lhs_depth_));
  }

  void find_parts(const Groups& groups) {
    for (int64_t b = 0; b < std::ssize(lhs_batch_); ++b) {
      if (mode_ == RaggedMode::kBatch) {
        parts_.push_back({b, groups.of(at(lhs_batch_, b)), {}});
        continue;
      }
      const size_t first = parts_.size();
      const bool may_be_none = mode_ == RaggedMode::kFree;
      for (int64_t g = 0; g < groups.count(); ++g) parts_.push_back({b, g, {}});
      if (may_be_none) parts_.push_back({b, Groups::kNone, {}});
      const auto& inner = may_be_none ? lhs_free_ : lhs_depth_;
      for (int64_t i = 0; i < std::ssize(inner); ++i) {
        const int64_t group = groups.of(at(lhs_batch_, b) + at(inner, i));
        if (group != Groups::kNone) {
          parts_[first + static_cast<size_t>(group)].chosen.push_back(i);
        } else if (may_be_none) {
          parts_.back().chosen.push_back(i);
        }
      }
    }
  }

  RaggedMode mode_;
  int64_t group_stride_ = 0;
  std::vector<int64_t> lhs_batch_, lhs_free_, lhs_depth_;
  std::vector<int64_t> rhs_batch_, rhs_free_, rhs_depth_;
  std::optional<ScratchRoom> room_;  // of what parts choose
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<ContractionMap> ragged_dot_map(Machine& machine,
                                               const Instruction& dot,
                                               const TiledArray& group_sizes) {
  return std::make_unique<RaggedDotMap>(machine, dot, group_sizes);
}

}  // namespace hlo::tpu
