#pragma once

#include <optional>
#include <string>

#include "interpreter/model/buffer.h"

namespace hlo::conformance {

/// How the buffer differs from the one that the elements in it are stored as
/// (spec/layout.md): the first slot that does, its index, address and bits.
/// Nothing where they agree in all bits but those of padding. The buffer has
/// the size that its layout asks for.
std::optional<std::string> raw_difference(const Buffer& buffer);

}  // namespace hlo::conformance
