#include "interpreter/definition/generate.h"

#include "interpreter/definition/numbers/element_conversion.h"

namespace hlo::definition {

Literal generate(const Shape& shape,
                 const std::function<Scalar(const Index&)>& element) {
  Literal result(shape);
  for_each_index(shape.dims, [&](const Index& index) {
    result.set(linearize(index, shape.dims),
               convert(element(index), shape.element_type));
  });
  return result;
}

Index join(Index outer, const Index& inner) {
  outer.insert(outer.end(), inner.begin(), inner.end());
  return outer;
}

}  // namespace hlo::definition
