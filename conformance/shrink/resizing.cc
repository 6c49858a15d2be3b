#include "conformance/shrink/resizing.h"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <variant>

namespace hlo::conformance {
namespace {

/// How many times the size is what becomes smaller; 0 where it stays.
int64_t times(const Resizing& resizing, int64_t size) {
  if (!resizing.multiples) return size == resizing.from ? 1 : 0;
  return size % resizing.from == 0 ? size / resizing.from : 0;
}

bool concerns(const Resizing& resizing, const Shape& shape, int64_t d) {
  const ResizedPlace& place = resizing.place;
  return times(resizing, shape.dims[static_cast<size_t>(d)]) > 0 &&
         (place.d < 0 || (place.d == d && place.rank == shape.rank()));
}

void resize(Shape& shape, const Resizing& resizing) {
  if (shape.is_array()) {
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (!concerns(resizing, shape, d)) continue;
      int64_t& size = shape.dims[static_cast<size_t>(d)];
      size = times(resizing, size) * resizing.to;
    }
  }
  for (Shape& element : shape.tuple_shapes) resize(element, resizing);
}

Literal resized(Literal array, const Resizing& resizing) {
  for (int64_t d = 0; d < array.shape().rank(); ++d) {
    if (!concerns(resizing, array.shape(), d)) continue;
    const int64_t many =
        times(resizing, array.shape().dims[static_cast<size_t>(d)]);
    array = part_of(array, d, many * resizing.start, many * resizing.to);
  }
  return array;
}

void resize_constant(Instruction& constant, const Resizing& resizing) {
  if (constant.literal == nullptr || !constant.literal->shape().is_array()) {
    return;
  }
  constant.literal =
      std::make_shared<Literal>(resized(*constant.literal, resizing));
}

/// Sizes that attributes repeat.
template <typename T>
void resize_attribute(T& value, const Resizing& resizing) {
  const auto change = [&](int64_t& number) {
    if (number == resizing.from) number = resizing.to;
  };
  if constexpr (std::is_same_v<T, int64_t>) {
    change(value);
  } else if constexpr (std::is_same_v<T, Ints>) {
    for (int64_t& number : value) change(number);
  } else if constexpr (std::is_same_v<T, Window>) {
    for (WindowDimension& dimension : value.dims) change(dimension.size);
  } else if constexpr (std::is_same_v<T, Shape>) {
    resize(value, resizing);
  }
}

/// What is sliced ends with the array.
void clip_slice(Instruction& instruction, const Resizing& resizing) {
  for (auto& [name, value] : instruction.attributes) {
    auto* const slice = std::get_if<SliceConfig>(&value);
    if (slice == nullptr || instruction.operands.empty()) continue;
    const Shape& operand = instruction.operands[0]->shape;
    const int64_t rank = std::min(operand.rank(), std::ssize(slice->dims));
    for (int64_t d = 0; d < rank; ++d) {
      if (!concerns(resizing, operand, d)) continue;
      int64_t& limit = slice->dims[static_cast<size_t>(d)].limit;
      limit = std::min(
          limit, times(resizing, operand.dims.at(static_cast<size_t>(d))) *
                     resizing.to);
    }
  }
}

void resize_attributes(Instruction& instruction, const Resizing& resizing) {
  for (auto& [name, value] : instruction.attributes) {
    std::visit([&](auto& one) { resize_attribute(one, resizing); },
               static_cast<AnyAttribute&>(value));
  }
}

void resize_arrays(Edit& edit, const Resizing& resizing) {
  for (const auto& computation : edit.module().computations) {
    for (const auto& instruction : computation->instructions) {
      clip_slice(*instruction, resizing);
    }
    for (const auto& instruction : computation->instructions) {
      resize(instruction->shape, resizing);
      resize_constant(*instruction, resizing);
    }
  }
  for (const Instruction* parameter : edit.entry().parameters) {
    for (Literal& leaf : edit.leaves(*parameter)) {
      leaf = resized(leaf, resizing);
    }
  }
}

}  // namespace

void resize_all(Edit& edit, const Resizing& resizing, Said said) {
  if (said != Said::kByAttributes) resize_arrays(edit, resizing);
  if (said == Said::kByArrays) return;
  for (const auto& computation : edit.module().computations) {
    for (const auto& instruction : computation->instructions) {
      resize_attributes(*instruction, resizing);
    }
  }
}

}  // namespace hlo::conformance
