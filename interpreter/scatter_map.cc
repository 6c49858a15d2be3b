#include "interpreter/scatter_map.h"

#include <algorithm>

#include "interpreter/shape_rules.h"

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

/// The windows of a scatter by their numbers.
class Windows {
 public:
  Windows(const ScatterDimensions& dims, const Shape& operand,
          const Literal& indices, const Shape& updates)
      : dims_(dims),
        operand_(operand),
        indices_(indices),
        words_(reinterpret_cast<const int32_t*>(indices.bytes().data())),
        scatter_dims_(dims.scatter_dims_of_updates(updates.rank())),
        indices_dims_(dims.scatter_dims_of_indices(indices.shape().rank())),
        update_strides_(row_major_strides(updates.dims)),
        index_strides_(row_major_strides(indices.shape().dims)),
        operand_strides_(row_major_strides(operand.dims)),
        extents_(operand.dims.size(), 1),
        place_(scatter_dims_.size()),
        start_(operand.dims.size()) {
    for (const int64_t d : scatter_dims_) {
      sizes_.push_back(at(updates.dims, d));
    }
    const Ints windowed = dims.window_dims_of_operand(operand.rank());
    for (size_t w = 0; w < windowed.size(); ++w) {
      extents_[static_cast<size_t>(windowed[w])] =
          at(updates.dims, dims.update_window[w]);
    }
  }

  int64_t count() const {
    int64_t count = 1;
    for (const int64_t size : sizes_) count *= size;
    return count;
  }

  /// The first elements of the window at place(); false where it does not lie
  /// in the operand.
  bool find(Update& first) {
    const Index& start = find_start();
    first = {0, 0};
    for (size_t d = 0; d < start.size(); ++d) {
      if (start[d] < 0 || start[d] > operand_.dims[d] - extents_[d]) {
        return false;
      }
      first.target += start[d] * operand_strides_[d];
    }
    for (size_t i = 0; i < place_.size(); ++i) {
      first.source += place_[i] * at(update_strides_, scatter_dims_[i]);
    }
    return true;
  }

  /// Goes on to the next window.
  void advance() {
    for (size_t i = place_.size(); i-- > 0;) {
      if (++place_[i] < sizes_[i]) return;
      place_[i] = 0;
    }
  }

 private:
  const Index& find_start() {
    std::ranges::fill(start_, 0);
    int64_t position = 0;
    for (size_t i = 0; i < place_.size(); ++i) {
      position += place_[i] * at(index_strides_, indices_dims_[i]);
      for (size_t b = 0; b < dims_.indices_batching.size(); ++b) {
        if (dims_.indices_batching[b] != indices_dims_[i]) continue;
        start_[static_cast<size_t>(dims_.operand_batching[b])] = place_[i];
      }
    }
    const bool is_scalar = dims_.index_vector_dim == indices_.shape().rank();
    const int64_t stride =
        is_scalar ? 0 : at(index_strides_, dims_.index_vector_dim);
    for (size_t k = 0; k < dims_.to_operand.size(); ++k) {
      start_[static_cast<size_t>(dims_.to_operand[k])] =
          index_at(position + static_cast<int64_t>(k) * stride);
    }
    return start_;
  }

  int64_t index_at(int64_t position) const {
    const bool is_common = indices_.type() == ElementType::kS32;
    return is_common ? words_[position] : indices_.integer(position);
  }

  const ScatterDimensions& dims_;
  const Shape& operand_;
  const Literal& indices_;
  const int32_t* words_;  // the same, where they are s32
  Ints scatter_dims_;     // of the updates
  Ints indices_dims_;     // the same of the indices
  Ints update_strides_;
  Ints index_strides_;
  Ints operand_strides_;
  Ints extents_;  // of a window, by dimension of the operand
  Ints sizes_;    // of the scatter dimensions
  Index place_;   // of a window among them
  Index start_;   // where that begins
};

}  // namespace

ScatterDimensions::ScatterDimensions(const Instruction& scatter)
    : update_window(scatter.get<Ints>("update_window_dims")),
      inserted(scatter.get<Ints>("inserted_window_dims")),
      to_operand(scatter.get<Ints>("scatter_dims_to_operand_dims")),
      operand_batching(scatter.get_or("input_batching_dims", Ints{})),
      indices_batching(scatter.get_or("scatter_indices_batching_dims", Ints{})),
      index_vector_dim(scatter.get<int64_t>("index_vector_dim")) {}

Ints ScatterDimensions::window_dims_of_operand(int64_t rank) const {
  return remaining(rank, inserted, operand_batching);
}

Ints ScatterDimensions::scatter_dims_of_updates(int64_t rank) const {
  return remaining(rank, update_window, {});
}

Ints ScatterDimensions::scatter_dims_of_indices(int64_t rank) const {
  return remaining(rank, {index_vector_dim}, {});
}

std::vector<Update> scatter_updates(const ScatterDimensions& dims,
                                    const Shape& operand,
                                    const Literal& indices,
                                    const Shape& updates) {
  std::vector<Update> result;
  if (updates.element_count() == 0) return result;
  const std::vector<Update> elements = window_elements(dims, operand, updates);
  Windows windows(dims, operand, indices, updates);
  const int64_t count = windows.count();
  result.reserve(static_cast<size_t>(updates.element_count()));
  for (int64_t number = 0; number < count; ++number, windows.advance()) {
    Update first{};
    if (!windows.find(first)) continue;
    for (const Update& element : elements) {
      result.push_back(
          {first.target + element.target, first.source + element.source});
    }
  }
  return result;
}

}  // namespace hlo
