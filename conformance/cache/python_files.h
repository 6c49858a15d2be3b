#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "conformance/cache/known_files.h"

namespace hlo::conformance {

/// A Python that runs.
struct Python {
  std::filesystem::path program;
  std::vector<std::string> words;  // its command line
  std::filesystem::path folder;    // in which it was started
  std::string module_path;         // $PYTHONPATH
  std::string search_path;         // $PATH
  std::string home;                // $HOME
};

/// Adds what it may import: modules and packages beside its script and in
/// $PYTHONPATH, and what installed packages say of their files. Error
/// "file.read" where there are too many to be read.
void add_python_files(KnownFiles& files, const Python& python);

}  // namespace hlo::conformance
