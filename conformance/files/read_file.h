#pragma once

#include <cstddef>
#include <string>

namespace hlo::conformance {

/// More than any text has that is read.
inline constexpr size_t kMaxTextBytes = size_t{1} << 30U;

/// The bytes of the whole file, or all that a pipe brings. Error "file.read"
/// for a folder, for a device that is no terminal, and where a read fails or
/// there are more than `limit` bytes.
std::string read_file(const std::string& path, size_t limit = kMaxTextBytes);
/// The first bytes of the file, at most so many. Error "file.read".
std::string read_beginning(const std::string& path, size_t size);
/// All that standard input brings. Error "file.read".
std::string read_standard_input();
/// The file of that name, or what standard input brings where that is "-",
/// however often it is read. Error "file.read".
std::string read_input(const std::string& name);

}  // namespace hlo::conformance
