#include "backends/gpu/program/map_launch.h"

#include <algorithm>
#include <utility>

#include "backends/gpu/program/kernel_codes.h"

namespace hlo::gpu {
namespace {

int64_t elements_in(const Ints& sizes) {
  return Shape::array(ElementType::kPred, sizes).element_count();
}

/// Whether, in each view, stepping dimension d is as many steps of d + 1 as
/// that has places.
bool are_joined(const Map& map, size_t d) {
  const auto fits = [&](const View& view) {
    return view.strides[d] == view.strides[d + 1] * map.sizes[d + 1];
  };
  return std::ranges::all_of(map.inputs, fits) &&
         std::ranges::all_of(map.results, [&](const Result& result) {
           return fits(result.view);
         });
}

void erase_dimension(Map& map, size_t d) {
  const auto at = static_cast<std::ptrdiff_t>(d);
  for (View& view : map.inputs) view.strides.erase(view.strides.begin() + at);
  for (Result& result : map.results) {
    result.view.strides.erase(result.view.strides.begin() + at);
  }
  map.sizes.erase(map.sizes.begin() + at);
}

/// Leaves out dimensions of size 1 and makes one of two that are stepped as
/// one. A tape that reads indices needs them as they are.
void simplify(Map& map) {
  for (size_t d = map.sizes.size(); d-- > 0;) {
    if (map.sizes[d] == 1) {
      erase_dimension(map, d);
    } else if (d + 1 < map.sizes.size() && are_joined(map, d)) {
      map.sizes[d + 1] *= map.sizes[d];
      erase_dimension(map, d);
    }
  }
}

int64_t byte_offset(const View& view) {
  return view.offset + view.base * storage_bytes(view.type);
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

}  // namespace

View view_of(const Value& array) {
  return view_of(array, row_major_strides(array.shape.dims));
}

View view_of(const Value& array, Ints strides, int64_t base) {
  return {array.offset(), array.shape.element_type, base, std::move(strides)};
}

void launch(Memory& memory, Map map) {
  const int64_t count = elements_in(map.sizes);
  if (count == 0) return;
  if (memory.is_fast()) map.tape.take_fast_functions();
  if (!map.tape.reads_indices) simplify(map);
  if (std::ssize(map.sizes) > kMaxRank) {
    throw Unsupported("does not run arrays of more than 16 dimensions");
  }
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
