#include "backends/gpu/operations/folds/generated_reduce.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/index_text.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/known_reducer.h"

namespace hlo::gpu {
namespace {

/// The strides of a view along dimensions that the reduce keeps, or reduces.
Ints part_of(const Ints& all, const Ints& reduced, bool is_reduced) {
  Ints part;
  for (size_t d = 0; d < all.size(); ++d) {
    const bool own =
        std::ranges::find(reduced, static_cast<int64_t>(d)) != reduced.end();
    if (own == is_reduced) part.push_back(all[d]);
  }
  return part;
}

void join(Ints& sizes, std::vector<Ints>& strides) {
  std::vector<Ints*> all;
  all.reserve(strides.size());
  for (Ints& own : strides) all.push_back(&own);
  join_dimensions(sizes, all);
}

/// Whether the reducer takes and gives the results' types, which the inputs'
/// elements have.
bool has_own_types(const Instruction& instruction) {
  const Computation& reducer = callee_of(instruction);
  const std::vector<const Shape*> results = leaves(instruction.shape);
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    const ElementType type = results[k % results.size()]->element_type;
    if (reducer.parameters[k]->shape.element_type != type ||
        instruction.operand_shape(k).element_type != type) {
      return false;
    }
  }
  return true;
}

/// How the reduce folds; nothing where no generated kernel does.
std::optional<Fold> fold_of(const Memory& memory,
                            const Instruction& instruction) {
  const ElementType type = leaves(instruction.shape).at(0)->element_type;
  const Reducer known = recognize(callee_of(instruction));
  if (is_float(type) && known == Reducer::kMultiply) return std::nullopt;
  if (known != Reducer::kAdd || is_integer(type)) return Fold::kRegion;
  if (!is_float(type)) return std::nullopt;
  return memory.is_fast() ? Fold::kChain : Fold::kExactSum;
}

/// The kernel but for what the terms are, without its region.
Reduction reduction_of(const Instruction& instruction, const Terms& terms,
                       Fold fold) {
  const Ints& dims = instruction.operand_shape(0).dims;
  const Ints reduced = instruction.get<Ints>("dimensions");
  Reduction own{&terms, fold, part_of(dims, reduced, false),
                part_of(dims, reduced, true)};
  for (const View& view : terms.inputs) {
    own.o_strides.push_back(part_of(view.strides, reduced, false));
    own.t_strides.push_back(part_of(view.strides, reduced, true));
  }
  for (const Shape* leaf : leaves(instruction.shape)) {
    own.types.push_back(leaf->element_type);
  }
  join(own.sizes, own.o_strides);
  join(own.taps, own.t_strides);
  return own;
}

void write_region(Reduction& own, const Computation& reducer) {
  const auto count = static_cast<int64_t>(2 * own.types.size());
  std::vector<int64_t> arguments;
  for (int64_t k = 0; k < count; ++k) arguments.push_back(k);
  TapeWriter writer(count);
  own.registers = writer.add(reducer, arguments);
  own.region = writer.tape();
}

Ints offsets_of(const Reduction& own, int64_t count, const Values& inits,
                const std::vector<Value>& results) {
  Ints words = {count};
  for (const View& view : own.terms->inputs) {
    words.push_back(byte_offset(view));
  }
  for (const Value* init : inits) words.push_back(init->offset());
  for (const Value& result : results) words.push_back(result.offset());
  return words;
}

/// Its results, if its kernel shall run.
std::optional<std::vector<Value>> results_of(Memory& memory,
                                             const Instruction& instruction,
                                             const Reduction& own,
                                             const Values& inits) {
  const int64_t count = elements_in(own.sizes);
  const int64_t steps = count * elements_in(own.taps) *
                        (1 + own.terms->tape.length() + own.region.length());
  if (!memory.kernels().may_generate(steps)) return std::nullopt;
  const KernelText text = text_of(own);
  if (!memory.kernels().generates(text, steps)) return std::nullopt;
  std::vector<Value> results;
  for (const Shape* leaf : leaves(instruction.shape)) {
    results.push_back(new_array(memory, *leaf));
  }
  memory.device().run(text, offsets_of(own, count, inits, results), count);
  return results;
}

}  // namespace

std::optional<Value> generated_reduce(Memory& memory,
                                      const Instruction& instruction,
                                      const Terms& terms, const Values& inits) {
  const std::optional<Fold> fold = fold_of(memory, instruction);
  if (!fold || !has_own_types(instruction)) return std::nullopt;
  const Walk walk = walk_of_reduce(instruction.operand_shape(0),
                                   instruction.get<Ints>("dimensions"));
  const int64_t count = elements_in(walk.sizes);
  const int64_t taps = elements_in(walk.tap_sizes);
  if (count == 0 || taps == 0) return std::nullopt;
  if (*fold == Fold::kExactSum && is_shared_sum(count, taps)) {
    return std::nullopt;
  }
  Reduction own = reduction_of(instruction, terms, *fold);
  if (*fold == Fold::kRegion) write_region(own, callee_of(instruction));
  auto results = results_of(memory, instruction, own, inits);
  if (!results) return std::nullopt;
  if (!instruction.shape.is_tuple()) return results->at(0);
  return Value{instruction.shape, nullptr, std::move(*results)};
}

}  // namespace hlo::gpu
