#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// i1, ui8, bf16, f8E4M3FN, index, ...
std::optional<ElementType> find_element_type(std::string_view name);
/// The type of that kind and shape.
Type make_type(Type::Kind kind, Shape shape);
/// The type of an array attribute or of dense integers.
Type tensor_type(ElementType type, std::vector<int64_t> dims);
/// The type in words of messages: "f32[2]", "a tuple".
std::string to_string(const Type& type);

}  // namespace hlo::stablehlo
