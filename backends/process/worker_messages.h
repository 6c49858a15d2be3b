#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backends/process/frame.h"

namespace hlo::process {

/// What a worker says of itself (spec/protocol.md).
struct Hello {
  std::string name;
  std::string release;
  bool wants_stablehlo = false;
  bool wants_layouts = false;  // else buffers are dense
  bool runs_devices = false;   // programs of several devices
};

/// An array in the body of a frame.
struct Part {
  std::string shape;
  uint64_t bytes = 0;
};

/// A case as a worker gets it.
struct Request {
  int64_t id = 0;
  std::string program;
  std::vector<Part> inputs;
  std::vector<Part> results;  // what it asks for
  std::string bytes;          // of the inputs
};

/// What a worker made of a case.
struct Answer {
  enum class Kind : uint8_t { kResults, kUnsupported, kRejected, kFailed };
  Kind kind = Kind::kFailed;
  std::string message;  // where there are no results
  std::vector<Part> results;
  std::vector<std::string> bytes;  // of each result
};

/// The frame that begins.
Frame hello_frame();
/// BadWorker where the frame is no hello, or says why there is none.
Hello read_hello(const Frame& frame);
/// The frame that asks for the cases.
Frame run_frame(std::span<const Request> requests);
/// How long the body of the answer to them may be.
uint64_t most_answered(std::span<const Request> requests);
/// The answers to the cases of these ids. BadWorker where the frame is none,
/// has others, or its lengths do not add up.
std::vector<Answer> read_answers(const Frame& frame,
                                 std::span<const int64_t> ids);

}  // namespace hlo::process
