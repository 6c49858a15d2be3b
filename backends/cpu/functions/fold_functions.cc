#include "backends/cpu/functions/fold_functions.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>

#include "backends/cpu/arrays/offsets.h"
#include "backends/cpu/arrays/run_region.h"

namespace hlo::cpu {
namespace {

/// The cells that one result element folds: positions in the operand.
using Cells = std::vector<int64_t>;

/// Calls visit(result position, cells) for each element of a reduce.
template <typename Visit>
void for_each_line(const Shape& operand, const Ints& reduced, Visit visit) {
  std::vector<int64_t> kept;
  std::vector<int64_t> inner;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    (std::ranges::find(reduced, d) == reduced.end() ? kept : inner)
        .push_back(d);
  }
  const std::vector<int64_t> steps = offsets(operand, inner);
  Cells cells(steps.size());
  int64_t position = 0;
  for (const int64_t base : offsets(operand, kept)) {
    for (size_t k = 0; k < steps.size(); ++k) cells[k] = base + steps[k];
    visit(position++, cells);
  }
}

template <typename Visit>
void for_each_window(const Shape& operand, const Shape& result,
                     const Window& window, Visit visit) {
  const std::vector<int64_t> sizes = window_sizes(window);
  const int64_t taps = Shape::array(ElementType::kPred, sizes).element_count();
  for (int64_t i = 0; i < result.element_count(); ++i) {
    const Index out = delinearize(i, result.dims);
    Cells cells;
    for (int64_t k = 0; k < taps; ++k) {
      const int64_t at =
          window_cell(operand, window, out, delinearize(k, sizes));
      if (at >= 0) cells.push_back(at);
    }
    visit(i, cells);
  }
}

/// Adds in four lanes, then the lanes.
template <typename T>
T add_cells(const std::vector<T>& values, const Cells& cells, T init) {
  T lanes[4] = {};
  size_t k = 0;
  for (; k + 4 <= cells.size(); k += 4) {
    for (size_t lane = 0; lane < 4; ++lane) {
      lanes[lane] += values[static_cast<size_t>(cells[k + lane])];
    }
  }
  T sum = init;
  for (; k < cells.size(); ++k) sum += values[static_cast<size_t>(cells[k])];
  return sum + ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
}

template <typename T>
T extreme_cell(const std::vector<T>& values, const Cells& cells, T best,
               bool largest) {
  for (const int64_t at : cells) {
    const T x = values[static_cast<size_t>(at)];
    if (std::isnan(x) || std::isnan(best)) return x + best;  // quiet
    const bool better = largest ? x > best : x < best;
    const bool zero = x == best && largest == std::signbit(best);
    if (better || zero) best = x;
  }
  return best;
}

/// A fold of floats by add, maximum or minimum.
template <typename T>
T fold_floats(std::string_view name, const std::vector<T>& values,
              const Cells& cells, T init) {
  if (name == "add") return add_cells(values, cells, init);
  return extreme_cell(values, cells, init, name == "maximum");
}

bool is_fast(const Instruction& instruction, std::string_view name) {
  return !instruction.shape.is_tuple() &&
         is_float(instruction.shape.element_type) &&
         (name == "add" || name == "maximum" || name == "minimum");
}

template <typename Walk>
Array fold_fast(const Instruction& instruction, Operands operands,
                std::string_view name, Walk walk) {
  return with_host_type(operands[0]->shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_floating_point_v<T>) {
      const std::vector<T> values = load<T>(*operands[0]);
      const T init = load<T>(*operands[1])[0];
      std::vector<T> result(
          static_cast<size_t>(instruction.shape.element_count()));
      walk([&](int64_t position, const Cells& cells) {
        result[static_cast<size_t>(position)] =
            fold_floats(name, values, cells, init);
      });
      return store<T>(instruction.shape, result);
    } else {
      throw std::logic_error("a float type has a float host type");
      return Array();
    }
  });
}

