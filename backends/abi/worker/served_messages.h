#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/process/frame.h"
#include "backends/process/worker_messages.h"

namespace hlo::abi {

// The protocol of spec/protocol.md as a worker sees it; worker_messages.h has
// the other side. Each throws std::runtime_error where the frame is another.

/// A case as a frame has it.
struct ServedCase {
  int64_t id = 0;
  std::string program;
  std::vector<process::Part> inputs;
  std::vector<process::Part> results;  // what it asks for
  std::string bytes;                   // of the inputs
};

/// Takes the hello that begins, which must offer version 1; whether answers may
/// come in parts.
bool read_greeting(const process::Frame& frame);
process::Frame hello_answer(const process::Hello& hello);
process::Frame hello_refusal(std::string_view why);
/// The cases that a frame asks for.
std::vector<ServedCase> read_cases(const process::Frame& frame);
/// The answers to them, one each.
process::Frame answers_frame(std::span<const ServedCase> cases,
                             std::span<const process::Answer> answers);

}  // namespace hlo::abi
