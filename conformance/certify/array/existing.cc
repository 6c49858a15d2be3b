#include "conformance/certify/array/existing.h"

#include "conformance/literals/literal_bits.h"
#include "interpreter/model/index_loops.h"
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
  for_each_index(result.value.shape().dims, [&](const Index& index) {
    const auto at =
        static_cast<size_t>(linearize(index, array.value.shape().dims));
    for (size_t part = at * parts; part < (at + 1) * parts; ++part) {
      result.sets.push_back(array.sets.at(part));
      if (!array.empty_bounds.empty()) {
        result.empty_bounds.push_back(array.empty_bounds.at(part));
      }
    }
  });
  return result;
}

}  // namespace hlo::conformance
