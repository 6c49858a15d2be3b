#include "backends/gpu/program/map_launch.h"

#include <utility>
#include <vector>

#include "backends/gpu/program/index_text.h"
#include "backends/gpu/program/kernel_codes.h"
#include "backends/gpu/program/map_text.h"

namespace hlo::gpu {
namespace {

/// Leaves out dimensions that no view needs. A tape that reads indices needs
/// them as they are.
void simplify(Map& map) {
  std::vector<Ints*> strides;
  for (View& view : map.inputs) strides.push_back(&view.strides);
  for (Result& result : map.results) strides.push_back(&result.view.strides);
  join_dimensions(map.sizes, strides);
}

void append(Ints& words, const Ints& more) {
  words.insert(words.end(), more.begin(), more.end());
}

Ints parameters_of(const Map& map) {
  Ints words = {elements_in(map.sizes), std::ssize(map.sizes),
                std::ssize(map.inputs), std::ssize(map.results),
                map.tape.length()};
  append(words, map.sizes);
  for (const View& view : map.inputs) {
    append(words, {byte_offset(view), type_code(view.type)});
    append(words, view.strides);
  }
  for (const Result& result : map.results) {
    append(words,
           {byte_offset(result.view), type_code(result.view.type), result.reg});
    append(words, result.view.strides);
  }
  append(words, map.tape.words);
  return words;
}

/// What a kernel that is generated for a map gets.
Ints offsets_of(const Map& map) {
  Ints words = {elements_in(map.sizes)};
  for (const View& view : map.inputs) words.push_back(byte_offset(view));
  for (const Result& result : map.results) {
    words.push_back(byte_offset(result.view));
  }
  return words;
}

/// Whether a generated kernel has run it.
bool is_generated(Memory& memory, const Map& map, int64_t count) {
  const int64_t steps = count * (1 + map.tape.length());
  if (!memory.kernels().may_generate(steps)) return false;
  const KernelText text = text_of(map);
  if (!memory.kernels().generates(text, steps)) return false;
  memory.device().run(text, offsets_of(map), count);
  return true;
}

}  // namespace

void launch(Memory& memory, Map map) {
  const int64_t count = elements_in(map.sizes);
  if (count == 0) return;
  if (memory.is_fast()) map.tape.take_fast_functions();
  if (!map.tape.reads_indices) simplify(map);
  if (std::ssize(map.sizes) > kMaxRank) {
    throw Unsupported("does not run arrays of more than 16 dimensions");
  }
  if (is_generated(memory, map, count)) return;
  memory.device().run(Kernel::kMap, parameters_of(map), count);
}

void copy(Memory& memory, const Ints& sizes, const View& from, const View& to) {
  launch(memory, {sizes, {from}, {{to, 0}}, {}});
}

Value converted(Memory& memory, const Value& value, ElementType type) {
  if (value.shape.element_type == type) return value;
  Value result = new_array(memory, Shape::array(type, value.shape.dims));
  TapeWriter writer(1);
  const int64_t reg = writer.convert(0, value.shape.element_type, type);
  launch(memory, {value.shape.dims,
                  {view_of(value)},
                  {{view_of(result), reg}},
                  writer.tape()});
  return result;
}

}  // namespace hlo::gpu
