#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/model/module.h"

namespace hlo::conformance {

/// The first small change of the instruction after which `is_right` holds, in
/// words: "its operands exchanged"; nothing where none is found. `constants`
/// may stand in the place of one. The instruction is left as it was.
std::optional<std::string> mend(
    Instruction& instruction, const std::vector<const Instruction*>& constants,
    const std::function<bool()>& is_right);

}  // namespace hlo::conformance
