#include "interpreter/stablehlo/syntax.h"

#include <algorithm>
#include <utility>

namespace hlo::stablehlo {

const Attribute* Operation::find(std::string_view attribute) const {
  const auto found =
      std::ranges::find(attributes, attribute, &NamedAttribute::first);
  return found == attributes.end() ? nullptr : &found->second;
}

void Program::add(std::unique_ptr<Function> function) {
  by_name_.emplace(function->name, function.get());
  functions.push_back(std::move(function));
}

const Function* Program::find(std::string_view function) const {
  const auto found = by_name_.find(function);
  return found == by_name_.end() ? nullptr : found->second;
}

}  // namespace hlo::stablehlo
