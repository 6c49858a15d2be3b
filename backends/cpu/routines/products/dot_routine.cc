#include "backends/cpu/routines/products/dot_routine.h"

#include <memory>

#include "backends/cpu/arrays/contraction_form.h"
#include "backends/cpu/kernels/other_products/multiply_numbers.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/tiles/tile_program.h"
#include "backends/cpu/routines/products/byte_product_routines.h"

namespace hlo::cpu {
namespace {

/// An operand as matrices one after the other.
struct Matrices {
  View view;
  int64_t batches = 1;
  int64_t free = 1;
  int64_t terms = 1;

  Matrices(const Instruction& dot, size_t operand) {
    const Shape& shape = dot.operand_shape(operand);
    const DotDimensions of(dot, operand);
    const auto product = [&](const Ints& dimensions) {
      int64_t size = 1;
      for (const int64_t d : dimensions) {
        size *= shape.dims[static_cast<size_t>(d)];
      }
      return size;
    };
    batches = product(of.batch);
    free = product(of.free);
    terms = product(of.contracted);
    Ints order = of.batch;
    for (const Ints& part : {operand == 0 ? of.free : of.contracted,
                             operand == 0 ? of.contracted : of.free}) {
      order.insert(order.end(), part.begin(), part.end());
    }
    view = View::dense(shape.dims).permuted(order);
  }

  /// Where they lie, which may be in the memory of the copy.
  const std::byte* dense(size_t width, const std::byte* from,
                         AlignedBytes& copy) const {
    if (view.is_contiguous()) return from;
    copy = aligned_bytes(static_cast<size_t>(view.count()) * width);
    copy_view(view, width, from, copy.get());
    return copy.get();
  }
};

std::optional<Routine> wide_dot_routine(const Instruction& dot) {
  const ElementType type = dot.shape.element_type;
  if (!multiplies(type) || dot.find("sparsity") != nullptr ||
      dot.operands.size() != 2 || dot.operand_shape(0).element_type != type ||
      dot.operand_shape(1).element_type != type) {
    return std::nullopt;
  }
  const auto left = std::make_shared<const Matrices>(dot, 0);
  const auto right = std::make_shared<const Matrices>(dot, 1);
  const auto width = static_cast<size_t>(storage_bytes(type));
  return Routine{[=](auto operands, auto results) {
    AlignedBytes copies[2];
    multiply_numbers(type,
                     {left->batches, left->free, left->terms, right->free},
                     left->dense(width, operands[0], copies[0]),
                     right->dense(width, operands[1], copies[1]), results[0]);
  }};
}

}  // namespace

std::optional<Routine> dot_routine(const Instruction& dot) {
  if (std::optional<Routine> bytes = byte_dot_routine(dot)) return bytes;
  return wide_dot_routine(dot);
}

}  // namespace hlo::cpu
