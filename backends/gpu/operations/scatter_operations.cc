#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/orders/key_order.h"
#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/kernel_codes.h"
#include "backends/gpu/program/map_launch.h"
#include "backends/gpu/program/tape.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/dimensions/scatter_dimensions.h"
#include "interpreter/rules/known_reducer.h"

namespace hlo::gpu {
namespace {

size_t place(int64_t d) { return static_cast<size_t>(d); }

/// A region on `count` elements and as many that come to them, and the
/// registers of its results.
struct Region {
  Tape tape;
  std::vector<int64_t> results;
  bool adds = false;  // it is one addition of floats
};

Region region_of(const Instruction& instruction, const Computation& callee,
                 size_t count, ElementType type) {
  if (2 * count > static_cast<size_t>(kRegisters)) {
    refuse(instruction, "that many operands");
  }
  std::vector<int64_t> arguments;
  for (size_t k = 0; k < 2 * count; ++k) {
    arguments.push_back(static_cast<int64_t>(k));
  }
  TapeWriter writer(std::ssize(arguments));
  Region region;
  region.results = writer.add(callee, arguments);
  region.tape = writer.tape();
  const bool is_real = is_float(type) || is_complex(type);
  region.adds = is_real && count == 1 && recognize(callee) == Reducer::kAdd;
  return region;
}

/// The updates in the types that the region takes.
std::vector<Value> taken_updates(Memory& memory, const Computation& callee,
                                 const Values& updates) {
  std::vector<Value> result;
  for (size_t k = 0; k < updates.size(); ++k) {
    const size_t parameter = callee.parameters.size() / 2 + k;
    result.push_back(converted(
        memory, *updates[k], callee.parameters[parameter]->shape.element_type));
  }
  return result;
}

/// The words of an array that a region changes (kernels/scatter.inc).
Ints array_words(const Computation& callee, size_t k, int64_t operand,
                 const Value& updates, const Value& result, int64_t reg) {
  return {operand,
          type_code(result.shape.element_type),
          updates.offset(),
          result.offset(),
          reg,
          type_code(callee.parameters[k]->shape.element_type),
          type_code(updates.shape.element_type)};
}

struct Scatter {
  const Instruction& instruction;
  const Values& operands;
  ScatterDimensions dimensions;
  size_t count;  // of operands that are changed

  Scatter(const Instruction& scatter, const Values& values)
      : instruction(scatter),
        operands(values),
        dimensions(scatter),
        count(values.size() / 2) {}

  const Shape& operand() const { return operands[0]->shape; }

  const Shape& indices() const { return operands[count]->shape; }

  const Shape& updates() const { return operands[count + 1]->shape; }
};

/// The sizes of a window along the operand, and the updates' strides.
std::pair<Ints, Ints> windows_of(const Scatter& scatter) {
  const int64_t rank = scatter.operand().rank();
  const Ints own = row_major_strides(scatter.updates().dims);
  Ints sizes(place(rank), 1);
  Ints strides(place(rank), 0);
  const Ints dims = scatter.dimensions.window_dims_of_operand(rank);
  for (size_t i = 0; i < dims.size(); ++i) {
    const size_t from = place(scatter.dimensions.update_window[i]);
    sizes[place(dims[i])] = scatter.updates().dims[from];
    strides[place(dims[i])] = own[from];
  }
  return {sizes, strides};
}

/// The words of the indices, which do not turn on what units have beside the
/// numbers of windows; how many there are.
int64_t append_indices(Ints& words, const Scatter& scatter, int64_t unit_rank) {
  const ScatterDimensions& d = scatter.dimensions;
  const Shape& indices = scatter.indices();
  const Ints steps = row_major_strides(indices.dims);
  const Ints numbers = d.scatter_dims_of_indices(indices.rank());
  for (size_t k = 0; k < d.to_operand.size(); ++k) {
    const int64_t base =
        d.index_vector_dim < indices.rank()
            ? static_cast<int64_t>(k) * steps[place(d.index_vector_dim)]
            : 0;
    append(words, {d.to_operand[k], scatter.operands[scatter.count]->offset(),
                   type_code(indices.element_type), base});
    for (const int64_t n : numbers) words.push_back(steps[place(n)]);
    words.resize(words.size() + place(unit_rank) - numbers.size(), 0);
  }
  for (size_t k = 0; k < d.operand_batching.size(); ++k) {
    append(words, {d.operand_batching[k], -1, 0, 0});
    for (const int64_t n : numbers) {
      words.push_back(n == d.indices_batching[k] ? 1 : 0);
    }
    words.resize(words.size() + place(unit_rank) - numbers.size(), 0);
  }
  return std::ssize(d.to_operand) + std::ssize(d.operand_batching);
}

/// Fewer steps do not pay for putting units in order.
constexpr int64_t kFewSteps = int64_t{1} << 16;

/// What is scattered at once (kernels/scatter.inc): a window, or an element of
/// one where windows may cover each other in part.
struct Units {
  Ints sizes;           // of their array
  Ints update_strides;  // along them
  Ints of_operand;      // sizes of a unit
  Ints goes_on;
  Ints key_strides;
  int64_t keys = 1;

