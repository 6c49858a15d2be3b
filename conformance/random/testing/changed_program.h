#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "interpreter/model/module.h"

namespace hlo::conformance {

/// Makes programs that differ from a given one in one place: in the element
/// type, a size or the rank of a parameter, a constant or a shape that the text
/// gives; in a number, flag, word or shape of an attribute; or an optional
/// attribute is left out. Shapes that follow from others are left to be
/// derived, so that a change reaches all that depends on it.
class ProgramChanger {
 public:
  /// How many such programs there are.
  static int64_t count(std::string_view source);
  /// The n-th of them, without the shapes that follow from others; `what` is
  /// the change in words.
  Module changed(std::string_view source, int64_t n, std::string& what) const;
  /// The n-th of them, verified. Throws the Error that refuses it.
  Module verified(std::string_view source, int64_t n, std::string& what);

 private:
  // Operations whose shapes do not follow from their operands.
  std::set<const Op*> given_;
};

}  // namespace hlo::conformance
