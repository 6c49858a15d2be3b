#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "conformance/commands/options/command.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {

/// Accepts the numbers from `least` to `most`.
template <typename T>
Complaint number(T least, T most) {
  return [least, most](const std::string& text) -> std::string {
    T value{};
    if (read_number(text, value) && least <= value && value <= most) return {};
    return fmt::format("it is {}, but must be a number from {} to {}",
                       shortened(text), least, most);
  };
}

/// Accepts these words, and suggests the nearest of them for another one.
Complaint one_of(const std::vector<std::string>& words);

inline Complaint positive() {
  return number(1, std::numeric_limits<int>::max());
}

inline Complaint not_negative() {
  return number(0, std::numeric_limits<int>::max());
}

/// --max-memory, which limits the process as soon as it is read.
void add_max_memory(Command& command);
/// --max-work, and --max-memory.
void add_limits(Command& command, int64_t& most_work);
/// --candidates and --shrink-time.
void add_shrink_limits(Command& command, int64_t& candidates, double& seconds);
/// --timeout.
void add_timeout(Command& command, double& seconds);

}  // namespace hlo::conformance
