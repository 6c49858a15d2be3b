#pragma once

#include <cstdint>
#include <string>

namespace hlo::conformance {

/// Limits the arrays of the process (set_most_memory) to `most` bytes, or,
/// where that is 0, to three quarters of what the machine, or the control group
/// that the process runs in, has; and all of its memory to somewhat more, so
/// that other data end with an error, too, and not with the process.
void limit_memory(int64_t most);

/// What a command says where there is no more memory, as one line.
std::string out_of_memory();

}  // namespace hlo::conformance
