#pragma once

#include <optional>

namespace hlo::conformance {

/// How many characters fit into a line of the terminal that standard output is,
/// $COLUMNS or what the terminal says; nothing where it is a pipe or a file,
/// whose lines have any length.
std::optional<int> output_width();
/// That of standard error; nothing where it is no terminal, or one that cannot
/// replace a line ($TERM is dumb).
std::optional<int> status_width();
/// Whether standard output is a terminal that wants colours (not $NO_COLOR).
bool wants_colours();

}  // namespace hlo::conformance
