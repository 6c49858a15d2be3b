#include "backends/tpu/operations/parts/numbered_lines.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/machine/lane_scatter.h"
#include "backends/tpu/machine/scalar_read.h"
#include "backends/tpu/machine/scalar_write.h"
#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/program/assign_layout.h"
#include "interpreter/model/storage.h"
#include "interpreter/plans/region/region.h"
#include "interpreter/rules/work.h"

namespace hlo::tpu {
namespace {

/// Which parameters the computation reads.
std::vector<bool> parameters_read(const Computation& computation) {
  std::vector<bool> are_read(computation.parameters.size(), false);
  const auto read = [&](const Instruction* instruction) {
    const int64_t number = instruction->parameter_number;
    if (number >= 0) are_read[static_cast<size_t>(number)] = true;
  };
  for (const auto& instruction : computation.instructions) {
    for (const Instruction* operand : instruction->operands) read(operand);
  }
  read(computation.root);
  return are_read;
}

/// Asks the comparator about two rows of a line.
class RowOrder {
 public:
  RowOrder(Machine& machine, const Instruction& sort, const Values& operands)
      : machine_(machine),
        operands_(operands),
        region_(*sort.get<Computation*>("to_apply"), machine.evaluator,
                Region::Runs::kOneByOne),
        comparing_(region_, 1),
        are_read_(parameters_read(region_.computation())),
        elements_(are_read_.size()) {}

  /// Rows are at first + row * stride of each operand.
  void begin_line(int64_t first, int64_t stride) {
    first_ = first;
    stride_ = stride;
    rows_ = {kNone, kNone};
  }

  bool goes_before(int64_t a, int64_t b) {
    take(0, a);
    take(1, b);
    std::vector<const std::byte*> inputs;
    for (const Element& element : elements_) inputs.push_back(element.bytes);
    std::byte answer{};
    std::byte* const output = &answer;
    region_.run(comparing_, 1, inputs.data(), &output);
    return answer != std::byte{0};
  }

 private:
  static constexpr int64_t kNone = -1;

  struct Element {
    alignas(ElementBits) std::byte bytes[sizeof(ElementBits)];
  };

  /// The elements of a row become the first, or the second, of each operand.
  void take(size_t place, int64_t row) {
    if (std::exchange(rows_[place], row) == row) return;
    for (size_t k = 0; k < operands_.size(); ++k) {
      if (!are_read_[2 * k + place]) continue;
      const TiledArray& array = operands_[k]->array;
      store(array.shape.element_type,
            element_at(machine_, array, first_ + row * stride_),
            elements_[2 * k + place].bytes);
    }
  }

  Machine& machine_;
  const Values& operands_;
  Region region_;
  Region::Scratch comparing_;
  std::vector<bool> are_read_;     // by parameter of the comparator
  std::vector<Element> elements_;  // the same
  int64_t first_ = 0;
  int64_t stride_ = 1;
  std::array<int64_t, 2> rows_ = {kNone, kNone};
};

/// The numbers of a line's rows, in an array of the machine.
class RowNumbers {
 public:
  RowNumbers(Machine& machine, int64_t rows)
      : machine_(machine), rows_(rows), from_(numbers()), to_(numbers()) {}

  void order(RowOrder& order) {
    for (int64_t r = 0; r < rows_; ++r) write_integer(machine_, from_, r, r);
    for (int64_t width = 1; width < rows_; width *= 2) {
      for (int64_t begin = 0; begin < rows_; begin += 2 * width) {
        const int64_t middle = std::min(rows_, begin + width);
        merge(order, begin, middle, std::min(rows_, middle + width));
      }
      std::swap(from_, to_);
    }
  }

  /// In order, after order().
  const TiledArray& array() const { return from_; }

 private:
  TiledArray numbers() const {
    return new_array(
        machine_.memory,
        placed(*machine_.generation, Shape::array(ElementType::kS64, {rows_})));
  }

  int64_t at(int64_t place) const { return integer_at(machine_, from_, place); }

  /// A row of the second run goes before one of the first only where the
  /// comparator says so.
  void merge(RowOrder& order, int64_t begin, int64_t middle, int64_t end) {
    int64_t a = begin;
    int64_t b = middle;
    for (int64_t into = begin; into < end; ++into) {
      const bool is_b =
          a == middle || (b < end && order.goes_before(at(b), at(a)));
      write_integer(machine_, to_, into, at(is_b ? b++ : a++));
    }
  }

  Machine& machine_;
  int64_t rows_;
  TiledArray from_;
  TiledArray to_;
};

/// Takes the line's elements of one operand to the places of their rows.
void move_line(Machine& machine, const TiledArray& from, int64_t first,
               int64_t stride, const TiledArray& numbers,
               LaneScatter& scatter) {
  LaneGather gather(machine, from, 1);
  for (int64_t r = 0; r < numbers.registers(); ++r) {
    LaneElements sources = elements_of(*numbers.order, r);
    LaneElements targets = sources;
    {
      const Register rows = load_register(machine, numbers, r);
      for (size_t k = 0; k < sources.size(); ++k) {
        if (sources[k] == TileOrder::kPadding) continue;
        int64_t row = 0;
        std::memcpy(&row, rows.lane(static_cast<int64_t>(k)), sizeof(row));
        targets[k] = first + sources[k] * stride;
        sources[k] = first + row * stride;
      }
    }
    Register lanes(machine.scratch, from.shape.element_type);
    gather.gather(sources, lanes);
    machine.counters.vector_operations += 1;
    scatter.scatter(lanes, targets);
  }
  scatter.leave();
}

/// Calls visit(first, stride) for each line along the dimension: its elements
/// are at first + row * stride.
template <typename Visit>
void for_each_line(const Ints& dims, size_t dimension, const Visit& visit) {
  int64_t outer = 1;
  int64_t inner = 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (d < dimension) outer *= dims[d];
    if (d > dimension) inner *= dims[d];
  }
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      visit(o * dims[dimension] * inner + i, inner);
    }
  }
}

}  // namespace

std::vector<TiledArray> sorted_by_numbers(Machine& machine,
                                          const Instruction& sort,
                                          const Values& operands,
                                          const std::vector<Shape>& shapes) {
  machine.evaluator.budget().spend(work_of(sort));
  std::vector<TiledArray> results;
  std::vector<LaneScatter> scatters;
  results.reserve(shapes.size());
  for (const Shape& shape : shapes) {
    results.push_back(new_array(machine.memory, shape));
    scatters.emplace_back(machine, results.back(), 1);
  }
  if (results[0].order->elements() == 0) return results;
  const auto dimension = static_cast<size_t>(sort.get<Ints>("dimensions")[0]);
  const Ints& dims = operands[0]->array.shape.dims;
  RowOrder order(machine, sort, operands);
  RowNumbers numbers(machine, dims[dimension]);
  for_each_line(dims, dimension, [&](int64_t first, int64_t stride) {
    order.begin_line(first, stride);
    numbers.order(order);
    for (size_t k = 0; k < operands.size(); ++k) {
      move_line(machine, operands[k]->array, first, stride, numbers.array(),
                scatters[k]);
    }
  });
  for (LaneScatter& scatter : scatters) scatter.finish();
  return results;
}

}  // namespace hlo::tpu
