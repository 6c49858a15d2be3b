#include "interpreter/definition/features.h"

#include "interpreter/definition/generate.h"
#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {

Real number(const Scalar& x) { return decode(x.bits[0], x.type); }

Scalar element(const Real& x, ElementType type) {
  return {type, {encode(x + 0, type), 0}};
}

std::vector<Real> numbers(const Literal& array) {
  std::vector<Real> numbers;
  for (int64_t i = 0; i < array.element_count(); ++i) {
    numbers.push_back(number(array.at(i)));
  }
  return numbers;
}

Literal vector_of(const std::vector<Real>& numbers, const Shape& shape) {
  return generate(shape, [&](const Index& index) {
    return element(numbers[static_cast<size_t>(index[0])], shape.element_type);
  });
}

std::vector<std::vector<Real>> features(const Literal& array,
                                        int64_t dimension) {
  const std::vector<int64_t>& dims = array.shape().dims;
  const auto d = static_cast<size_t>(dimension);
  std::vector<std::vector<Real>> features(static_cast<size_t>(dims[d]));
  for_each_index(dims, [&](const Index& index) {
    features[static_cast<size_t>(index[d])].push_back(number(array.at(index)));
  });
  return features;
}

}  // namespace hlo::definition
