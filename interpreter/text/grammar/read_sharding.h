#pragma once

#include <string>

#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// A sharding in its canonical spelling.
std::string read_sharding(Scanner& in);
/// A domain, which has two shardings, in its canonical spelling.
std::string read_domain(Scanner& in);

}  // namespace hlo::text
