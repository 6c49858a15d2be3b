#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "backends/gpu/device/device.h"
#include "backends/gpu/program/tape.h"

// Tapes as text of the kernels' dialect: what the kernels do that interpret
// tapes, in straight lines.

namespace hlo::gpu {

/// What the statements of the tape stand on.
Base base_of(const Tape& tape);
/// A statement for each instruction, which defines the register `name`K that
/// it fills. Indices along dimension D are `i`D.
std::string statements_of(const Tape& tape, std::string_view name);

/// "const cell TO = FROM;", in a line of its own.
std::string definition(const std::string& to, const std::string& from);
/// "17, heap, p[1]": what load() and store() get of an array of that type whose
/// offset is a parameter.
std::string array_text(ElementType type, int64_t parameter);

}  // namespace hlo::gpu
