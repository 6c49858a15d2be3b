#include "conformance/certify/array/existing.h"

#include "conformance/literals/literal_bits.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo::conformance {

SetTree existing(const SetTree& array) {
  if (!array.value.shape().has_dynamic_dimensions()) return array;
  SetTree result = array;
  result.value = cut(array.value);
  result.sets.clear();
  result.empty_bounds.clear();
  if (array.sets.empty()) return result;
  const auto parts = static_cast<size_t>(components(array.value.type()));
  for (int64_t i = 0; i < result.value.element_count(); ++i) {
    const int64_t at = linearize(delinearize(i, result.value.shape().dims),
                                 array.value.shape().dims);
    for (size_t part = 0; part < parts; ++part) {
      const size_t from = static_cast<size_t>(at) * parts + part;
      result.sets.push_back(array.sets.at(from));
      if (!array.empty_bounds.empty()) {
        result.empty_bounds.push_back(array.empty_bounds.at(from));
      }
    }
  }
  return result;
}

}  // namespace hlo::conformance