/// Any fold: runs the region for each cell.
template <typename Walk>
Array fold_slowly(const Instruction& instruction, Operands operands,
                  const Run& run, Walk walk) {
  const Computation& region = *instruction.get<Computation*>("to_apply");
  const size_t inputs = operands.size() / 2;
  std::vector<Array> results;
  for (const Shape* leaf : leaves(instruction.shape))
    results.emplace_back(*leaf);
  walk([&](int64_t position, const Cells& cells) {
    std::vector<Array> state;
    for (size_t k = 0; k < inputs; ++k) state.push_back(*operands[inputs + k]);
    for (const int64_t at : cells) {
      for (size_t k = 0; k < inputs; ++k) {
        state.push_back(element(*operands[k], at));
      }
      state = run_region(run, region, state);
    }
    for (size_t k = 0; k < inputs; ++k) {
      set_element(results[k], position, state[k]);
    }
  });
  return joined(instruction.shape, std::move(results));
}

template <typename Walk>
Array fold(const Instruction& instruction, Operands operands, const Run& run,
           Walk walk) {
  const std::string_view name =
      simple_region(*instruction.get<Computation*>("to_apply"));
  return is_fast(instruction, name)
             ? fold_fast(instruction, operands, name, walk)
             : fold_slowly(instruction, operands, run, walk);
}

Array reduce(const Instruction& instruction, Operands operands,
             const Run& run) {
  const Ints& reduced = instruction.get<Ints>("dimensions");
  return fold(instruction, operands, run, [&](auto visit) {
    for_each_line(operands[0]->shape, reduced, visit);
  });
}

Array reduce_window(const Instruction& instruction, Operands operands,
                    const Run& run) {
  const Shape& shape = *leaves(instruction.shape).at(0);
  // Scalars need no window.
  const AttributeValue* given = instruction.find("window");
  const Window window = given == nullptr ? Window() : std::get<Window>(*given);
  return fold(instruction, operands, run, [&](auto visit) {
    for_each_window(operands[0]->shape, shape, window, visit);
  });
}

/// Merges the two parts that `line` is of, the second from `middle` on: the
/// first part's go first unless the second's come before them. A permutation
/// whatever `before` says, which the standard library's merge does not promise.
template <typename Before>
void merge(std::span<int64_t> line, size_t middle, const Before& before) {
  const Cells first(line.begin(),
                    line.begin() + static_cast<ptrdiff_t>(middle));
  size_t i = 0;
  size_t j = middle;
  for (int64_t& next : line) {
    if (i == first.size()) return;  // the rest of the second part lies there
    const bool takes_second = j < line.size() && before(line[j], first[i]);
    next = takes_second ? line[j++] : first[i++];
  }
}

template <typename Before>
void merge_sort(std::span<int64_t> line, const Before& before) {
  if (line.size() < 2) return;
  const size_t middle = line.size() / 2;
  merge_sort(line.first(middle), before);
  merge_sort(line.subspan(middle), before);
  merge(line, middle, before);
}

/// Sorts positions of one line, stable.
void sort_line(Operands operands, const Run& run, const Computation& region,
               Cells& line) {
  const auto before = [&](int64_t a, int64_t b) {
    std::vector<Array> arguments;
    for (const Array* operand : operands) {
      arguments.push_back(element(*operand, a));
      arguments.push_back(element(*operand, b));
    }
    return holds(run, region, arguments);
  };
  merge_sort(std::span(line), before);
}

Array sort(const Instruction& instruction, Operands operands, const Run& run) {
  const Computation& region = *instruction.get<Computation*>("to_apply");
  const Ints along = {instruction.get<Ints>("dimensions").at(0)};
  std::vector<Array> results;
  for (const Array* operand : operands) results.push_back(*operand);
  for_each_line(operands[0]->shape, along, [&](int64_t, const Cells& cells) {
    Cells line = cells;
    sort_line(operands, run, region, line);
    for (size_t i = 0; i < line.size(); ++i) {
      for (size_t k = 0; k < operands.size(); ++k) {
        set_element(results[k], cells[i], element(*operands[k], line[i]));
      }
    }
  });
  return joined(instruction.shape, std::move(results));
}

}  // namespace

Callers fold_functions() {
  return {{"reduce", reduce}, {"reduce-window", reduce_window}, {"sort", sort}};
}

}  // namespace hlo::cpu
