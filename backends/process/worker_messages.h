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
  size_t batch = 1;            // how many cases it takes in a frame
  bool answers_in_parts = false;
  double pace = 0.5;  // seconds of a frame, above which the next is smaller
  std::vector<std::string> tags = {};  // that it gives itself (Backend::tags)
};

/// An array in the body of a frame.
struct Part {
  std::string shape;
  uint64_t bytes = 0;
};

/// A case as a worker gets it.
struct Request {
  int64_t id = 0;
  std::string head;    // its JSON object
  std::string body;    // the program, then the inputs
  uint64_t asked = 0;  // how long all results are that it asks for
};

/// What a header can say of one case, such that an answer fits in one, too, of
/// whatever spaces its JSON has.
inline constexpr uint64_t kMostHead = kMostHeader / 2;

/// What a worker made of a case.
struct Answer {
  enum class Kind : uint8_t {
    kResults,
    kUnsupported,
    kRejected,
    kFailed,
    kCrashed,  // a process of its own for the engine, which ended
  };
  Kind kind = Kind::kFailed;
  std::string message;  // where there are no results
  std::vector<Part> results;
  std::vector<std::string> bytes;  // of each result
};

/// The frame that begins.
Frame hello_frame();
/// BadWorker where the frame is no hello, or says why there is none.
Hello read_hello(const Frame& frame);
Request to_request(int64_t id, std::string program,
                   const std::vector<Part>& inputs,
                   const std::vector<Part>& results, std::string_view bytes);
/// The frame that asks for the cases.
Frame run_frame(std::span<const Request> requests);
/// How long the body of the answer to them may be.
uint64_t most_answered(std::span<const Request> requests);
/// The answers to the cases; in parts, to the first of them. BadWorker where
/// the frame is none, has others, its lengths do not add up, or one is longer
/// than it may be alone.
std::vector<Answer> read_answers(const Frame& frame,
                                 std::span<const Request> requests,
                                 bool in_parts = false);

}  // namespace hlo::process
