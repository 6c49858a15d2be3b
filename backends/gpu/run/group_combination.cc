#include "backends/gpu/run/group_combination.h"

#include <algorithm>
#include <array>
#include <utility>

#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/map_launch.h"
#include "backends/gpu/program/tape.h"
#include "backends/gpu/run/evaluate_program.h"
#include "backends/gpu/run/staged_values.h"
#include "interpreter/model/literal.h"
#include "interpreter/rules/known_reducer.h"

namespace hlo::gpu {
namespace {

/// The arrays in the type, each a row of a matrix.
Value stacked(Memory& memory, const std::vector<const cpu::Array*>& arrays,
              ElementType type) {
  const int64_t columns = arrays[0]->count();
  const Shape row = Shape::array(type, {columns});
  Value matrix =
      new_array(memory, Shape::array(type, {std::ssize(arrays), columns}));
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Value own =
        with_shape(converted(memory, uploaded(memory, *arrays[i]), type), row);
    copy(memory, row.dims, view_of(own),
         view_of(matrix, {1}, static_cast<int64_t>(i) * columns));
  }
  return matrix;
}

/// The exact sums of the columns. -0 is the sum of nothing but -0; the type
/// that has no zero needs no initial value.
Value sums(Memory& memory, const Value& matrix, ElementType type) {
  const Walk walk = walk_of_reduce(matrix.shape, {0});
  Value result = new_array(memory, Shape::array(type, walk.sizes));
  WalkView none;
  none.o_strides.assign(walk.sizes.size(), 0);
  none.t_strides.assign(walk.tap_sizes.size(), 0);
  if (type == ElementType::kF8E8M0FNU) {
    launch_sums(memory, walk, matrix, nullptr, none, {}, result);
    return result;
  }
  const Value zero = upload(memory, Literal(Shape::scalar(type)));
  const Value minus = new_array(memory, zero.shape);
  TapeWriter writer(1);
  const int64_t negated = writer.negate(0, type);
  launch(memory,
         {{}, {view_of(zero)}, {{view_of(minus), negated}}, writer.tape()});
  launch_sums(memory, walk, matrix, nullptr, none, {.init = &minus}, result);
  return result;
}

/// Two arrays joined element by element.
Value joined(Memory& memory, const Computation& combiner, const Value& a,
             const Value& b) {
  Value result = new_array(
      memory, Shape::array(combiner.root->shape.element_type, a.shape.dims));
  TapeWriter writer(2);
  const std::array<int64_t, 2> registers = {
      writer.convert(0, a.shape.element_type,
                     combiner.parameters[0]->shape.element_type),
      writer.convert(1, b.shape.element_type,
                     combiner.parameters[1]->shape.element_type)};
  const int64_t reg = writer.add(combiner, registers).at(0);
  launch(memory, {a.shape.dims,
                  {view_of(a), view_of(b)},
                  {{view_of(result), reg}},
                  writer.tape()});
  return result;
}

/// Two arrays joined by a combiner of whole arrays.
Value joined_whole(Memory& memory, const Computation& combiner, const Value& a,
                   const Value& b) {
  const Value x =
      converted(memory, a, combiner.parameters[0]->shape.element_type);
  const Value y =
      converted(memory, b, combiner.parameters[1]->shape.element_type);
  return evaluate(memory, combiner, {&x, &y});
}

}  // namespace

cpu::Array combined(Memory& memory, const Computation& combiner,
                    const std::vector<const cpu::Array*>& arrays) {
  const Shape& returned = combiner.root->shape;
  const ElementType type = returned.element_type;
  const Shape shape = Shape::array(type, arrays[0]->shape.dims);
  const Reducer known = recognize(combiner);
  if (known == Reducer::kAdd && (is_float(type) || is_complex(type))) {
    const Value sum = sums(memory, stacked(memory, arrays, type), type);
    return downloaded(memory, with_shape(sum, shape), shape);
  }
  if (known == Reducer::kMultiply && is_float(type) && arrays.size() > 1) {
    const Value matrix = stacked(memory, arrays, type);
    const Walk walk = walk_of_reduce(matrix.shape, {0});
    const Value product = new_array(memory, Shape::array(type, walk.sizes));
    launch_products(memory, walk, matrix, nullptr, product);
    return downloaded(memory, with_shape(product, shape), shape);
  }
  Value result = uploaded(memory, *arrays[0]);
  for (size_t i = 1; i < arrays.size(); ++i) {
    const Value next = uploaded(memory, *arrays[i]);
    result = returned.is_scalar()
                 ? joined(memory, combiner, result, next)
                 : joined_whole(memory, combiner, result, next);
  }
  return downloaded(memory, result, shape);
}

}  // namespace hlo::gpu
