#pragma once

#include <cctype>
#include <string>

namespace hlo::cpu {

/// A name for a test of a fact, from the words of what it says.
inline constexpr auto kNameOfFact = [](const auto& fact) {
  std::string name = fact.param.what;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
};

}  // namespace hlo::cpu
