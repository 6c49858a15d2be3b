#include <algorithm>

#include "backends/tpu/operations/contraction/contraction_map.h"
#include "backends/tpu/operations/contraction/ragged_groups.h"
#include "interpreter/rules/dimensions/dot_side.h"
#include "interpreter/rules/dimensions/ragged_dimension.h"

namespace hlo::tpu {
namespace {

int64_t at(const std::vector<int64_t>& values, int64_t i) {
  return values[static_cast<size_t>(i)];
}

/// The dimensions of a list, row-major: those before the ragged one, that one,
/// and those behind it.
struct Parted {
  Parted(const Shape& shape, const Ints& dims, int64_t ragged) {
    bool is_before = true;
    for (const int64_t d : dims) {
      const int64_t size = at(shape.dims, d);
      if (d == ragged) {
        is_before = false;
        length = size;
      } else {
        (is_before ? before : behind) *= size;
      }
    }
  }

  int64_t before = 1;
  int64_t length = 1;
  int64_t behind = 1;
};

const Ints& list_of(const DotSide& side, RaggedMode mode) {
  switch (mode) {
    case RaggedMode::kBatch:
      return side.batch;
    case RaggedMode::kContracting:
      return side.contracting;
    default:
      return side.free;
  }
}

/// A product for each batch and, as groups share no elements of the result, for
/// each group of it: of rows that are in one, of terms that are, or of a batch
/// that is. Rows that are in no group have a product without terms.
class RaggedDotMap final : public ContractionMap {
 public:
  RaggedDotMap(Machine& machine, const Instruction& dot,
               const TiledArray& sizes)
      : RaggedDotMap(machine, dot, sizes, ragged_dimension(dot),
                     DotSide(dot, 0)) {}

  int64_t products() const override {
    return std::ssize(lhs_batch_) * outer_rows() * groups_of_product();
  }

  Extents extents(int64_t product) const override {
    const Part part = part_of(product);
    Extents extents{std::ssize(lhs_free_), std::ssize(rhs_free_),
                    std::ssize(lhs_depth_)};
    if (mode_ == RaggedMode::kFree) {
      extents.rows = part.indices.size() * parted_.behind;
    }
    if (mode_ == RaggedMode::kContracting) {
      extents.depth = parted_.before * part.longest * parted_.behind;
    }
    if (part.group == groups_.count()) extents.depth = 0;
    return extents;
  }

  void lhs(int64_t product, int64_t row, int64_t first,
           std::span<int64_t> into) const override {
    const Part part = part_of(product);
    fill(part, lhs_depth_,
         at(lhs_batch_, part.batch) + at(lhs_free_, row_of(part, row)), first,
         into);
  }

  void rhs(int64_t product, int64_t column, int64_t first,
           std::span<int64_t> into) const override {
    const Part part = part_of(product);
    fill(part, rhs_depth_,
         at(rhs_batch_, part.batch) + at(rhs_free_, column) +
             part.group * group_stride_,
         first, into);
  }

  /// Groups that are summed over are the first dimension of the result.
  int64_t result(int64_t product, int64_t row, int64_t column) const override {
    const Part part = part_of(product);
    int64_t matrix = part.batch;
    if (mode_ == RaggedMode::kContracting) {
      matrix += part.group * std::ssize(lhs_batch_);
    }
    return (matrix * std::ssize(lhs_free_) + row_of(part, row)) *
               std::ssize(rhs_free_) +
           column;
  }

 private:
  /// What a product is of.
  struct Part {
    int64_t batch;
    int64_t outer;  // of the free dimensions before the ragged one
    int64_t group;
    IndexRange indices{};  // that the group has, where rows are in groups
    int64_t longest = 0;   // of the ranges that are summed over
  };

