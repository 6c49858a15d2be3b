#include "backends/tpu/operations/parts/parts.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "backends/tpu/operations/parts/staged_array.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 16;  // of an array
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

int64_t bytes_of(const Shape& shape, const Ints& sizes) {
  return Shape::array(shape.element_type, sizes).element_count() *
         storage_bytes(shape.element_type);
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
        on_block_(instruction) {
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

  /// Whether the scratch memory has room for a part.
  bool fits() const {
    int64_t kept = 0;
    for (const ElementType type : types()) {
      kept += 2 * kKeptRegisters * kLanes * storage_bytes(type);
    }
    return kept + bytes_of_part() <=
           machine_.scratch.size() - machine_.scratch.held();
  }

  void run() {
    if (std::ranges::count(counts_, 0) > 0) return;
    for (const Value* operand : operands_) {
      gathers_.emplace_back(machine_, operand->array, kKeptRegisters);
    }
    for (const TiledArray& result : results_) {
      scatters_.emplace_back(machine_, result, kKeptRegisters);
    }
    const int64_t block = std::max<int64_t>(
        1, kBlockBytes / std::max<int64_t>(1, bytes_of_part()));
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
  std::vector<ElementType> types() const {
    std::vector<ElementType> types;
    for (const Value* operand : operands_) {
      types.push_back(operand->shape.element_type);
    }
    for (const TiledArray& result : results_) {
      types.push_back(result.shape.element_type);
    }
    return types;
  }

  int64_t bytes_of_part() const {
    int64_t bytes = 0;
    for (size_t k = 0; k < operands_.size(); ++k) {
      const Shape& shape = operands_[k]->shape;
      bytes += bytes_of(shape, part_sizes(shape, split_.operands[k]));
    }
    for (size_t k = 0; k < results_.size(); ++k) {
      const Shape& shape = results_[k].shape;
      bytes += bytes_of(shape, part_sizes(shape, split_.results[k]));
    }
    return bytes;
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
    const ScratchRoom room(machine_.scratch, bytes_of_part() * count);
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
  std::vector<std::unique_ptr<Instruction>> parameters_;
  Ints counts_;  // of parts, along each split dimension
  size_t widest_ = 0;
  std::vector<LaneGather> gathers_;
  std::vector<LaneScatter> scatters_;
};

}  // namespace

std::optional<std::vector<TiledArray>> by_parts(
    Machine& machine, const Instruction& instruction, const Split& split,
    const Values& operands, const std::vector<Shape>& shapes) {
  std::vector<TiledArray> results;
  for (const Shape& shape : shapes) {
    results.push_back(new_array(machine.memory, shape));
  }
  PartsRun run(machine, instruction, split, operands, results);
  if (!run.fits()) return std::nullopt;
  run.run();
  return results;
}

}  // namespace hlo::tpu
