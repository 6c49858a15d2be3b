#include "interpreter/stablehlo/syntax.h"

#include <algorithm>

namespace hlo::stablehlo {

const Attribute* Operation::find(std::string_view attribute) const {
  const auto found =
      std::ranges::find(attributes, attribute, &NamedAttribute::first);
  return found == attributes.end() ? nullptr : &found->second;
}

const Function* Program::find(std::string_view function) const {
  const auto found = std::ranges::find(functions, function, &Function::name);
  return found == functions.end() ? nullptr : found->get();
}

}  // namespace hlo::stablehlo
