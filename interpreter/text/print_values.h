#pragma once

#include <string>

#include "interpreter/model/attribute.h"

namespace hlo::text {

/// Appends the canonical text (spec/text.md) of the value of an attribute.
void append(std::string& text, const AttributeValue& value);

}  // namespace hlo::text
