#include "backends/cpu/routines/indexed_windows.h"

#include <algorithm>
#include <type_traits>

namespace hlo::cpu {
namespace {

bool has(const Ints& list, size_t value) {
  return std::ranges::find(list, static_cast<int64_t>(value)) != list.end();
}

template <typename T>
int64_t number_of(T index) {
  if constexpr (std::is_same_v<T, uint64_t>) {
    return index > INT64_MAX ? INT64_MAX : static_cast<int64_t>(index);
  } else {
    return static_cast<int64_t>(index);
  }
}

/// Narrower integers than 8 bits have their sign in the spare bits.
ElementType stored_type(ElementType type) {
  if (storage_bytes(type) > 1) return type;
  return is_signed(type) ? ElementType::kS8 : ElementType::kU8;
}

}  // namespace

IndexedWindows IndexedWindows::of_gather(const Instruction& gather) {
  return {gather,
          {"offset_dims", "collapsed_slice_dims", "start_index_map",
           "operand_batching_dims", "start_indices_batching_dims"},
          gather.shape,
          /*moves_back=*/true};
}

IndexedWindows IndexedWindows::of_scatter(const Instruction& scatter) {
  return {scatter,
          {"update_window_dims", "inserted_window_dims",
           "scatter_dims_to_operand_dims", "input_batching_dims",
           "scatter_indices_batching_dims"},
          scatter.operand_shape(2),
          /*moves_back=*/false};
}

IndexedWindows::IndexedWindows(const Instruction& instruction,
                               const Names& names, const Shape& list,
                               bool moves_back)
    : index_type_(stored_type(instruction.operand_shape(1).element_type)),
      moves_back_(moves_back) {
  add_numbers(instruction, names, list);
  add_extents(instruction, names, list);
  add_components(instruction, names);
}

void IndexedWindows::add_numbers(const Instruction& instruction,
                                 const Names& names, const Shape& list) {
  const Shape& indices = instruction.operand_shape(1);
  const auto vector =
      static_cast<size_t>(instruction.get<int64_t>("index_vector_dim"));
  const Ints& window_dims = instruction.get<Ints>(names.window_dims);
  const std::vector<int64_t> in_indices = row_major_strides(indices.dims);
  const std::vector<int64_t> in_list = row_major_strides(list.dims);
  size_t next = 0;
  for (size_t d = 0; d < list.dims.size(); ++d) {
    if (has(window_dims, d)) continue;
    if (next == vector) ++next;
    numbers_.push_back({list.dims[d], in_indices[next++], in_list[d], 0});
  }
}

void IndexedWindows::add_extents(const Instruction& instruction,
                                 const Names& names, const Shape& list) {
  const Shape& array = instruction.operand_shape(0);
  const Ints& window_dims = instruction.get<Ints>(names.window_dims);
  const Ints& dropped = instruction.get<Ints>(names.dropped_dims);
  const Ints batching = instruction.get_or<Ints>(names.batching_dims, {});
  const std::vector<int64_t> in_array = row_major_strides(array.dims);
  const std::vector<int64_t> in_list = row_major_strides(list.dims);
  size_t next = 0;
  disjoint_ = true;
  for (size_t d = 0; d < array.dims.size(); ++d) {
    if (has(dropped, d) || has(batching, d)) {
      window_sizes_.push_back(1);
      continue;
    }
    const auto own = static_cast<size_t>(window_dims[next++]);
    const int64_t size = list.dims[own];
    window_sizes_.push_back(size);
    if (size != 1 && size != array.dims[d]) disjoint_ = false;
    if (size != 1) extents_.push_back({size, in_array[d], in_list[own]});
  }
}

void IndexedWindows::add_components(const Instruction& instruction,
                                    const Names& names) {
  const Shape& array = instruction.operand_shape(0);
  const Shape& indices = instruction.operand_shape(1);
  const auto vector =
      static_cast<size_t>(instruction.get<int64_t>("index_vector_dim"));
  const std::vector<int64_t> in_array = row_major_strides(array.dims);
  const std::vector<int64_t> in_indices = row_major_strides(indices.dims);
  const int64_t step = vector < indices.dims.size() ? in_indices[vector] : 0;
  const Ints& map = instruction.get<Ints>(names.index_map);
  const Ints batching = instruction.get_or<Ints>(names.batching_dims, {});
  for (size_t k = 0; k < map.size(); ++k) {
    const auto d = static_cast<size_t>(map[k]);
    if (has(batching, d)) continue;  // the place in the batch says it
    components_.push_back({static_cast<int64_t>(k) * step,
                           array.dims[d] - window_sizes_[d], in_array[d]});
  }
  const Ints numbered = instruction.get_or<Ints>(names.index_batching_dims, {});
  for (size_t k = 0; k < batching.size(); ++k) {
    const auto own = static_cast<size_t>(numbered[k]);
    numbers_[own > vector ? own - 1 : own].in_array =
        in_array[static_cast<size_t>(batching[k])];
  }
}

/// Splits windows into runs: the last dimension, with those before it that it
/// goes on from. Only done when there is memory for the list itself.
void IndexedWindows::make_runs(WindowList& list) const {
  std::vector<Extent> outer = extents_;
  Extent run{1, 1, 1};
  if (!outer.empty()) {
    run = outer.back();
    outer.pop_back();
  }
  while (!outer.empty() && outer.back().in_array == run.size * run.in_array &&
         outer.back().in_list == run.size * run.in_list) {
    run.size *= outer.back().size;
    outer.pop_back();
  }
  // Beside an element of the list is that of the next window.
  list.runs_outside = !extents_.empty() && !numbers_.empty() &&
                      numbers_.back().in_list == 1 && run.in_list != 1;
  if (list.runs_outside) {
    outer.push_back(run);
    run = {1, 1, 1};
  }
  list.length = run.size;
  list.array_step = run.in_array;
  list.list_step = run.in_list;
  list.runs = {WindowRun()};
  for (const Extent& extent : outer) spread(list.runs, extent);
}

/// Repeats the runs along one more dimension.
void IndexedWindows::spread(std::vector<WindowRun>& runs,
                            const Extent& extent) {
  std::vector<WindowRun> more;
  more.reserve(runs.size() * static_cast<size_t>(extent.size));
  for (const WindowRun& before : runs) {
    for (int64_t i = 0; i < extent.size; ++i) {
      more.push_back({before.in_array + i * extent.in_array,
                      before.in_list + i * extent.in_list});
    }
  }
  runs = std::move(more);
}

/// Where the window begins whose indices those are; -1: it is left out.
template <typename T>
int64_t IndexedWindows::start(const T* indices, int64_t begin) const {
  for (const Component& component : components_) {
    int64_t index = number_of(indices[component.in_indices]);
    if (moves_back_) {
      index = std::clamp<int64_t>(index, 0, component.room);
    } else if (index < 0 || index > component.room) {
      return -1;
    }
    begin += index * component.stride;
  }
  return begin;
}

/// Windows that the last dimension numbers, from `first` on.
template <typename T>
void IndexedWindows::find_beside(const T* indices, const Number& first,
                                 int64_t count, int64_t* starts,
                                 int64_t* places) const {
  const Number step = numbers_.empty() ? Number{} : numbers_.back();
  for (int64_t i = 0; i < count; ++i) {
    places[i] = first.in_list + i * step.in_list;
  }
  const T* const from = indices + first.in_indices;
  if (!moves_back_ || components_.size() != 1) {
    for (int64_t i = 0; i < count; ++i) {
      starts[i] =
          start(from + i * step.in_indices, first.in_array + i * step.in_array);
    }
    return;
  }
  // As most gathers are, without a loop inside.
  const Component own = components_[0];
  for (int64_t i = 0; i < count; ++i) {
    const int64_t index = number_of(from[i * step.in_indices + own.in_indices]);
    starts[i] = first.in_array + i * step.in_array +
                std::clamp<int64_t>(index, 0, own.room) * own.stride;
  }
}

template <typename T>
void IndexedWindows::find(const T* indices, int64_t first, int64_t last,
                          int64_t* starts, int64_t* places) const {
  std::vector<int64_t> index(numbers_.size());
  Number sum{};
  const auto move = [&](size_t d, int64_t steps) {
    index[d] += steps;
    sum.in_indices += steps * numbers_[d].in_indices;
    sum.in_list += steps * numbers_[d].in_list;
    sum.in_array += steps * numbers_[d].in_array;
  };
  int64_t rest = first;
  for (size_t d = numbers_.size(); d-- > 0; rest /= numbers_[d].size) {
    move(d, rest % numbers_[d].size);
  }
  for (int64_t w = first; w < last;) {
    const int64_t beside =
        numbers_.empty()
            ? 1
            : std::min(last - w, numbers_.back().size - index.back());
    find_beside(indices, sum, beside, starts, places);
    w += beside;
    starts += beside;
    places += beside;
    for (size_t d = numbers_.size(); d-- > 0;) {
      move(d, d + 1 == numbers_.size() ? beside : 1);
      if (index[d] < numbers_[d].size) break;
      move(d, -index[d]);
    }
  }
}

std::optional<ElementIndices> IndexedWindows::elements_at(
    const std::byte* indices) const {
  if (!moves_back_ || !extents_.empty() || components_.size() != 1) {
    return std::nullopt;
  }
  int64_t count = 1;
  for (size_t d = numbers_.size(); d-- > 0; count *= numbers_[d].size) {
    const Number& own = numbers_[d];
    const bool follows = own.in_indices == count && own.in_list == count;
    if (own.in_array != 0 || (own.size != 1 && !follows)) return std::nullopt;
  }
  return ElementIndices{index_type_, indices, count, components_[0].room,
                        components_[0].stride};
}

WindowList IndexedWindows::at(const std::byte* indices) const {
  WindowList list;
  list.disjoint = disjoint_;
  list.count = 1;
  for (const Number& number : numbers_) list.count *= number.size;
  make_runs(list);
  with_number(index_type_, [&](auto number) {
    using T = decltype(number);
    if constexpr (std::is_integral_v<T>) {
      list.find = [this, own = reinterpret_cast<const T*>(indices)](
                      int64_t first, int64_t last, int64_t* starts,
                      int64_t* places) {
        find(own, first, last, starts, places);
      };
    }
  });
  return list;
}

}  // namespace hlo::cpu
