#pragma once

#include <string>

namespace hlo::conformance {

/// The text of the whole file. Error "file.read" where it cannot be read.
std::string read_file(const std::string& path);
/// Writes the whole file, or throws Error "file.write".
void write_file(const std::string& path, const std::string& text);
/// Throws Error "file.write" unless the file can be written.
void check_writable(const std::string& path);

}  // namespace hlo::conformance
