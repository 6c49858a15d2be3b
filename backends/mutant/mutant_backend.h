#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace hlo {

/// The reference with one deliberate bug, or null where there is no such
/// mutant. The suite must tell it from the reference.
std::unique_ptr<Backend> make_mutant_backend(std::string_view name);
/// The names of the mutants.
std::vector<std::string> known_mutants();
/// What the mutant does wrong, in a sentence.
std::string_view describe_mutant(std::string_view name);

}  // namespace hlo
