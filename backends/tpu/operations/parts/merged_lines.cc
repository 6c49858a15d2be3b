#include "backends/tpu/operations/parts/merged_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/parts/parts.h"
#include "backends/tpu/operations/parts/staged_array.h"
#include "interpreter/evaluate.h"
#include "interpreter/plans/region/region.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 2;  // of an array that is written

/// Registers of each operand: two that are read, one that is filled, those that
/// are written, and one that has no place between others.
constexpr int64_t kRegisters = 2 + 1 + kKeptRegisters + 1;

int64_t bytes_of_row(const Instruction& sort) {
  int64_t bytes = 0;
  for (const Instruction* operand : sort.operands) {
    bytes += storage_bytes(operand->shape.element_type);
  }
  return bytes;
}

/// The elements of one operand along the lines, in registers of a row each: an
/// array of one dimension.
using Rows = std::vector<TiledArray>;

/// Reads the rows of an array of one dimension, in order.
class RowReader {
 public:
  RowReader(Machine& machine, const TiledArray& array)
      : machine_(machine), array_(array) {}

  const std::byte* at(int64_t row) {
    const int64_t number = row / kLanes;
    const bool stays = lanes_ && machine_.has(Fault::kRowRegisterKept);
    if (number != number_ && !stays) {
      lanes_.reset();  // there may be no room for both
      lanes_.emplace(load_register(machine_, array_, number));
      number_ = number;
    }
    const int64_t lane = row % kLanes;
    if (!lanes_->valid()[static_cast<size_t>(lane)]) {
      read_of_padding(array_, row);
    }
    return lanes_->lane(lane);
  }

 private:
  Machine& machine_;
  const TiledArray& array_;
  std::optional<Register> lanes_;
  int64_t number_ = -1;
};

/// Writes rows of a line, in order, to where they belong in an array.
class RowWriter {
 public:
  RowWriter(Machine& machine, ElementType type, LaneScatter& scatter,
            int64_t first, int64_t stride)
      : machine_(machine),
        type_(type),
        scatter_(scatter),
        position_(first),
        stride_(stride) {
    begin();
  }

  void write(const std::byte* from) {
    const auto lane = static_cast<size_t>(filled_);
    std::memcpy(lanes_->lane(filled_), from,
                static_cast<size_t>(lanes_->width()));
    lanes_->valid().set(lane);
    positions_[lane] = position_;
    position_ += stride_;
    if (++filled_ == kLanes) {
      finish();
      begin();
    }
  }

  void finish() {
    if (filled_ > 0) scatter_.scatter(*lanes_, positions_);
    machine_.counters.vector_operations += 1;
    lanes_.reset();
  }

 private:
  void begin() {
    lanes_.emplace(machine_.scratch, type_);
    positions_.fill(TileOrder::kPadding);
    filled_ = 0;
  }

  Machine& machine_;
  ElementType type_;
  LaneScatter& scatter_;
  int64_t position_;
  int64_t stride_;
  std::optional<Register> lanes_;
  LaneElements positions_;
  int64_t filled_ = 0;
};

Literal tuple_or_one(const std::vector<Literal>& literals) {
  return literals.size() == 1 ? literals[0] : Literal::tuple(literals);
}

/// Rows from `first` on; what is merged ends with it.
struct Run {
  int64_t first;
  int64_t end;
};

class MergeSort {
 public:
  MergeSort(Machine& machine, const Instruction& sort, const Values& operands,
            std::vector<TiledArray>& results)
      : machine_(machine),
        on_run_(sort),
        operands_(operands),
        dimension_(static_cast<size_t>(sort.get<Ints>("dimensions")[0])),
        rows_(operands[0]->array.shape.dims[dimension_]),
        of_run_(rows_of_runs(sort, machine.scratch.size())),
        region_(*sort.get<Computation*>("to_apply"), machine.evaluator,
                Region::Runs::kOneByOne),
        comparing_(region_, 1) {
    for (const Instruction* operand : sort.operands) {
      parameters_.push_back(std::make_unique<Instruction>(*operand));
    }
    const Ints& dims = operands[0]->array.shape.dims;
    for (size_t d = dims.size(); d-- > dimension_ + 1;) stride_ *= dims[d];
    for (TiledArray& result : results) {
      scatters_.emplace_back(machine, result, kKeptRegisters);
    }
  }

