#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/model/module.h"

namespace hlo::stablehlo {

/// The error of what cannot be said.
[[noreturn]] void cannot_export(const Instruction& instruction,
                                std::string_view what);

/// "tensor<?x2xf32, #stablehlo.bounds<3, ?>>", "!stablehlo.token". Error
/// "stablehlo.export" where StableHLO lacks the element type.
std::string type_text(const Shape& shape);
/// "array<i64: 1, 2>".
std::string array_text(std::span<const int64_t> values);
/// "array<i1: false, true>".
std::string bools_text(std::span<const bool> values);
/// "[1, 2]"
std::string list_text(std::span<const int64_t> values);
/// "dense<[[1, 2]]> : tensor<1x2xi64>"
std::string pairs_text(std::span<const std::pair<int64_t, int64_t>> pairs);
/// "3 : i64"
std::string int_text(int64_t value);
/// ", precision_config = [...]" of operand_precision; nothing where it is not
/// given.
std::string precision_text(const Instruction& instruction);
/// The shapes of the leaves of a shape.
std::vector<Shape> leaf_shapes(const Shape& shape);

}  // namespace hlo::stablehlo
