#include "backends/tpu/operations/parts/parts.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "backends/tpu/operations/parts/staged_array.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kMostKeptRegisters = 16;  // of an array
// What parts take together where several fit: one reference loop for many.
constexpr int64_t kBlockBytes = int64_t{1} << 18;

/// The array's sizes where those along split dimensions are 1.
Ints part_sizes(const Shape& shape, const Ints& split) {
  Ints sizes = shape.dims;
  for (const int64_t d : split) {
    if (d != Split::kNone) sizes[static_cast<size_t>(d)] = 1;
  }
  return sizes;
}

int64_t bytes_of(const Shape& shape, const Ints& split) {
  return Shape::array(shape.element_type, part_sizes(shape, split))
             .element_count() *
         storage_bytes(shape.element_type);
}

/// A register of each array while its lanes are moved, one that is kept, and
/// one that has no place between others.
int64_t bytes_of_registers(const Instruction& instruction) {
  int64_t bytes = 0;
  for (const Instruction* operand : instruction.operands) {
    bytes += storage_bytes(operand->shape.element_type);
  }
  for (const Shape* leaf : leaves(instruction.shape)) {
    bytes += storage_bytes(leaf->element_type);
  }
  return 3 * bytes * kLanes;
}

int64_t bytes_of_part(const Instruction& instruction, const Split& split) {
  int64_t bytes = 0;
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    bytes += bytes_of(instruction.operand_shape(k), split.operands[k]);
  }
  const std::vector<const Shape*> results = leaves(instruction.shape);
  for (size_t k = 0; k < results.size(); ++k) {
    bytes += bytes_of(*results[k], split.results[k]);
  }
  if (instruction.op->name == "sort" || instruction.op->name == "topk") {
    const Shape& lines = instruction.operand_shape(0);
    bytes +=
        Shape::array(lines.element_type, part_sizes(lines, split.operands[0]))
            .element_count() *
        kBytesOfSortedRow;
  }
  return bytes;
}

/// Splits, block by block, and the instruction on one of the blocks.
class PartsRun {
 public:
  PartsRun(Machine& machine, const Instruction& instruction, const Split& split,
           const Values& operands, std::vector<TiledArray>& results)
      : machine_(machine),
        split_(split),
        operands_(operands),
        results_(results),
        on_block_(instruction),
        free_(machine.scratch.size() - machine.scratch.held()),
        of_part_(bytes_of_part(instruction, split)),
        of_registers_(bytes_of_registers(instruction)) {
    for (size_t k = 0; k < split.dimensions(); ++k) {
      counts_.push_back(
          results[0].shape.dims[static_cast<size_t>(split.results[0][k])]);
    }
    if (!counts_.empty()) {
      widest_ = static_cast<size_t>(std::ranges::max_element(counts_) -
                                    counts_.begin());
    }
    for (const Instruction* operand : instruction.operands) {
      parameters_.push_back(std::make_unique<Instruction>(*operand));
    }
  }

  void run() {
    if (std::ranges::count(counts_, 0) > 0) return;
    for (const Value* operand : operands_) {
      gathers_.emplace_back(machine_, operand->array, kept_registers());
    }
    for (const TiledArray& result : results_) {
      scatters_.emplace_back(machine_, result, kept_registers());
    }
    const int64_t block = std::max<int64_t>(
        1, std::min(kBlockBytes, free_ - kept_registers() * of_registers_) /
               std::max<int64_t>(1, of_part_));
    Index first(counts_.size(), 0);
    do {
      const int64_t count =
          counts_.empty() ? 1
                          : std::min(block, counts_[widest_] - first[widest_]);
      run_block(first, count);
    } while (advance(first, block));
    for (LaneScatter& scatter : scatters_) scatter.finish();
  }

 private:
  /// As many of each array as there is room for beside a part.
  int64_t kept_registers() const {
    return std::clamp<int64_t>((free_ - of_part_) / of_registers_, 1,
                               kMostKeptRegisters);
  }

  /// The parts from `first` on, `count` along the widest dimension.
  ArrayPart part_of(const Shape& shape, const Ints& split, const Index& first,
                    int64_t count) const {
    ArrayPart part{part_sizes(shape, split), Index(shape.dims.size(), 0)};
    for (size_t k = 0; k < split.size(); ++k) {
      if (split[k] == Split::kNone) continue;
      const auto d = static_cast<size_t>(split[k]);
      part.first[d] = first[k];
      if (k == widest_) part.sizes[d] = count;
    }
    return part;
  }

  void run_block(const Index& first, int64_t count) {
    // cppcheck-suppress unreadVariable; it is given back at the end
    const ScratchRoom room(machine_.scratch, of_part_ * count);
    std::vector<Literal> literals;
    for (size_t k = 0; k < operands_.size(); ++k) {
      const ArrayPart part =
          part_of(operands_[k]->shape, split_.operands[k], first, count);
      literals.push_back(
          staged(machine_, operands_[k]->array, gathers_[k], part));
      parameters_[k]->shape = literals.back().shape();
      on_block_.operands[k] = parameters_[k].get();
    }
    std::vector<ArrayPart> parts;
    std::vector<Shape> shapes;
    for (size_t k = 0; k < results_.size(); ++k) {
      const Shape& shape = results_[k].shape;
      parts.push_back(part_of(shape, split_.results[k], first, count));
      shapes.push_back(Shape::array(shape.element_type, parts[k].sizes));
    }
    on_block_.shape =
        on_block_.shape.is_tuple() ? Shape::tuple(shapes) : shapes[0];
    const Literal value =
        evaluate_instruction(on_block_, literals, machine_.evaluator);
    machine_.counters.vector_operations += 1;
    for (size_t k = 0; k < results_.size(); ++k) {
      unstage(machine_, value.shape().is_tuple() ? value.elements()[k] : value,
              results_[k], scatters_[k], parts[k]);
    }
  }

  bool advance(Index& first, int64_t block) const {
    for (size_t k = counts_.size(); k-- > 0;) {
      first[k] += k == widest_ ? block : 1;
      if (first[k] < counts_[k]) return true;
      first[k] = 0;
    }
    return false;
  }

  Machine& machine_;
  const Split& split_;
  const Values& operands_;
  std::vector<TiledArray>& results_;
  Instruction on_block_;
  int64_t free_;  // bytes of the scratch memory
  int64_t of_part_;
  int64_t of_registers_;
  std::vector<std::unique_ptr<Instruction>> parameters_;
  Ints counts_;  // of parts, along each split dimension
  size_t widest_ = 0;
  std::vector<LaneGather> gathers_;
  std::vector<LaneScatter> scatters_;
};

}  // namespace

int64_t room_for_part(const Instruction& instruction, const Split& split) {
  return bytes_of_part(instruction, split) + bytes_of_registers(instruction);
}

std::vector<TiledArray> by_parts(Machine& machine,
                                 const Instruction& instruction,
                                 const Split& split, const Values& operands,
                                 const std::vector<Shape>& shapes) {
  std::vector<TiledArray> results;
  for (const Shape& shape : shapes) {
    results.push_back(new_array(machine.memory, shape));
  }
  PartsRun(machine, instruction, split, operands, results).run();
  return results;
}

}  // namespace hlo::tpu
