#pragma once

#include <string>

#include "interpreter/model/attribute.h"
#include "interpreter/model/literal.h"

namespace hlo::text {

/// Appends the canonical text (spec/text.md) of a value.
void append(std::string& text, const Literal& literal);
void append(std::string& text, const AttributeValue& value);
void append_integer(std::string& text, int64_t value);

}  // namespace hlo::text
