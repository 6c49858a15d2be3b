#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/random/draw.h"
#include "interpreter/error.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"

namespace hlo::conformance {

/// A verified program with arguments, small enough to be run at once.
struct FuzzedProgram {
  Module module;
  std::vector<std::vector<Literal>> arguments;  // of each device
  Draw draw;  // from the bytes: for whatever else is to be chosen
};

/// The program that the bytes spell; nothing where they spell none, or a large
/// one. Then the run counts as one that has covered nothing, so that libFuzzer
/// goes on from valid programs. Ends the process where an error is not one for
/// the user.
std::optional<FuzzedProgram> fuzzed_program(std::string_view source);

/// Whether what stands outside of any budget is small: devices, arguments,
/// constants.
bool is_small(const Module& module);

/// Ends the process where the error is not one for the user: without a rule, or
/// with a message that is too long to be read.
void check_error(const Error& error);

/// Runs `body`, and checks the Error that it throws. Whether it has thrown
/// none.
bool ends_well(const std::function<void()>& body);

/// Ends the process: `what` was found in the program.
[[noreturn]] void report_finding(std::string_view what);

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace hlo::conformance
