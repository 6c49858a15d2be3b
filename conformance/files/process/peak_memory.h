#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hlo::conformance {

/// The most bytes of memory that this process has had at one time, as Linux
/// counts pages that are its own or shared (VmHWM of proc(5)); nothing where
/// the system does not tell.
std::optional<int64_t> peak_memory();
/// The sum of those of the processes that live in a group, each at its own
/// time. Nothing where none lives, or the system does not tell.
std::optional<int64_t> peak_memory_of_group(int group);

/// VmHWM of the text of /proc/PID/status, in bytes.
std::optional<int64_t> peak_in_status(std::string_view status);
/// The group of the text of /proc/PID/stat, in which the name of the program
/// may have any characters.
std::optional<int> group_in_stat(std::string_view stat);

}  // namespace hlo::conformance
