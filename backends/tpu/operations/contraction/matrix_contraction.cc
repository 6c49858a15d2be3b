#include <algorithm>
#include <utility>
#include <vector>

#include "backends/tpu/machine/lane_scatter.h"
#include "backends/tpu/operations/contraction/blocking.h"
#include "backends/tpu/operations/contraction/factor_reader.h"
#include "backends/tpu/operations/contraction/finished_sums.h"
#include "backends/tpu/operations/contraction/units.h"

namespace hlo::tpu {
namespace {

/// The blocks of the planes of one part of an operand.
using PlaneBlocks = std::vector<Block>;

LaneElements no_elements() {
  LaneElements elements;
  elements.fill(TileOrder::kPadding);
  return elements;
}

/// A part of a product of matrices: row and column blocks from the first ones
/// on.
struct Region {
  int64_t product;
  int64_t row;
  int64_t column;
};

class MatrixContraction {
 public:
  explicit MatrixContraction(const Contracted& contracted)
      : c_(contracted),
        room_((c_.machine.scratch.size() - c_.machine.scratch.held()) / 2),
        kept_(kept_registers(room_ / 2)),
        lhs_(c_.machine, c_.instruction, 0, c_.operands, c_.scheme, kept_),
        rhs_(c_.machine, c_.instruction, 1, c_.operands, c_.scheme, kept_),
        result_(c_.machine, c_.result, kept_),
        size_(c_.machine.generation->matrix_size),
        unit_(c_.machine, c_.scheme.sums) {}

  void run() {
    for (int64_t p = 0; p < c_.map.products(); ++p) {
      extents_ = c_.map.extents(p);
      blocking_ = blocking_of(c_.scheme, extents_, size_, room_);
      const int64_t rows = blocking_.rows * blocking_.row_blocks;
      const int64_t columns = size_ * blocking_.column_blocks;
      for (int64_t n = 0; n < extents_.columns; n += columns) {
        for (int64_t m = 0; m < extents_.rows; m += rows) compute({p, m, n});
      }
    }
    result_.finish();
  }

 private:
  /// How many rows the block has that begins there.
  int64_t rows_at(int64_t row) const {
    return std::min(blocking_.rows, extents_.rows - row);
  }

  int64_t columns_at(int64_t column) const {
    const int64_t most =
        c_.machine.has(Fault::kColumnsForgotten) ? size_ / 2 : size_;
    return std::min(most, extents_.columns - column);
  }

  /// Calls visit(number, first) for each block of rows, or of columns, of a
  /// region that has any.
  template <typename Visit>
  void for_row_blocks(const Region& region, const Visit& visit) const {
    for (int64_t i = 0; i < blocking_.row_blocks; ++i) {
      const int64_t row = region.row + i * blocking_.rows;
      if (row < extents_.rows) visit(i, row);
    }
  }

  template <typename Visit>
  void for_column_blocks(const Region& region, const Visit& visit) const {
    for (int64_t j = 0; j < blocking_.column_blocks; ++j) {
      const int64_t column = region.column + j * size_;
      if (column < extents_.columns) visit(j, column);
    }
  }

  void compute(const Region& region);
  void add_depth(const Region& region, int64_t first);
  PlaneBlocks read_lhs(int64_t product, int64_t row, int64_t first);
  PlaneBlocks read_rhs(int64_t product, int64_t column, int64_t first);
  static void append(std::vector<Register> planes, int64_t parts,
                     PlaneBlocks& blocks);
  void store(const Region& region, int64_t row, int64_t column,
             std::vector<Accumulators>& sums);

  /// Those of a block of the region, one for each pair of planes.
  std::vector<Accumulators>& sums_of(int64_t i, int64_t j) {
    return sums_[static_cast<size_t>(i * blocking_.column_blocks + j)];
  }

