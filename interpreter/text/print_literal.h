#pragma once

#include <cstdint>
#include <string>

#include "interpreter/model/literal.h"

namespace hlo::text {

/// Appends the canonical text of an integer.
void append_integer(std::string& text, int64_t value);
/// Appends the canonical text (spec/text.md) of a literal's elements.
void append(std::string& text, const Literal& literal);
/// The elements of a literal: "{ { 1, 2 }, { 3, 4 } }". Decimals are the
/// shortest that read back as the same bits; NaN payloads and -0.0 survive.
std::string print(const Literal& literal);
/// The text of one element.
std::string print(const Scalar& scalar);

}  // namespace hlo::text
