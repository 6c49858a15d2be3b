#include "backends/cpu/functions/scatter_functions.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "backends/cpu/arrays/converted.h"
#include "backends/cpu/arrays/run_region.h"
#include "backends/cpu/functions/comparison_functions.h"

namespace hlo::cpu {
namespace {

bool has(const Ints& list, int64_t value) {
  return std::ranges::find(list, value) != list.end();
}

/// Dimension numbers of a scatter.
struct Numbers {
  Ints window, inserted, start_map, batching, start_batching;
  int64_t vector = 0;

  explicit Numbers(const Instruction& scatter)
      : window(scatter.get<Ints>("update_window_dims")),
        inserted(scatter.get<Ints>("inserted_window_dims")),
        start_map(scatter.get<Ints>("scatter_dims_to_operand_dims")),
        batching(scatter.get_or<Ints>("input_batching_dims", {})),
        start_batching(
            scatter.get_or<Ints>("scatter_indices_batching_dims", {})),
        vector(scatter.get<int64_t>("index_vector_dim")) {}
};

/// Finds the operand's element of each update.
class Targets {
 public:
  Targets(const Instruction& scatter, const Array& operand,
          const Array& indices, const Shape& updates)
      : numbers_(scatter),
        operand_(operand.shape),
        indices_(indices.shape),
        starts_(integers(indices)) {
    size_t next = 0;
    for (int64_t d = 0; d < operand_.rank(); ++d) {
      const bool one = has(numbers_.inserted, d) || has(numbers_.batching, d);
      extents_.push_back(
          one ? 1 : updates.dims[static_cast<size_t>(numbers_.window[next++])]);
    }
  }

  /// The position, or -1 where the window is not inside of the operand.
  int64_t find(const Index& update) const {
    Index number;
    Index within;
    for (size_t d = 0; d < update.size(); ++d) {
      (has(numbers_.window, static_cast<int64_t>(d)) ? within : number)
          .push_back(update[d]);
    }
    Index at = start(number);
    size_t next = 0;
    for (size_t d = 0; d < at.size(); ++d) {
      if (at[d] < 0 || at[d] > operand_.dims[d] - extents_[d]) return -1;
      const auto dimension = static_cast<int64_t>(d);
      const bool one = has(numbers_.inserted, dimension) ||
                       has(numbers_.batching, dimension);
      if (!one) at[d] += within[next++];
    }
    return linearize(at, operand_.dims);
  }

 private:
  Index start(const Index& number) const {
    Index from = number;
    const bool implicit = numbers_.vector == indices_.rank();
    if (!implicit) from.insert(from.begin() + numbers_.vector, 0);
    Index at(operand_.dims.size(), 0);
    for (size_t k = 0; k < numbers_.start_map.size(); ++k) {
      if (!implicit) {
        from[static_cast<size_t>(numbers_.vector)] = static_cast<int64_t>(k);
      }
      at[static_cast<size_t>(numbers_.start_map[k])] =
          starts_[static_cast<size_t>(linearize(from, indices_.dims))];
    }
    for (size_t k = 0; k < numbers_.batching.size(); ++k) {
      at[static_cast<size_t>(numbers_.batching[k])] =
          from[static_cast<size_t>(numbers_.start_batching[k])];
    }
    return at;
  }

  Numbers numbers_;
  Shape operand_;
  Shape indices_;
  std::vector<int64_t> starts_;
  std::vector<int64_t> extents_;  // of a window, by operand dimension
};

/// Arrays whose elements a region joins with others, in the types of its first
/// parameters. What it joins nothing with keeps its bits.
class Joined {
 public:
  Joined(std::vector<Array> arrays, const Computation& region, const Run& run)
      : region_(region), run_(run), arrays_(std::move(arrays)) {
    for (size_t k = 0; k < arrays_.size(); ++k) {
      states_.push_back(converted(arrays_[k], parameter_type(k)));
    }
  }

  /// The arrays that are joined to them, in the types of the other parameters.
  std::vector<Array> sources(Operands operands) const {
    std::vector<Array> own;
    for (size_t k = 0; k < operands.size(); ++k) {
      own.push_back(
          converted(*operands[k], parameter_type(arrays_.size() + k)));
    }
    return own;
  }

  /// Joins the sources' elements to those at `target`.
  void join(int64_t target, const std::vector<Array>& sources, int64_t source) {
    std::vector<Array> arguments;
    arguments.reserve(states_.size() + sources.size());
    for (const Array& state : states_) {
      arguments.push_back(element(state, target));
    }
    for (const Array& one : sources) arguments.push_back(element(one, source));
    const std::vector<Array> values = run_region(run_, region_, arguments);
    for (size_t k = 0; k < states_.size(); ++k) {
      set_element(states_[k], target, values[k]);
    }
    targets_.push_back(target);
  }