  Units(const Scatter& scatter, const Ints& windows, const Ints& strides);

  int64_t count() const { return elements_in(sizes); }
};

Units::Units(const Scatter& scatter, const Ints& windows, const Ints& strides)
    : of_operand(windows),
      goes_on(windows.size(), -1),
      key_strides(windows.size(), 0) {
  const Shape& updates = scatter.updates();
  const Ints own = row_major_strides(updates.dims);
  for (const int64_t n :
       scatter.dimensions.scatter_dims_of_updates(updates.rank())) {
    sizes.push_back(updates.dims[place(n)]);
    update_strides.push_back(own[place(n)]);
  }
  Ints indexed = scatter.dimensions.to_operand;
  append(indexed, scatter.dimensions.operand_batching);
  for (const int64_t d : indexed) {
    if (windows[place(d)] != 1) {
      goes_on[place(d)] = std::ssize(sizes);
      sizes.push_back(windows[place(d)]);
      update_strides.push_back(strides[place(d)]);
      of_operand[place(d)] = 1;
    }
    key_strides[place(d)] = keys;
    keys *= scatter.operand().dims[place(d)];
  }
}

/// The kernels' words up to the regions, and the units' order if they have one.
struct ScatterWords {
  Ints words;
  std::optional<OrderedKeys> order;
};

ScatterWords scatter_words(Memory& memory, const Scatter& scatter,
                           const Region& region) {
  const Shape& operand = scatter.operand();
  const auto [windows, strides] = windows_of(scatter);
  const Units units(scatter, windows, strides);
  Ints indices;
  const int64_t index_count =
      append_indices(indices, scatter, std::ssize(units.sizes));
  Ints words = {operand.element_count(),
                operand.rank(),
                std::ssize(units.sizes),
                units.count(),
                index_count,
                static_cast<int64_t>(scatter.count),
                region.tape.length(),
                region.adds ? BY_SUM : BY_TAPE,
                -1,
                -1,
                -1,
                units.keys};
  const Ints* const arrays[] = {
      &operand.dims,  &units.of_operand,     &windows,
      &units.goes_on, &units.key_strides,    &strides,
      &units.sizes,   &units.update_strides, &indices};
  for (const Ints* own : arrays) append(words, *own);
  if (units.count() <= kFewSteps / operand.element_count()) return {words, {}};
  // Both orders of keys and of units, and counts of their digits.
  if (!memory.has_room(64 * units.count())) {
    check_work(operand.element_count(), units.count());
    return {words, {}};
  }
  const Value keys =
      new_array(memory, Shape::array(ElementType::kU64, {1, units.count()}));
  words[10] = keys.offset();
  memory.device().run(Kernel::kTargets, words, units.count());
  OrderedKeys order = ordered(
      memory, keys,
      static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(units.keys))));
  words[8] = order.keys.offset();
  words[9] = order.indices.offset();
  return {words, order};
}

