#include <optional>
#include <utility>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/orders/key_order.h"
#include "backends/gpu/operations/orders/sort_keys.h"
#include "backends/gpu/operations/take.h"
#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/kernel_codes.h"
#include "backends/gpu/program/map_launch.h"
#include "interpreter/rules/callee.h"

namespace hlo::gpu {
namespace {

/// Lines of arrays along one dimension, which are put in order together.
struct Lines {
  Ints sizes;    // of the other dimensions
  Ints strides;  // of them
  int64_t length = 0;
  int64_t stride = 0;  // along a line

  Lines(const Ints& dims, size_t dimension) {
    const Ints own = row_major_strides(dims);
    for (size_t d = 0; d < dims.size(); ++d) {
      if (d == dimension) continue;
      sizes.push_back(dims[d]);
      strides.push_back(own[d]);
    }
    length = dims[dimension];
    stride = own[dimension];
  }

  int64_t count() const { return elements_in(sizes); }
};

/// What tells whether one row comes before another: a tape over registers 2k
/// and 2k + 1, the elements of operand k, and the register of its answer.
struct Comparator {
  Tape tape;
  int64_t answer = 0;
};

/// One pass from the indices `before` (none: 0, 1, ...) to `after`.
void merge_runs(Memory& memory, const Lines& lines, const Values& operands,
                const Comparator& comparator, int64_t width,
                const Value* before, const Value& after) {
  const int64_t pairs = (lines.length - 1) / (2 * width) + 1;
  const int64_t items = lines.count() * pairs;
  Ints words = {items,
                std::ssize(lines.sizes),
                std::ssize(operands),
                comparator.tape.length(),
                lines.length,
                width,
                pairs,
                before == nullptr ? 0 : before->offset(),
                after.offset(),
                lines.stride,
                comparator.answer,
                before == nullptr ? 1 : 0};
  append(words, lines.sizes);
  append(words, lines.strides);
  for (const Value* operand : operands) {
    append(words, {operand->offset(), type_code(operand->shape.element_type)});
  }
  append(words, comparator.tape.words);
  memory.device().run(Kernel::kMerge, words, items);
}

/// Indices by passes of merges.
Value merged_indices(Memory& memory, const Lines& lines, const Values& operands,
                     const Comparator& comparator) {
  const Shape shape =
      Shape::array(ElementType::kS64, {lines.count(), lines.length});
  Value after = new_array(memory, shape);
  Value before = new_array(memory, shape);
  merge_runs(memory, lines, operands, comparator, 1, nullptr, after);
  for (int64_t width = 2; width < lines.length; width *= 2) {
    std::swap(before, after);
    merge_runs(memory, lines, operands, comparator, width, &before, after);
  }
  return after;
}

/// Whether any of the array of truths is true.
bool has_true(Memory& memory, const Value& truths) {
  constexpr int64_t kParts = 4096;
  const int64_t count = truths.shape.element_count();
  const int64_t each = (count + kParts - 1) / kParts;
  const int64_t parts = (count + each - 1) / each;
  Walk walk{{parts}, {each}, {}, {0, {0}, {0}}};
  walk.windows.push_back({.stride = each, .size = count});
  const Value found =
      new_array(memory, Shape::array(ElementType::kPred, {parts}));
  launch_sums(memory, walk, truths, nullptr, {0, {0}, {0}}, {}, found);
  const Literal each_part = download(memory, found);
  for (int64_t k = 0; k < parts; ++k) {
    if (each_part.integer(k) != 0) return true;
  }
  return false;
}

int64_t bits_of(ElementType type) {
  // One more where NaN, or all powers of two, stand beside signs.
  const int64_t bits = int64_t{8} * storage_bytes(type);
  return is_float(type) && bits == 8 ? bits + 1 : bits;
}

/// The elements of the operand at the first `kept` indices of each line, as an
/// array whose dimension `dimension` is that long.
Value taken(Memory& memory, const Value& operand, const Shape& shape,
            size_t dimension, const Lines& lines, const Value& indices) {
  Take take;
  take.operand = &operand;
  take.strides = row_major_strides(operand.shape.dims);
  take.strides[dimension] = 0;
  TakeIndex index;
  index.indices = &indices;
  index.largest = lines.length - 1;
  index.stride = lines.stride;
  int64_t step = lines.length;
  index.strides.assign(shape.dims.size(), 1);
  for (size_t d = shape.dims.size(); d-- > 0;) {
    if (d == dimension) continue;
    index.strides[d] = step;
    step *= shape.dims[d];
  }
  take.indices.push_back(std::move(index));
  return launch(memory, take, shape);
}

/// Each row's keys, as u64[lines, length] each, and where one is NaN.
struct RowKeys {
  std::vector<Value> keys;
  std::vector<Value> nans;
};

RowKeys keys_of_rows(Memory& memory, const Lines& lines, const Values& operands,
                     const Comparator& comparator,
                     const std::vector<SortKey>& keys) {
  const Ints dims = {lines.count(), lines.length};
  Ints sizes = lines.sizes;
  Ints strides = lines.strides;
  sizes.push_back(lines.length);
  strides.push_back(lines.stride);
  Map map{sizes, {}, {}, {}};
  for (const Value* operand : operands) {
    map.inputs.insert(map.inputs.end(), 2, view_of(*operand, strides));
  }
  TapeWriter writer(comparator.tape,
                    2 * std::ssize(operands) + comparator.tape.length());
  RowKeys rows;
  const auto add = [&](std::vector<Value>& to, ElementType type, int64_t reg) {
    to.push_back(new_array(memory, Shape::array(type, dims)));
    map.results.push_back({view_of(to.back(), row_major_strides(sizes)), reg});
  };
  for (const SortKey& own : keys) {
    const int64_t how =
        (own.is_total ? KEY_IS_TOTAL : 0) | (own.descends ? KEY_DESCENDS : 0);
    add(rows.keys, ElementType::kU64, writer.key(own.reg, own.type, how));
    if (own.is_total) continue;
    add(rows.nans, ElementType::kPred, writer.is_nan(own.reg, own.type));
  }
  map.tape = writer.tape();
  launch(memory, std::move(map));
  return rows;
}

/// Indices by keys, from the last one to the first; nothing where the
/// comparator has none, or some of them have no place in order.
std::optional<Value> indices_by_keys(Memory& memory, const Lines& lines,
                                     const Values& operands,
                                     const Comparator& comparator) {
  const std::vector<SortKey> keys =
      sort_keys_of(comparator.tape, comparator.answer, std::ssize(operands));
  const int64_t registers = 2 * std::ssize(operands) +
                            comparator.tape.length() + 2 * std::ssize(keys);
  if (keys.empty() || registers > kRegisters) return std::nullopt;
  // Each row has its keys, what is NaN, both orders of keys and of indices, and
  // counts of a few digits.
  const int64_t arrays = 2 * std::ssize(keys) + 8;
  if (!memory.has_room(8 * arrays * lines.count() * lines.length)) {
    return std::nullopt;
  }
  const RowKeys rows = keys_of_rows(memory, lines, operands, comparator, keys);
  for (const Value& nans : rows.nans) {
    if (has_true(memory, nans)) return std::nullopt;
  }
  const Lines dense({lines.count(), lines.length}, 1);
  const auto along = [&](const Value& values, const Value& indices) {
    return taken(memory, values, values.shape, 1, dense, indices);
  };
  std::optional<Value> indices;
  for (size_t k = keys.size(); k-- > 0;) {
    const Value own = indices ? along(rows.keys[k], *indices) : rows.keys[k];
    const Value next = ordered(memory, own, bits_of(keys[k].type)).indices;
    indices = indices ? along(*indices, next) : next;
  }
  return indices;
}

/// For each line, one after the other, the indices of its rows in order.
Value ordered_indices(Memory& memory, const Lines& lines,
                      const Values& operands, const Comparator& comparator) {
  constexpr int64_t kShortLine = 512;
  const Shape shape =
      Shape::array(ElementType::kS64, {lines.count(), lines.length});
  if (shape.element_count() == 0) return new_array(memory, shape);
  if (std::ssize(lines.sizes) >= kMaxRank) {
    throw Unsupported("does not run arrays of more than 16 dimensions");
  }
  if (lines.length >= kShortLine) {
    if (auto indices = indices_by_keys(memory, lines, operands, comparator)) {
      return *indices;
    }
  }
  return merged_indices(memory, lines, operands, comparator);
}

Value sort(Memory& memory, const Instruction& instruction,
           const Values& operands) {
  const Computation& callee = callee_of(instruction);
  std::vector<int64_t> arguments;
  for (size_t k = 0; k < 2 * operands.size(); ++k) {
    if (callee.parameters[k]->shape.element_type !=
        operands[k / 2]->shape.element_type) {
      refuse(instruction, "a comparator that changes types");
    }
    arguments.push_back(static_cast<int64_t>(k));
  }
  if (std::ssize(arguments) > kRegisters) refuse(instruction, "that many rows");
  TapeWriter writer(std::ssize(arguments));
  const int64_t answer = writer.add(callee, arguments).at(0);
  std::vector<Value> results;
  if (operands[0]->shape.rank() == 0) {
    for (const Value* operand : operands) results.push_back(*operand);
  } else {
    const auto d =
        static_cast<size_t>(instruction.get<Ints>("dimensions").at(0));
    const Lines lines(operands[0]->shape.dims, d);
    const Value indices =
        ordered_indices(memory, lines, operands, {writer.tape(), answer});
    for (const Value* operand : operands) {
      results.push_back(
          taken(memory, *operand, operand->shape, d, lines, indices));
    }
  }
  if (!instruction.shape.is_tuple()) return results.at(0);
  return {instruction.shape, nullptr, std::move(results)};
}

Value topk(Memory& memory, const Instruction& instruction,
           const Values& operands) {
  const Value& operand = *operands[0];
  const size_t d = operand.shape.dims.size() - 1;
  const Lines lines(operand.shape.dims, d);
  TapeWriter writer(2);
  const int64_t answer = writer.compare_total(
      0, 1, operand.shape.element_type, instruction.get_or("largest", true));
  const Value indices =
      ordered_indices(memory, lines, operands, {writer.tape(), answer});
  const std::vector<Shape>& shapes = instruction.shape.tuple_shapes;
  Value places = new_array(memory, shapes.at(1));
  const int64_t kept = shapes[1].dims[d];
  TapeWriter narrow(1);
  const int64_t reg =
      narrow.convert(0, ElementType::kS64, shapes[1].element_type);
  launch(memory, {{lines.count(), kept},
                  {view_of(indices)},
                  {{view_of(places, {kept, 1}), reg}},
                  narrow.tape()});
  Value first = taken(memory, operand, shapes[0], d, lines, indices);
  return {instruction.shape, nullptr, {std::move(first), std::move(places)}};
}

}  // namespace

Functions order_functions() { return {{"sort", sort}, {"topk", topk}}; }

}  // namespace hlo::gpu