  const Contracted& c_;
  int64_t room_;
  int64_t kept_;
  FactorReader lhs_;
  FactorReader rhs_;
  LaneScatter result_;
  int64_t size_;  // of the matrix unit
  MatrixUnit unit_;
  ContractionMap::Extents extents_{};
  Blocking blocking_;
  std::vector<std::vector<Accumulators>> sums_;
};

void MatrixContraction::compute(const Region& region) {
  sums_.clear();
  sums_.resize(
      static_cast<size_t>(blocking_.row_blocks * blocking_.column_blocks));
  for_row_blocks(region, [&](int64_t i, int64_t row) {
    for_column_blocks(region, [&](int64_t j, int64_t column) {
      for (size_t k = 0; k < c_.scheme.pairs.size(); ++k) {
        sums_of(i, j).emplace_back(c_.machine.scratch, c_.scheme.sums,
                                   rows_at(row),
                                   parts_of_columns(columns_at(column)));
      }
    });
  });
  for (int64_t k = 0; k < extents_.depth; k += blocking_.depth) {
    add_depth(region, k);
  }
  for_row_blocks(region, [&](int64_t i, int64_t row) {
    for_column_blocks(region, [&](int64_t j, int64_t column) {
      store(region, row, column, sums_of(i, j));
    });
  });
}

/// Adds the products of one block of the depth, which all rows of a block of
/// weights pass.
void MatrixContraction::add_depth(const Region& region, int64_t first) {
  const int64_t depth = std::min(blocking_.depth, extents_.depth - first);
  std::vector<PlaneBlocks> lhs;
  for_row_blocks(region, [&](int64_t, int64_t row) {
    lhs.push_back(read_lhs(region.product, row, first));
  });
  for_column_blocks(region, [&](int64_t j, int64_t column) {
    const PlaneBlocks rhs = read_rhs(region.product, column, first);
    for (size_t pair = 0; pair < c_.scheme.pairs.size(); ++pair) {
      const PlanePair& planes = c_.scheme.pairs[pair];
      unit_.load_weights(rhs[static_cast<size_t>(planes.rhs)], depth,
                         columns_at(column), planes.is_finite);
      for_row_blocks(region, [&](int64_t i, int64_t row) {
        unit_.pass(lhs[static_cast<size_t>(i)][static_cast<size_t>(planes.lhs)],
                   rows_at(row), sums_of(i, j)[pair]);
      });
    }
  });
}

void MatrixContraction::append(std::vector<Register> planes, int64_t parts,
                               PlaneBlocks& blocks) {
  while (blocks.size() < planes.size()) blocks.emplace_back(parts);
  for (size_t k = 0; k < planes.size(); ++k) {
    blocks[k].add(std::move(planes[k]));
  }
}

/// Rows of the operand, which have the depth as their columns.
PlaneBlocks MatrixContraction::read_lhs(int64_t product, int64_t row,
                                        int64_t first) {
  const int64_t depth = std::min(blocking_.depth, extents_.depth - first);
  PlaneBlocks blocks;
  const int64_t end = row + rows_at(row);
  for (int64_t m = row; m < end; m += kSublanes) {
    for (int64_t k = 0; k < depth; k += kLanesOfSublane) {
      const auto count =
          static_cast<size_t>(std::min(kLanesOfSublane, depth - k));
      LaneElements elements = no_elements();
      for (int64_t s = 0; s < std::min(kSublanes, end - m); ++s) {
        int64_t* const sublane = elements.data() + s * kLanesOfSublane;
        c_.map.lhs(product, m + s, first + k, {sublane, count});
      }
      append(lhs_.read(elements), parts_of_columns(depth), blocks);
    }
  }
  return blocks;
}

/// Weights: the depth runs along the rows.
PlaneBlocks MatrixContraction::read_rhs(int64_t product, int64_t column,
                                        int64_t first) {
  const int64_t depth = std::min(blocking_.depth, extents_.depth - first);
  const int64_t columns = columns_at(column);
  std::vector<int64_t> positions(static_cast<size_t>(columns * depth));
  for (int64_t n = 0; n < columns; ++n) {
    c_.map.rhs(product, column + n, first,
               {positions.data() + n * depth, static_cast<size_t>(depth)});
  }
  PlaneBlocks blocks;
  for (int64_t k = 0; k < depth; k += kSublanes) {
    for (int64_t n = 0; n < columns; n += kLanesOfSublane) {
      LaneElements elements = no_elements();
      for (int64_t s = 0; s < std::min(kSublanes, depth - k); ++s) {
        for (int64_t c = n; c < std::min(n + kLanesOfSublane, columns); ++c) {
          elements[static_cast<size_t>(s * kLanesOfSublane + c - n)] =
              positions[static_cast<size_t>(c * depth + k + s)];
        }
      }
      append(rhs_.read(elements), parts_of_columns(columns), blocks);
    }
  }
  return blocks;
}

void MatrixContraction::store(const Region& region, int64_t row, int64_t column,
                              std::vector<Accumulators>& sums) {
  for (Accumulators& one : sums) one.settle();
  const int64_t rows = rows_at(row);
  const int64_t columns = columns_at(column);
  for (int64_t m = 0; m < rows; m += kSublanes) {
    for (int64_t n = 0; n < columns; n += kLanesOfSublane) {
      std::vector<Register*> registers;
      for (Accumulators& one : sums) {
        registers.push_back(&one.sum().holding(m, n / kLanesOfSublane));
      }
      LaneElements elements = no_elements();
      for (int64_t s = 0; s < std::min(kSublanes, rows - m); ++s) {
        for (int64_t c = n; c < std::min(n + kLanesOfSublane, columns); ++c) {
          elements[static_cast<size_t>(s * kLanesOfSublane + c - n)] =
              c_.map.result(region.product, row + m + s, column + c);
        }
      }
      result_.scatter(finished_sums(c_.machine, c_.scheme, registers),
                      elements);
    }
  }
}

}  // namespace

int64_t kept_registers(int64_t room) {
  constexpr int64_t kMost = 64;
  constexpr int64_t kArrays = 5;  // operands, their scales, the result
  constexpr int64_t kWidest = 16;
  const int64_t each = room / (kArrays * kWidest * kLanes);
  return std::clamp<int64_t>(each, 1, kMost);
}

void contract_on_matrix_unit(const Contracted& contracted) {
  MatrixContraction(contracted).run();
}

}  // namespace hlo::tpu
