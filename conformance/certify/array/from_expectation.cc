#include "conformance/certify/array/from_expectation.h"

#include "conformance/literals/literal_bits.h"

namespace hlo::conformance {
namespace {

SetTree convert(const ArraySet& set, const Literal& nominal) {
  SetTree array = SetTree::known(nominal);
  if (set.sets.empty() && !set.any_nan) return array;
  for (int64_t i = 0; i < nominal.element_count(); ++i) {
    for (int part = 0; part < components(nominal.type()); ++part) {
      array.sets.push_back(set.at(i, part));
    }
  }
  array = simplified(std::move(array));
  if (!array.is_known() && is_complex(nominal.type())) {
    array.unknown = "complex values differ";
  }
  return array;
}

SetTree convert(const RejectedSet& set, const Literal& nominal) {
  return SetTree::nothing(nominal, "it violates " + set.rule);
}

SetTree convert(const UnspecifiedSet& set, const Literal& nominal) {
  return SetTree::nothing(nominal, set.reason);
}

}  // namespace

SetTree from_expectation(const Expectation& set, const Literal& nominal) {
  return std::visit([&](const auto& s) { return convert(s, nominal); }, set);
}

}  // namespace hlo::conformance