  void run() {
    Index line(operands_[0]->array.shape.dims.size(), 0);
    do {
      sort_line(line);
    } while (advance(line));
    for (LaneScatter& scatter : scatters_) scatter.finish();
  }

 private:
  bool advance(Index& line) const {
    const Ints& dims = operands_[0]->array.shape.dims;
    for (size_t d = dims.size(); d-- > 0;) {
      if (d == dimension_) continue;
      if (++line[d] < dims[d]) return true;
      line[d] = 0;
    }
    return false;
  }

  void sort_line(const Index& line) {
    Rows rows = runs(line);
    int64_t width = of_run_;
    for (; 2 * width < rows_; width *= 2) {
      Rows merged = new_rows();
      std::vector<LaneScatter> scatters = scatters_of(merged);
      merge_all(rows, width, scatters, /*first=*/0, /*stride=*/1);
      for (LaneScatter& scatter : scatters) scatter.finish();
      rows = std::move(merged);
    }
    merge_all(rows, width, scatters_,
              linearize(line, operands_[0]->array.shape.dims), stride_);
  }

  Rows new_rows() const {
    Rows rows;
    for (const Value* operand : operands_) {
      rows.push_back(
          new_array(machine_.memory,
                    Shape::array(operand->array.shape.element_type, {rows_})));
    }
    return rows;
  }

  std::vector<LaneScatter> scatters_of(const Rows& rows) const {
    std::vector<LaneScatter> scatters;
    for (const TiledArray& array : rows) {
      scatters.emplace_back(machine_, array, kKeptRegisters);
    }
    return scatters;
  }

  /// The line in runs, each in order.
  Rows runs(const Index& line) {
    Rows rows = new_rows();
    std::vector<LaneScatter> scatters = scatters_of(rows);
    std::vector<LaneGather> gathers;
    for (const Value* operand : operands_) {
      gathers.emplace_back(machine_, operand->array, 1);
    }
    for (int64_t first = 0; first < rows_; first += of_run_) {
      const Run run = {first, std::min(rows_, first + of_run_)};
      sort_run(line, run, rows, gathers, scatters);
      machine_.counters.pieces += 1;
    }
    for (LaneScatter& scatter : scatters) scatter.finish();
    return rows;
  }

  void sort_run(const Index& line, Run run, const Rows& rows,
                std::vector<LaneGather>& gathers,
                std::vector<LaneScatter>& scatters) {
    const int64_t count = run.end - run.first;
    // cppcheck-suppress unreadVariable; it is given back at the end
    const ScratchRoom room(
        machine_.scratch,
        count * (2 * bytes_of_row(on_run_) + kBytesOfSortedRow));
    ArrayPart part{Ints(line.size(), 1), line};
    part.sizes[dimension_] = count;
    part.first[dimension_] = run.first;
    std::vector<Literal> literals;
    std::vector<Shape> shapes;
    for (size_t k = 0; k < operands_.size(); ++k) {
      literals.push_back(
          staged(machine_, operands_[k]->array, gathers[k], part));
      shapes.push_back(literals[k].shape());
      parameters_[k]->shape = shapes[k];
      on_run_.operands[k] = parameters_[k].get();
    }
    on_run_.shape = on_run_.shape.is_tuple() ? Shape::tuple(shapes) : shapes[0];
    const bool is_left =
        machine_.has(Fault::kLastRunLeftUnsorted) && run.end == rows_;
    const Literal value =
        is_left ? tuple_or_one(literals)
                : evaluate_instruction(on_run_, literals, machine_.evaluator);
    machine_.counters.vector_operations += 1;
    for (size_t k = 0; k < operands_.size(); ++k) {
      unstage(machine_, value.shape().is_tuple() ? value.elements()[k] : value,
              rows[k], scatters[k], {{count}, {run.first}});
    }
  }

