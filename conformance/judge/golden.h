#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// The sets of the reference's results, one for each array leaf: those of the
/// operations, or what is certified of the whole program. `leaves` are those of
/// the parameters. Errors of the evaluation.
std::vector<Expectation> golden_sets(const Module& module,
                                     const std::vector<Literal>& leaves,
                                     bool certified);

/// The case with the sets of the reference's results in place of the word
/// `reference`. Throws the program's Error, with the case's name and place,
/// where it has no result.
Case blessed(const Case& c);

/// The text of a vector file with every unblessed line whose case the filter
/// selects blessed, those of certified cases brought up to date, and all others
/// as they are. `by` tells who blesses; the first line keeps it, with the cases
/// that changed. Error "usage.bless" where it does not tell all, and a
/// certified case changes or it tells anything.
std::string bless(std::string_view text, std::string_view file,
                  const std::string& filter = "*", const Blessing& by = {});

/// What is wrong with the expectation of the case: the reference's result is
/// not the stated value, or blessed sets are not what they would be now.
/// Empty where nothing is.
std::string verify_golden(const Case& c);

}  // namespace hlo::conformance
