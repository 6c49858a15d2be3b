#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/case.h"
#include "conformance/files/file_use.h"
#include "conformance/shrink/edit.h"

namespace hlo::conformance {

/// Whether a command's argument is the file of a program, and no file of cases
/// and no id.
bool names_program(const std::string& target);
/// The verified program of a text, and what it gets.
Program program_of_text(std::string_view source,
                        std::span<const std::string> inputs);
/// The program of a case. Error where it is refused.
Program program_of(const Case& c);
/// The cases of a file that the filter selects, or those whose ids the target
/// selects, but for those of invalid programs. Error "usage.case" where there
/// is none.
std::vector<Case> cases_of(const std::string& target, const std::string& filter,
                           FileUse& use);

}  // namespace hlo::conformance