  std::vector<Array> results() && {
    for (size_t k = 0; k < arrays_.size(); ++k) {
      for (const int64_t target : targets_) {
        set_element(arrays_[k], target, element(states_[k], target));
      }
    }
    return std::move(arrays_);
  }

 private:
  ElementType parameter_type(size_t i) const {
    return region_.parameters[i]->shape.element_type;
  }

  const Computation& region_;
  const Run& run_;
  std::vector<Array> arrays_;
  std::vector<Array> states_;
  std::vector<int64_t> targets_;
};

Array scatter(const Instruction& instruction, Operands operands,
              const Run& run) {
  const size_t n = operands.size() / 2;
  std::vector<Array> arrays;
  for (size_t k = 0; k < n; ++k) arrays.push_back(*operands[k]);
  const Shape& updates = operands[n + 1]->shape;
  const Targets targets(instruction, *operands[0], *operands[n], updates);
  Joined all(std::move(arrays), *instruction.get<Computation*>("to_apply"),
             run);
  const std::vector<Array> sources = all.sources(operands.subspan(n + 1));
  for (int64_t i = 0; i < updates.element_count(); ++i) {
    const int64_t target = targets.find(delinearize(i, updates.dims));
    if (target >= 0) all.join(target, sources, i);
  }
  return joined(instruction.shape, std::move(all).results());
}

/// The cell that a place chooses, or -1 where it has none.
int64_t chosen_cell(const Array& operand, const Window& window,
                    const Index& place, const Run& run,
                    const Computation& select) {
  const std::vector<int64_t> sizes = window_sizes(window);
  const int64_t taps = Shape::array(ElementType::kPred, sizes).element_count();
  int64_t choice = -1;
  for (int64_t k = 0; k < taps; ++k) {
    const int64_t cell =
        window_cell(operand.shape, window, place, delinearize(k, sizes));
    if (cell < 0) continue;
    if (choice < 0 ||
        !holds(run, select,
               {element(operand, choice), element(operand, cell)})) {
      choice = cell;
    }
  }
  return choice;
}

Array select_and_scatter(const Instruction& instruction, Operands operands,
                         const Run& run) {
  auto window = instruction.get_or<Window>("window", Window{});
  window.dims.resize(operands[0]->shape.dims.size());
  const Shape& source = operands[1]->shape;
  std::vector<Array> arrays{Array(instruction.shape)};
  for (int64_t i = 0; i < arrays[0].count(); ++i) {
    set_element(arrays[0], i, *operands[2]);
  }
  const Computation& select = *instruction.get<Computation*>("select");
  const Array compared =
      converted(*operands[0], select.parameters[0]->shape.element_type);
  Joined all(std::move(arrays), *instruction.get<Computation*>("scatter"), run);
  const std::vector<Array> sources = all.sources(operands.subspan(1, 1));
  for (int64_t i = 0; i < source.element_count(); ++i) {
    const int64_t target =
        chosen_cell(compared, window, delinearize(i, source.dims), run, select);
    if (target >= 0) all.join(target, sources, i);
  }
  return std::move(all).results()[0];
}

Array topk(const Instruction& instruction, Operands operands, const Run&) {
  const Array& operand = *operands[0];
  const bool largest = instruction.get_or<bool>("largest", true);
  const int64_t size = operand.shape.dims.back();
  std::vector<int64_t> keys = order_keys(operand);
  std::vector<Array> results;
  for (const Shape& shape : instruction.shape.tuple_shapes) {
    results.emplace_back(shape);
  }
  const auto k = instruction.get<int64_t>("k");
  std::vector<int64_t> order(static_cast<size_t>(size));
  std::vector<int64_t> places(static_cast<size_t>(results[1].count()));
  for (int64_t i = 0; i < results[0].count(); ++i) {
    const int64_t base = i / k * size;
    if (i % k == 0) {
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, [&](int64_t a, int64_t b) {
        const int64_t x = keys[static_cast<size_t>(base + a)];
        const int64_t y = keys[static_cast<size_t>(base + b)];
        return largest ? x > y : x < y;
      });
    }
    const int64_t place = order[static_cast<size_t>(i % k)];
    set_element(results[0], i, element(operand, base + place));
    places[static_cast<size_t>(i)] = place;
  }
  results[1] = store<int64_t>(results[1].shape, places);
  return joined(instruction.shape, std::move(results));
}

}  // namespace

Callers scatter_functions() {
  return {{"scatter", scatter},
          {"select-and-scatter", select_and_scatter},
          {"topk", topk}};
}

}  // namespace hlo::cpu
