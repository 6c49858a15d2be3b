#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// The value that `text` spells for a parameter of `shape`
/// (spec/conformance.md, Inputs): an HLO literal with or without its shape,
/// "2x2xf32=1 2 3 4", or "@file.npy". Throws Error "input.*", "npy.*" or those
/// of the literal's text.
Literal parse_input(std::string_view text, const Shape& shape);

/// The files that the texts name, without their @.
std::vector<std::string> input_files(std::span<const std::string> texts);

/// The sizes that `text` says of itself, in the same forms; nothing where it
/// does not say them, or is no such form. Errors "file.read", "npy.header".
std::optional<std::vector<int64_t>> sizes_of_input(std::string_view text);

/// The values of the parameters of a verified module: one text for each, or
/// one "random:SEED" for all. Error "input.count" where they are not as many.
std::vector<Literal> make_inputs(const Module& module,
                                 std::span<const std::string> texts);

/// The inputs of every device of the module: one text for each parameter, for
/// all devices, or as many for each device.
std::vector<std::vector<Literal>> make_device_inputs(
    const Module& module, std::span<const std::string> texts);

/// What a program reads by infeed (EvaluatorOptions::infeed): the values that
/// the texts spell, in order, or one "random:SEED" for any number of them; null
/// where there are no texts. The texts outlive it. Called for a value, it
/// throws Error "infeed.empty" behind the last, or those of parse_input().
std::function<Literal(const Shape&)> make_infeed(
    std::span<const std::string> texts);

}  // namespace hlo::conformance
