#include "backends/cpu/arrays/wide_numbers.h"

#include "backends/cpu/arrays/converted.h"

namespace hlo::cpu {

std::vector<double> wide_reals(const Array& array) {
  return load<double>(converted(array, ElementType::kF64));
}

std::vector<std::complex<double>> wide_complexes(const Array& array) {
  return load<std::complex<double>>(converted(array, ElementType::kC128));
}

Array rounded(const Shape& shape, const std::vector<double>& values) {
  return store<double>(shape, values);
}

Array rounded(const Shape& shape,
              const std::vector<std::complex<double>>& values) {
  Shape wide = shape;
  wide.element_type = ElementType::kC128;
  Array result =
      converted(store<std::complex<double>>(wide, values), shape.element_type);
  result.shape = shape;
  return result;
}

}  // namespace hlo::cpu