Value scatter(Memory& memory, const Instruction& instruction,
              const Values& operands) {
  const Scatter own(instruction, operands);
  const Computation& callee = callee_of(instruction);
  const Region region = region_of(instruction, callee, own.count,
                                  callee.parameters[0]->shape.element_type);
  if (own.operand().rank() > kMaxRank || own.updates().rank() > kMaxRank) {
    refuse(instruction, "arrays of more than 16 dimensions");
  }
  const std::vector<Value> sources = taken_updates(
      memory, callee,
      {operands.begin() + static_cast<std::ptrdiff_t>(own.count) + 1,
       operands.end()});
  std::vector<Value> results;
  for (const Shape* leaf : leaves(instruction.shape)) {
    results.push_back(new_array(memory, *leaf));
  }
  if (own.operand().element_count() > 0) {
    ScatterWords scattered = scatter_words(memory, own, region);
    for (size_t k = 0; k < results.size(); ++k) {
      append(scattered.words,
             array_words(callee, k, operands[k]->offset(), sources[k],
                         results[k], region.results[k]));
    }
    append(scattered.words, region.tape.words);
    memory.device().run(Kernel::kScatter, scattered.words,
                        own.operand().element_count());
  }
  if (!instruction.shape.is_tuple()) return results.at(0);
  return {instruction.shape, nullptr, std::move(results)};
}

/// For each window over the operand the place of the element that it chooses.
Value choices(Memory& memory, const Instruction& instruction,
              const Window& window, const Value& operand, const Shape& source) {
  const auto& select = *instruction.get<Computation*>("select");
  TapeWriter writer(2);
  const int64_t both[] = {
      writer.convert(0, operand.shape.element_type,
                     select.parameters[0]->shape.element_type),
      writer.convert(1, operand.shape.element_type,
                     select.parameters[1]->shape.element_type)};
  const int64_t answer = writer.add(select, both).at(0);
  Value result =
      new_array(memory, Shape::array(ElementType::kS64, source.dims));
  if (source.element_count() == 0) return result;
  Ints words = walk_of_window(operand.shape, source, window).words();
  append(words, {operand.offset(), type_code(operand.shape.element_type),
                 result.offset(), writer.tape().length(), answer});
  append(words, writer.tape().words);
  memory.device().run(Kernel::kChoose, words, source.element_count());
  return result;
}

Value select_and_scatter(Memory& memory, const Instruction& instruction,
                         const Values& operands) {
  const Computation& callee = *instruction.get<Computation*>("scatter");
  const Shape& operand = operands[0]->shape;
  const Shape& source = operands[1]->shape;
  Window window = instruction.get_or("window", Window{});
  window.dims.resize(operand.dims.size());
  const Region region = region_of(instruction, callee, 1,
                                  callee.parameters[0]->shape.element_type);
  const Value updates = taken_updates(memory, callee, {operands[1]}).at(0);
  const Value initial =
      converted(memory, *operands[2], instruction.shape.element_type);
  const Value chosen =
      choices(memory, instruction, window, *operands[0], source);
  Value result = new_array(memory, instruction.shape);
  const int64_t count = operand.element_count();
  if (count == 0) return result;
  int64_t taps = 1;
  for (const WindowDimension& d : window.dims) taps *= d.size;
  Ints words = {count,
                operand.rank(),
                taps,
                region.tape.length(),
                region.adds ? BY_SUM : BY_TAPE,
                chosen.offset(),
                initial.offset()};
  append(words, operand.dims);
  append(words, source.dims);
  for (const WindowDimension& d : window.dims) {
    append(words,
           {d.size, d.stride, d.window_dilation, d.low, d.base_dilation});
  }
  append(words,
         array_words(callee, 0, 0, updates, result, region.results.at(0)));
  append(words, region.tape.words);
  memory.device().run(Kernel::kReceive, words, count);
  return result;
}

}  // namespace

Functions scatter_functions() {
  return {{"scatter", scatter}, {"select-and-scatter", select_and_scatter}};
}

}  // namespace hlo::gpu