  /// Merges neighbours of `width` rows; the rows go to first + stride * row.
  void merge_all(const Rows& rows, int64_t width,
                 std::vector<LaneScatter>& scatters, int64_t first,
                 int64_t stride) {
    for (int64_t begin = 0; begin < rows_; begin += 2 * width) {
      const int64_t middle = std::min(rows_, begin + width);
      const int64_t end = std::min(rows_, middle + width);
      std::vector<RowWriter> writers;
      for (size_t k = 0; k < rows.size(); ++k) {
        writers.emplace_back(machine_, rows[k].shape.element_type, scatters[k],
                             first + begin * stride, stride);
      }
      merge(rows, {begin, middle}, {middle, end}, writers);
      for (RowWriter& writer : writers) writer.finish();
    }
  }

  /// A row of the second run goes before one of the first only where the
  /// comparator says so.
  void merge(const Rows& rows, Run a, Run b, std::vector<RowWriter>& writers) {
    std::vector<RowReader> of_a;
    std::vector<RowReader> of_b;
    for (const TiledArray& array : rows) {
      of_a.emplace_back(machine_, array);
      of_b.emplace_back(machine_, array);
    }
    while (a.first < a.end || b.first < b.end) {
      const bool is_b =
          a.first == a.end ||
          (b.first < b.end && second_is_next(of_b, b.first, of_a, a.first));
      Run& next = is_b ? b : a;
      for (size_t k = 0; k < rows.size(); ++k) {
        writers[k].write((is_b ? of_b : of_a)[k].at(next.first));
      }
      ++next.first;
    }
  }

  bool second_is_next(std::vector<RowReader>& of_b, int64_t b,
                      std::vector<RowReader>& of_a, int64_t a) {
    return machine_.has(Fault::kMergePrefersSecond)
               ? !goes_before(of_a, a, of_b, b)
               : goes_before(of_b, b, of_a, a);
  }

  bool goes_before(std::vector<RowReader>& of_x, int64_t x,
                   std::vector<RowReader>& of_y, int64_t y) {
    std::vector<const std::byte*> inputs;
    for (size_t k = 0; k < of_x.size(); ++k) {
      inputs.push_back(of_x[k].at(x));
      inputs.push_back(of_y[k].at(y));
    }
    std::byte answer{};
    std::byte* const output = &answer;
    region_.run(comparing_, 1, inputs.data(), &output);
    return answer != std::byte{0};
  }

  Machine& machine_;
  Instruction on_run_;
  const Values& operands_;
  size_t dimension_;
  int64_t rows_;    // of a line
  int64_t of_run_;  // of a run that is ordered in the scratch memory
  int64_t stride_ = 1;
  Region region_;
  Region::Scratch comparing_;
  std::vector<std::unique_ptr<Instruction>> parameters_;
  std::vector<LaneScatter> scatters_;
};

}  // namespace

int64_t rows_of_runs(const Instruction& sort, int64_t scratch) {
  const int64_t of_row = bytes_of_row(sort);
  const int64_t room = scratch - kRegisters * kLanes * of_row;
  const int64_t rows = room / (2 * of_row + kBytesOfSortedRow);
  if (rows < 2) return 0;
  return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(rows)));
}

std::vector<TiledArray> sorted_by_merging(Machine& machine,
                                          const Instruction& sort,
                                          const Values& operands,
                                          const std::vector<Shape>& shapes) {
  std::vector<TiledArray> results;
  for (const Shape& shape : shapes) {
    results.push_back(new_array(machine.memory, shape));
  }
  machine.counters.splits += 1;
  MergeSort(machine, sort, operands, results).run();
  return results;
}

}  // namespace hlo::tpu
