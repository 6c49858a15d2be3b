#pragma once

#include <cstddef>

#include "interpreter/model/element_type.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

/// One number of an array type, stored at `target` as in a literal.
void read_element(Scanner& in, ElementType type, std::byte* target);

}  // namespace hlo::text
