#pragma once

#include <memory>
#include <string>

#include "backends/backend.h"
#include "conformance/commands/options/command.h"

namespace hlo::conformance {

/// --backend: who is judged; what is in it stays where the option has no value.
void add_backend(Command& command, std::string& backend);
/// The backend that --backend asks for; standard error gets its remark. Error
/// "usage.backend".
std::unique_ptr<Backend> chosen_backend(const std::string& uri);
/// --profile: what conforms; where it is not given, what the backend declares,
/// which is read by when_read().
void add_profile(Command& command, std::string& profile,
                 const std::string& backend);
/// The options of a command that judges the backend like this, each with a
/// space before it, but for those that it has without: the profile that the
/// backend declares, and 60 s.
std::string judging_words(const std::string& profile,
                          const std::string& backend, double timeout);
/// Makes the profile what the backend declares where the command line has none,
/// nor what compares with something else.
void use_declared_profile(const Command& command, std::string& profile,
                          const std::string& backend);

}  // namespace hlo::conformance
