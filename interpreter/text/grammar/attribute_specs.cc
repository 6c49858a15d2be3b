#include "interpreter/text/grammar/attribute_specs.h"

#include <algorithm>

namespace hlo::text {

const AttributeSpec* find_spec(std::span<const AttributeSpec> specs,
                               std::string_view name) {
  const auto found = std::ranges::find(specs, name, &AttributeSpec::name);
  return found == specs.end() ? nullptr : &*found;
}

void sort_attributes(const Op& op, Attributes& attributes) {
  const auto rank = [&](const Attributes::value_type& attribute) {
    const AttributeSpec* spec = find_spec(op.attributes, attribute.first);
    if (spec != nullptr) return spec - op.attributes.data();
    const auto common = common_attributes();
    return std::ssize(op.attributes) +
           (find_spec(common, attribute.first) - common.data());
  };
  const auto ascends = [&](const auto& a, const auto& b) {
    return rank(a) < rank(b);
  };
  if (std::ranges::is_sorted(attributes, ascends)) return;
  std::ranges::stable_sort(attributes, ascends);
}

}  // namespace hlo::text
