#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/model/module.h"

namespace hlo::conformance {

/// A constant that the text of the program before left out.
struct DrawnConstant {
  std::string name;
  std::string shape;
  int64_t uses = 0;  // constants of the program after that are it
};

/// Draws the constants that texts leave out, `{...}`: those of the program
/// after get the values of those that they are. Error "input.elided" where
/// it is not certain which these are.
std::vector<DrawnConstant> draw_elided(Module& before, Module& after,
                                       uint64_t seed);

}  // namespace hlo::conformance
