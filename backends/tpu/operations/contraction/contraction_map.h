#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/memory/tiled_array.h"
#include "interpreter/model/module.h"

namespace hlo::tpu {

/// Which elements an operation multiplies and adds up, as products of matrices
/// that share nothing:
///   result(p, m, n) = sum over k of lhs(p, m, k) * rhs(p, n, k).
/// Positions are row-major ones; TileOrder::kPadding where there is no element,
/// and hence no term.
class ContractionMap {
 public:
  /// The element of the result.
  struct Place {
    int64_t product;
    int64_t row;
    int64_t column;
  };

  struct Extents {
    int64_t rows;
    int64_t columns;
    int64_t depth;
  };

  ContractionMap() = default;
  ContractionMap(const ContractionMap&) = delete;
  ContractionMap& operator=(const ContractionMap&) = delete;
  virtual ~ContractionMap() = default;

  virtual int64_t products() const = 0;
  virtual Extents extents(int64_t product) const = 0;
  /// The positions in lhs of a row, from depth `first` on.
  virtual void lhs(int64_t product, int64_t row, int64_t first,
                   std::span<int64_t> into) const = 0;
  /// The positions in rhs of a column, from depth `first` on.
  virtual void rhs(int64_t product, int64_t column, int64_t first,
                   std::span<int64_t> into) const = 0;
  virtual int64_t result(int64_t product, int64_t row,
                         int64_t column) const = 0;

  /// Whether all products have the same extents and place() can be asked.
  virtual bool is_uniform() const { return false; }

  virtual Place place(int64_t) const { return {}; }
};

std::unique_ptr<ContractionMap> dot_map(const Instruction& dot);
std::unique_ptr<ContractionMap> convolution_map(const Instruction& convolution);
/// Reads the sizes from their tiles; what they add up to is an array of the
/// machine.
std::unique_ptr<ContractionMap> ragged_dot_map(Machine& machine,
                                               const Instruction& dot,
                                               const TiledArray& group_sizes);

/// The positions of the elements along some dimensions, the others at 0, in
/// row-major order of the dimensions as listed.
std::vector<int64_t> positions_along(const Shape& shape, const Ints& dims);

}  // namespace hlo::tpu
