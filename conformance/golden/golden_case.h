#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// What an id says of a program: the name of its file without folders and
/// ending, in lower case, with '_' for what ids do not have.
std::string golden_name(std::string_view path);

/// What a program and its inputs are called.
struct GoldenTitle {
  std::string program;  // golden_name()
  std::string inputs;   // a part of an id
  std::string statement;
};

/// The case "golden/PROGRAM/INPUTS" of a verified module, which it has as HLO,
/// with the array leaves of its inputs, and what is certified of its results.
/// Errors of the evaluation.
Case golden_case(const GoldenTitle& title, const Module& module,
                 std::vector<Literal> leaves);

/// The text of a vector file with these cases, which it can be read back from.
/// Error "usage.golden" where two have one id, and "vectors.*" where a file
/// cannot have them.
std::string golden_file(const std::string& command,
                        const std::vector<Case>& cases);

/// Leaves of each set the reference's bits alone.
void make_exact(std::vector<Case>& cases);

}  // namespace hlo::conformance
