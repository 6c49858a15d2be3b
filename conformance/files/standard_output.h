#pragma once

#include <fmt/format.h>

#include <functional>
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

/// Gives what say() prints to `sink` from now on; to standard output again
/// where that is empty.
void redirect_output(std::function<void(std::string_view)> sink);

/// Prints to standard error. Where that fails nobody can be told.
void complain(std::string_view text);

/// Shows a line at the bottom of the terminal that standard error is, in the
/// place of the one before: as much of it as fits. What is printed replaces it.
/// Nothing where standard error is no terminal.
void show_status(std::string_view text);
/// Takes that line away.
void clear_status();
/// Takes it away, and shows none from now on.
void end_status();

/// Makes what goes wrong with standard streams errors of calls: without it,
/// writing to a pipe without a reader, or beyond the allowed size of a file,
/// kills the process, and a file takes the number of a stream that is closed.
void prepare_streams();

}  // namespace hlo::conformance
