#include <cstring>
#include <numeric>

#include "interpreter/plans/movement/movement.h"
#include "interpreter/rules/float_types.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// 0, 1, ... n - 1 in double; positions are below 2^34, so they are exact.
Literal count_in_doubles(int64_t n) {
  Literal numbers =
      Literal::uninitialized(Shape::array(ElementType::kF64, {n}));
  auto values = numbers.mutable_data<double>();
  std::iota(values.begin(), values.end(), 0.0);
  return numbers;
}

/// The integers from 0 in `type`, which wrap.
Literal count_in_integers(int64_t n, ElementType type) {
  Literal numbers(Shape::array(type, {n}));
  const auto bytes = numbers.mutable_bytes();
  const auto width = static_cast<size_t>(storage_bytes(type));
  for (int64_t i = 0; i < n; ++i) {
    if (bits(type) < 8) {
      numbers.set(i, {type, {static_cast<uint64_t>(i), 0}});
    } else {
      std::memcpy(bytes.data() + static_cast<size_t>(i) * width, &i, width);
    }
  }
  return numbers;
}

Literal count_in_complex(int64_t n, ElementType type) {
  const Literal reals =
      with_float_type(count_in_doubles(n), component_type(type));
  Literal numbers(Shape::array(type, {n}));
  for (int64_t i = 0; i < n; ++i) {
    numbers.set(i, {type, {reals.at(i).bits[0], 0}});
  }
  return numbers;
}

Literal count_up(int64_t n, ElementType type) {
  if (is_float(type)) return with_float_type(count_in_doubles(n), type);
  return is_complex(type) ? count_in_complex(n, type)
                          : count_in_integers(n, type);
}

std::optional<Literal> value(const Instruction& iota, Operands,
                             Evaluator& evaluator) {
  const Shape& shape = iota.shape;
  const auto d = static_cast<size_t>(iota.get<int64_t>("iota_dimension"));
  const Literal numbers = count_up(shape.dims[d], shape.element_type);
  Ints source_strides(shape.dims.size(), 0);
  source_strides[d] = 1;
  return apply(move_strided(shape.dims, 0, source_strides), shape,
               {&numbers, 1}, evaluator.threads());
}

}  // namespace

extern constinit const Plan plan_iota{.value = value};

}  // namespace hlo
