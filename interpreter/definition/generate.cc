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

void for_each_index(const std::vector<int64_t>& dims,
                    const std::function<void(const Index&)>& body) {
  const int64_t count = Shape::array(ElementType::kPred, dims).element_count();
  for (int64_t i = 0; i < count; ++i) body(delinearize(i, dims));
}

Index join(Index outer, const Index& inner) {
  outer.insert(outer.end(), inner.begin(), inner.end());
  return outer;
}

}  // namespace hlo::definition
