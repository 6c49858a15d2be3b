#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "interpreter/shortened.h"

namespace hlo::conformance {

/// Accepts the numbers from `least` to `most`; CLI::Range says less of others.
template <typename T>
CLI::Validator number(T least, T most) {
  return {[least, most](const std::string& text) -> std::string {
            T value{};
            if (CLI::detail::lexical_cast(text, value) && least <= value &&
                value <= most) {
              return {};
            }
            return fmt::format("it is {}, but must be a number from {} to {}",
                               shortened(text), least, most);
          },
          "NUMBER"};
}

/// Accepts these words, and suggests the nearest of them for another one.
CLI::Validator one_of(const std::vector<std::string>& words);

inline CLI::Validator positive() {
  return number(1, std::numeric_limits<int>::max());
}

inline CLI::Validator not_negative() {
  return number(0, std::numeric_limits<int>::max());
}

/// --max-memory, which limits the process as soon as it is read.
void add_max_memory(CLI::App* command);
/// --max-work, and --max-memory.
void add_limits(CLI::App* command, int64_t& most_work);
/// --candidates and --shrink-time.
void add_shrink_limits(CLI::App* command, int64_t& candidates, double& seconds);
/// --timeout.
void add_timeout(CLI::App* command, double& seconds);

}  // namespace hlo::conformance
