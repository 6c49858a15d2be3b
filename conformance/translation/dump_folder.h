#pragma once

#include <string>
#include <vector>

namespace hlo::conformance {

/// The files of one module that XLA dumps with --xla_dump_to, by their names.
struct DumpedModule {
  std::string name;  // "module_0008.jit_f"
  std::string before;
  std::string after;
  std::vector<std::string> passes{};  // in the order in which they ran
};

/// The modules of files of such names that are there before and after, by
/// their numbers; other names mean nothing.
std::vector<DumpedModule> modules_of_dump(std::vector<std::string> names);
/// The names of the files in a folder. Error "file.read".
std::vector<std::string> names_in_folder(const std::string& folder);

}  // namespace hlo::conformance
