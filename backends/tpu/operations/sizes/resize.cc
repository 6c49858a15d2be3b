#include "backends/tpu/operations/sizes/resize.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "backends/tpu/machine/scalar_read.h"
#include "backends/tpu/operations/fills/fill.h"
#include "backends/tpu/operations/sizes/rearranged.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

size_t dimension_of(const Instruction& instruction) {
  return static_cast<size_t>(instruction.get<Ints>("dimensions")[0]);
}

/// A size in the machine's scalar memory, clamped to the bound.
int64_t size_in(Machine& machine, const Value& scalar, int64_t bound) {
  return std::clamp<int64_t>(integer_at(machine, scalar.array, 0), 0, bound);
}

/// The operand in its tiles, with the size that is given.
TiledArray with_size(Machine& machine, const Instruction& set,
                     const Values& operands) {
  TiledArray result = operands[0]->array;
  const size_t d = dimension_of(set);
  result.shape.dynamic = set.shape.dynamic;
  std::vector<int64_t> sizes = sizes_of(result);
  const int64_t bound = set.shape.dims[d];
  sizes[d] = set.shape.is_dynamic(static_cast<int64_t>(d))
                 ? size_in(machine, *operands[1], bound)
                 : bound;
  set_sizes(result, std::move(sizes));
  return result;
}

TiledArray size_of(Machine& machine, const Instruction& get,
                   const Values& operands) {
  const int64_t size = sizes_of(operands[0]->array)[dimension_of(get)];
  return word(machine, ElementType::kS32, static_cast<uint64_t>(size)).array;
}

std::vector<int64_t> given_sizes(Machine& machine, const Instruction& reshape,
                                 const Values& operands) {
  std::vector<int64_t> sizes = reshape.shape.dims;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!reshape.shape.is_dynamic(static_cast<int64_t>(d))) continue;
    sizes[d] = size_in(machine, *operands[d + 1], sizes[d]);
  }
  return sizes;
}

int64_t count_of(const std::vector<int64_t>& sizes) {
  return Shape::array(ElementType::kPred, sizes).element_count();
}

/// Elements side by side in row-major order of the sizes, not of the bounds.
TiledArray reshaped(Machine& machine, const Instruction& reshape,
                    const Values& operands) {
  const TiledArray& array = operands[0]->array;
  const std::vector<int64_t>& from = sizes_of(array);
  const std::vector<int64_t> to = given_sizes(machine, reshape, operands);
  const int64_t present = count_of(from);
  const auto source_of = [&](int64_t position) {
    const Index index = delinearize(position, reshape.shape.dims);
    if (!std::ranges::equal(index, to, std::less{})) return TileOrder::kPadding;
    const int64_t number = linearize(index, to);
    if (number >= present) return TileOrder::kPadding;
    return linearize(delinearize(number, from), array.shape.dims);
  };
  TiledArray result = rearranged(machine, array, reshape.shape, source_of);
  set_sizes(result, to);
  return result;
}

}  // namespace

std::optional<TiledArray> resized(Machine& machine,
                                  const Instruction& instruction,
                                  const Values& operands) {
  if (instruction.op->form == Form::kResize) {
    return with_size(machine, instruction, operands);
  }
  const std::string_view name = instruction.op->name;
  if (name == "get-dimension-size") {
    return size_of(machine, instruction, operands);
  }
  if (name == "dynamic-reshape") {
    return reshaped(machine, instruction, operands);
  }
  return std::nullopt;
}

}  // namespace hlo::tpu
