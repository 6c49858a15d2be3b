#include "backends/tpu/operations/contraction/contraction_map.h"
#include "interpreter/rules/dimensions/dot_side.h"

namespace hlo::tpu {
namespace {

/// One operand: an element lies at the sum of three positions.
struct Side {
  std::vector<int64_t> batch;
  std::vector<int64_t> free;
  std::vector<int64_t> depth;

  Side(const Instruction& dot, size_t operand) {
    const DotSide dims(dot, operand);
    const Shape& shape = dot.operand_shape(operand);
    batch = positions_along(shape, dims.batch);
    free = positions_along(shape, dims.free);
    depth = positions_along(shape, dims.contracting);
  }

  void positions(int64_t product, int64_t index, int64_t first,
                 std::span<int64_t> into) const {
    const int64_t base =
        batch[static_cast<size_t>(product)] + free[static_cast<size_t>(index)];
    for (size_t k = 0; k < into.size(); ++k) {
      into[k] = base + depth[static_cast<size_t>(first) + k];
    }
  }
};

class DotMap final : public ContractionMap {
 public:
  explicit DotMap(const Instruction& dot) : lhs_(dot, 0), rhs_(dot, 1) {}

  int64_t products() const override { return std::ssize(lhs_.batch); }

  Extents extents(int64_t) const override {
    return {std::ssize(lhs_.free), std::ssize(rhs_.free),
            std::ssize(lhs_.depth)};
  }

  void lhs(int64_t product, int64_t row, int64_t first,
           std::span<int64_t> into) const override {
    lhs_.positions(product, row, first, into);
  }

  void rhs(int64_t product, int64_t column, int64_t first,
           std::span<int64_t> into) const override {
    rhs_.positions(product, column, first, into);
  }

  int64_t result(int64_t product, int64_t row, int64_t column) const override {
    return (product * std::ssize(lhs_.free) + row) * std::ssize(rhs_.free) +
           column;
  }

  bool is_uniform() const override { return true; }

  Place place(int64_t element) const override {
    const int64_t columns = std::ssize(rhs_.free);
    const int64_t rows = std::ssize(lhs_.free);
    return {element / columns / rows, element / columns % rows,
            element % columns};
  }

 private:
  Side lhs_;
  Side rhs_;
};

}  // namespace

std::vector<int64_t> positions_along(const Shape& shape, const Ints& dims) {
  const std::vector<int64_t> strides = row_major_strides(shape.dims);
  std::vector<int64_t> positions = {0};
  for (const int64_t d : dims) {
    const auto at = static_cast<size_t>(d);
    std::vector<int64_t> longer;
    longer.reserve(positions.size() * static_cast<size_t>(shape.dims[at]));
    for (const int64_t position : positions) {
      for (int64_t i = 0; i < shape.dims[at]; ++i) {
        longer.push_back(position + i * strides[at]);
      }
    }
    positions = std::move(longer);
  }
  return positions;
}

std::unique_ptr<ContractionMap> dot_map(const Instruction& dot) {
  return std::make_unique<DotMap>(dot);
}

}  // namespace hlo::tpu
