#include "conformance/files/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace hlo::conformance {
namespace {

constexpr int kMostColumns = 100'000;

std::string_view variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

/// A whole number of columns; nothing for what is none.
std::optional<int> columns_of(std::string_view text) {
  int columns = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, columns);
  const bool is_number = error == std::errc() && next == end;
  if (!is_number || columns < 1 || columns > kMostColumns) return {};
  return columns;
}

std::optional<int> width_of(int fd) {
  if (isatty(fd) != 1) return {};
  if (const auto columns = columns_of(variable("COLUMNS"))) return columns;
  constexpr int kUnsaid = 80;
  winsize size{};
  const bool is_said = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_said ? size.ws_col : kUnsaid;
}

}  // namespace

std::optional<int> output_width() { return width_of(STDOUT_FILENO); }

std::optional<int> status_width() {
  if (variable("TERM") == "dumb") return {};
  return width_of(STDERR_FILENO);
}

bool wants_colours() {
  return isatty(STDOUT_FILENO) == 1 && variable("NO_COLOR").empty() &&
         variable("TERM") != "dumb";
}

}  // namespace hlo::conformance
