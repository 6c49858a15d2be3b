#include "interpreter/plans/updates/scatter_map.h"

#include <algorithm>

#include "interpreter/model/index_loops.h"

namespace hlo {
namespace {

int64_t at(const Ints& values, int64_t d) {
  return values[static_cast<size_t>(d)];
}

/// Where each element of a window lies, from the window's first element.
std::vector<Update> window_elements(const ScatterDimensions& dims,
                                    const Shape& operand,
                                    const Shape& updates) {
  const Ints windowed = dims.window_dims_of_operand(operand.rank());
  const Ints to = row_major_strides(operand.dims);
  const Ints from = row_major_strides(updates.dims);
  std::vector<Update> elements = {{0, 0}};
  for (size_t w = 0; w < windowed.size(); ++w) {
    const int64_t u = dims.update_window[w];
    std::vector<Update> longer;
    for (const Update& element : elements) {
      for (int64_t i = 0; i < at(updates.dims, u); ++i) {
        longer.push_back({element.target + i * at(to, windowed[w]),
                          element.source + i * at(from, u)});
      }
    }
    elements = std::move(longer);
  }
  return elements;
}

/// The windows of a scatter, one after the other.
class Windows {
 public:
  Windows(const ScatterDimensions& dims, const Shape& operand,
          const Literal& indices, const Shape& updates)
      : indices_(indices),
        words_(reinterpret_cast<const int32_t*>(indices.bytes().data())) {
    find_grid(dims, operand, indices.shape(), updates);
    find_starts(dims, operand, indices.shape(), updates);
  }

  /// Calls visit with the first elements of each window that lies in the
  /// operand.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    if (!fits_) return;
    grid_.for_each([&](const Grid::Offsets& at) {
      Update first = {at[kTarget], at[kSource]};
      for (const StartDimension& d : starts_) {
        const int64_t start = index_at(at[kIndex] + d.offset);
        if (start < 0 || start > d.last) return;
        first.target += start * d.stride;
      }
      visit(first);
    });
  }

 private:
  // What steps along the dimensions of the indices, but for that of the index
  // vectors, go through.
  static constexpr size_t kIndex = 0;
  static constexpr size_t kSource = 1;
  static constexpr size_t kTarget = 2;  // in its batching dimensions

  using Grid = StridedLoop<3>;

  /// A dimension of the operand where an index says how windows begin.
  struct StartDimension {
    int64_t offset;  // of the index in its vector, in elements of the indices
    int64_t last;    // where a window can begin
    int64_t stride;
  };

  void find_grid(const ScatterDimensions& dims, const Shape& operand,
                 const Shape& indices, const Shape& updates) {
    const Ints of_updates = dims.scatter_dims_of_updates(updates.rank());
    const Ints of_indices = dims.scatter_dims_of_indices(indices.rank());
    const Ints to = row_major_strides(operand.dims);
    const Ints from = row_major_strides(updates.dims);
    const Ints index = row_major_strides(indices.dims);
    for (size_t i = 0; i < of_updates.size(); ++i) {
      Grid::Offsets strides = {at(index, of_indices[i]),
                               at(from, of_updates[i]), 0};
      for (size_t b = 0; b < dims.indices_batching.size(); ++b) {
        if (dims.indices_batching[b] != of_indices[i]) continue;
        strides[kTarget] = at(to, dims.operand_batching[b]);
      }
      grid_.add_axis(at(updates.dims, of_updates[i]), strides);
    }
  }

  void find_starts(const ScatterDimensions& dims, const Shape& operand,
                   const Shape& indices, const Shape& updates) {
    Ints last = operand.dims;  // less the extent of a window
    for (int64_t& size : last) --size;
    const Ints windowed = dims.window_dims_of_operand(operand.rank());
    for (size_t w = 0; w < windowed.size(); ++w) {
      last[static_cast<size_t>(windowed[w])] =
          at(operand.dims, windowed[w]) -
          at(updates.dims, dims.update_window[w]);
    }
    fits_ = std::ranges::all_of(last, [](int64_t d) { return d >= 0; });
    const bool is_scalar = dims.index_vector_dim == indices.rank();
    const int64_t step =
        is_scalar ? 0
                  : at(row_major_strides(indices.dims), dims.index_vector_dim);
    const Ints strides = row_major_strides(operand.dims);
    for (size_t k = 0; k < dims.to_operand.size(); ++k) {
      starts_.push_back({static_cast<int64_t>(k) * step,
                         at(last, dims.to_operand[k]),
                         at(strides, dims.to_operand[k])});
    }
  }

  int64_t index_at(int64_t position) const {
    const bool is_common = indices_.type() == ElementType::kS32;
    return is_common ? words_[position] : indices_.integer(position);
  }

  const Literal& indices_;
  const int32_t* words_;  // the same, where they are s32
  bool fits_ = true;      // a window into the operand
  Grid grid_;
  std::vector<StartDimension> starts_;
};

}  // namespace

std::vector<Update> scatter_updates(const ScatterDimensions& dims,
                                    const Shape& operand,
                                    const Literal& indices,
                                    const Shape& updates) {
  std::vector<Update> result;
  if (updates.element_count() == 0) return result;
  const std::vector<Update> elements = window_elements(dims, operand, updates);
  result.reserve(static_cast<size_t>(updates.element_count()));
  const Windows windows(dims, operand, indices, updates);
  windows.for_each([&](const Update& first) {
    for (const Update& element : elements) {
      result.push_back(
          {first.target + element.target, first.source + element.source});
    }
  });
  return result;
}

}  // namespace hlo
