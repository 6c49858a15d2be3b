#pragma once

#include <string>

#include "interpreter/text/grammar/scanner.h"

namespace hlo::text {

/// A sharding in its canonical spelling.
std::string read_sharding(Lexer& in);
/// A domain, which has two shardings, in its canonical spelling.
std::string read_domain(Lexer& in);

}  // namespace hlo::text
