#pragma once

#include <string>

#include "conformance/layout/memory.h"

namespace hlo::conformance {

/// The array with the slot of each element, and the memory with the element of
/// each slot, `--` for padding, in lines of at most 100 columns. What is too
/// large is cut, with a note.
std::string draw_text(const Memory& memory);

/// "f32[3,5]{1,0:T(2,2)}: 15 elements in 24 slots of 32 bits, 96 bytes; ...".
std::string describe(const Memory& memory);
/// "[2,3] is slot 17: bytes 68 to 71 of 96".
std::string describe_element(const Memory& memory, const Index& index);
/// "slot 17 holds [2,3]: ...", "slot 11 is padding: ...".
std::string describe_slot(const Memory& memory, int64_t slot);

}  // namespace hlo::conformance
