#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace hlo::conformance {

/// Prints to standard output. Error "file.write" where that fails.
void say(std::string_view text);

/// Prints the formatted text to standard output. Error "file.write".
template <typename First, typename... Rest>
void say(fmt::format_string<First, Rest...> format, First&& first,
         Rest&&... rest) {
  say(fmt::format(format, std::forward<First>(first),
                  std::forward<Rest>(rest)...));
}

/// Hands what was printed to the system. Error "file.write" where that fails,
/// or something printed before did not arrive.
void flush_output();

/// Prints to standard error. Where that fails nobody can be told.
void complain(std::string_view text);

/// Makes what goes wrong with standard streams errors of calls: without it,
/// writing to a pipe without a reader, or beyond the allowed size of a file,
/// kills the process, and a file takes the number of a stream that is closed.
void prepare_streams();

}  // namespace hlo::conformance
