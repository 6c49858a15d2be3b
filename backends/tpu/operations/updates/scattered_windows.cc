#include "backends/tpu/operations/updates/scattered_windows.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "backends/tpu/machine/scalar_read.h"
#include "interpreter/rules/dimensions/scatter_dimensions.h"

namespace hlo::tpu {
namespace {

int64_t at(const Ints& values, int64_t d) {
  return values[static_cast<size_t>(d)];
}

/// Steps through the elements of windows.
class Windows {
 public:
  Windows(Machine& machine, const ScatterDimensions& dims, const Shape& operand,
          const TiledArray& indices, const Shape& updates)
      : machine_(machine), indices_(indices) {
    find_windows(dims, operand, updates);
    find_elements(dims, operand, updates);
    find_starts(dims, operand, updates);
  }

  size_t next(std::span<Update> into) {
    size_t count = 0;
    while (count < into.size() && (element_ > 0 || begin_window())) {
      Update update = first_;
      int64_t element = element_;
      for (size_t d = within_.size(); d-- > 0;) {
        const int64_t i = element % within_[d].size;
        element /= within_[d].size;
        update.target += i * within_[d].of_operand;
        update.source += i * within_[d].of_updates;
      }
      into[count++] = update;
      element_ = (element_ + 1) % elements_;
    }
    return count;
  }

 private:
  /// A dimension of the updates: by how much a step along it moves.
  struct Axis {
    int64_t size;
    int64_t of_updates;
    int64_t of_operand;
    int64_t of_indices;
  };

  /// A dimension of the operand where an index says how windows begin.
  struct Start {
    int64_t offset;  // of the index in its vector, in elements of the indices
    int64_t last;    // where a window can begin
    int64_t stride;
  };

  void find_windows(const ScatterDimensions& dims, const Shape& operand,
                    const Shape& updates) {
    const Ints of_updates = dims.scatter_dims_of_updates(updates.rank());
    const Ints of_indices = dims.scatter_dims_of_indices(indices_.shape.rank());
    const Ints to = row_major_strides(operand.dims);
    const Ints from = row_major_strides(updates.dims);
    const Ints index = row_major_strides(indices_.shape.dims);
    for (size_t i = 0; i < of_updates.size(); ++i) {
      Axis axis{at(updates.dims, of_updates[i]), at(from, of_updates[i]), 0,
                at(index, of_indices[i])};
      for (size_t b = 0; b < dims.indices_batching.size(); ++b) {
        if (dims.indices_batching[b] != of_indices[i]) continue;
        axis.of_operand = at(to, dims.operand_batching[b]);
      }
      windows_ *= axis.size;
      among_.push_back(axis);
    }
  }

  void find_elements(const ScatterDimensions& dims, const Shape& operand,
                     const Shape& updates) {
    const Ints windowed = dims.window_dims_of_operand(operand.rank());
    const Ints to = row_major_strides(operand.dims);
    const Ints from = row_major_strides(updates.dims);
    for (size_t w = 0; w < windowed.size(); ++w) {
      const int64_t u = dims.update_window[w];
      within_.push_back(
          {at(updates.dims, u), at(from, u), at(to, windowed[w]), 0});
      elements_ *= at(updates.dims, u);
    }
    if (elements_ == 0) windows_ = 0;
  }

  void find_starts(const ScatterDimensions& dims, const Shape& operand,
                   const Shape& updates) {
    Ints last = operand.dims;  // less the extent of a window
    for (int64_t& size : last) --size;
    const Ints windowed = dims.window_dims_of_operand(operand.rank());
    for (size_t w = 0; w < windowed.size(); ++w) {
      last[static_cast<size_t>(windowed[w])] =
          at(operand.dims, windowed[w]) -
          at(updates.dims, dims.update_window[w]);
    }
    if (std::ranges::any_of(last, [](int64_t d) { return d < 0; })) {
      windows_ = 0;
    }
    const Shape& indices = indices_.shape;
    const bool are_scalars = dims.index_vector_dim == indices.rank();
    const int64_t step = are_scalars ? 0
                                     : at(row_major_strides(indices.dims),
                                          dims.index_vector_dim);
    const Ints strides = row_major_strides(operand.dims);
    for (size_t k = 0; k < dims.to_operand.size(); ++k) {
      starts_.push_back({static_cast<int64_t>(k) * step,
                         at(last, dims.to_operand[k]),
                         at(strides, dims.to_operand[k])});
    }
  }

  /// Finds the next window that lies in the operand: whether there is one.
  bool begin_window() {
    while (window_ < windows_) {
      if (find_first(window_++)) return true;
    }
    return false;
  }

  /// Where that window begins; whether it lies in the operand.
  bool find_first(int64_t window) {
    first_ = {0, 0};
    int64_t index = 0;
    for (size_t d = among_.size(); d-- > 0;) {
      const int64_t i = window % among_[d].size;
      window /= among_[d].size;
      first_.target += i * among_[d].of_operand;
      first_.source += i * among_[d].of_updates;
      index += i * among_[d].of_indices;
    }
    for (const Start& start : starts_) {
      int64_t given = integer_at(machine_, indices_, index + start.offset);
      if (machine_.has(Fault::kWindowsMovedIn)) {
        given = std::clamp<int64_t>(given, 0, start.last);
      }
      if (given < 0 || given > start.last) return false;
      first_.target += given * start.stride;
    }
    return true;
  }

  Machine& machine_;
  const TiledArray& indices_;
  std::vector<Axis> among_;   // the windows
  std::vector<Axis> within_;  // a window
  std::vector<Start> starts_;
  int64_t windows_ = 1;
  int64_t elements_ = 1;  // of each window
  int64_t window_ = 0;    // the next one
  int64_t element_ = 0;   // the next one of the window before it
  Update first_ = {0, 0};
};

}  // namespace

NextUpdates scattered_windows(Machine& machine, const Instruction& scatter,
                              const Shape& operand, const TiledArray& indices,
                              const Shape& updates) {
  const auto windows = std::make_shared<Windows>(
      machine, ScatterDimensions(scatter), operand, indices, updates);
  return [windows](std::span<Update> into) { return windows->next(into); };
}

}  // namespace hlo::tpu