  RaggedDotMap(Machine& machine, const Instruction& dot,
               const TiledArray& sizes, const RaggedDimension& ragged,
               const DotSide& left)
      : mode_(ragged.mode),
        parted_(dot.operand_shape(0), list_of(left, ragged.mode),
                ragged.dimension),
        groups_(machine, sizes, parted_.length) {
    DotSide right(dot, 1);
    const Shape& lhs = dot.operand_shape(0);
    const Shape& rhs = dot.operand_shape(1);
    for (const int64_t d : dot.get_or<Ints>("rhs_group_dims", {})) {
      std::erase(right.free, d);
      group_stride_ = at(row_major_strides(rhs.dims), d);
    }
    lhs_batch_ = positions_along(lhs, left.batch);
    lhs_free_ = positions_along(lhs, left.free);
    lhs_depth_ = positions_along(lhs, left.contracting);
    rhs_batch_ = positions_along(rhs, right.batch);
    rhs_free_ = positions_along(rhs, right.free);
    rhs_depth_ = positions_along(rhs, right.contracting);
  }

  int64_t outer_rows() const {
    return mode_ == RaggedMode::kFree ? parted_.before : 1;
  }

  int64_t groups_of_product() const {
    if (mode_ == RaggedMode::kBatch) return 1;
    return groups_.count() + (mode_ == RaggedMode::kFree ? 1 : 0);
  }

  /// That of the product before is kept, as its numbers are asked for often.
  const Part& part_of(int64_t product) const {
    if (product != last_product_) {
      last_product_ = product;
      last_ = found_part(product);
    }
    return last_;
  }

  Part found_part(int64_t product) const {
    const int64_t group = product % groups_of_product();
    const int64_t list = product / groups_of_product();
    Part part{list / outer_rows(), list % outer_rows(), group};
    if (mode_ == RaggedMode::kFree) {
      part.indices = groups_.indices_of(list, group);
    } else if (mode_ == RaggedMode::kBatch) {
      const int64_t place = part.batch / parted_.behind;
      part.group =
          groups_.group_of(place / parted_.length, place % parted_.length);
    } else {
      for (int64_t o = 0; o < parted_.before; ++o) {
        part.longest = std::max(part.longest, summed(part, o).size());
      }
    }
    return part;
  }

  /// The indices that a product sums over, of one combination of the dimensions
  /// before the ragged one.
  IndexRange summed(const Part& part, int64_t outer) const {
    return groups_.indices_of(part.batch * parted_.before + outer, part.group);
  }

  /// Rows of a group follow each other.
  int64_t row_of(const Part& part, int64_t row) const {
    if (mode_ != RaggedMode::kFree) return row;
    return (part.outer * parted_.length + part.indices.begin) * parted_.behind +
           row;
  }

  void fill(const Part& part, const std::vector<int64_t>& depth, int64_t base,
            int64_t first, std::span<int64_t> into) const {
    if (mode_ == RaggedMode::kContracting) {
      return fill_summed(part, depth, base, first, into);
    }
    for (int64_t& position : into) position = base + at(depth, first++);
  }

  /// As many terms for each combination of the dimensions before the ragged
  /// one as the longest range has: where it is shorter, none.
  void fill_summed(const Part& part, const std::vector<int64_t>& depth,
                   int64_t base, int64_t first, std::span<int64_t> into) const {
    const int64_t terms = part.longest * parted_.behind;
    int64_t outer = -1;
    IndexRange range{};
    for (int64_t& position : into) {
      if (outer != first / terms) {
        outer = first / terms;
        range = summed(part, outer);
      }
      const int64_t term = first % terms;
      const int64_t from = outer * parted_.length + range.begin;
      position = term < range.size() * parted_.behind
                     ? base + at(depth, from * parted_.behind + term)
                     : TileOrder::kPadding;
      ++first;
    }
  }

  RaggedMode mode_;
  Parted parted_;
  RaggedGroups groups_;
  int64_t group_stride_ = 0;
  std::vector<int64_t> lhs_batch_, lhs_free_, lhs_depth_;
  std::vector<int64_t> rhs_batch_, rhs_free_, rhs_depth_;
  mutable int64_t last_product_ = -1;
  mutable Part last_{};
};

}  // namespace

std::unique_ptr<ContractionMap> ragged_dot_map(Machine& machine,
                                               const Instruction& dot,
                                               const TiledArray& group_sizes) {
  return std::make_unique<RaggedDotMap>(machine, dot, group_sizes);
}

}  // namespace hlo::tpu
