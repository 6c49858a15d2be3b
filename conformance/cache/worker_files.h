#pragma once

#include <string>
#include <string_view>

#include "conformance/cache/known_files.h"

namespace hlo::conformance {

// What processes are made of, as far as the system tells. Errors "file.read".

/// Adds this program and the libraries in it.
void add_own_files(KnownFiles& files);

/// Adds, of each process of the group: its program, its libraries, the files
/// that its command line names and, where it is a Python, what that may import.
/// Returns the environments that the processes were started with.
std::string add_group_files(KnownFiles& files, int group);

/// Adds the files that the words of a shell's command name, here or in a folder
/// of $PATH.
void add_named_files(KnownFiles& files, std::string_view command);

/// The variables of an environment, in order, but for those that say no more
/// than where and when something runs. Before and after, each ends with a zero
/// byte.
std::string telling_variables(std::string_view environment);

}  // namespace hlo::conformance
