#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backends/process/frame.h"
#include "backends/process/worker_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using hlo::process::BadWorker;
using hlo::process::Frame;
using hlo::process::FrameReader;

constexpr uint64_t kMost = 1000;

/// Whether the bytes are a frame, in pieces of that size, and what is behind it
/// in the last of them that it takes.
bool is_frame(std::string_view bytes, size_t piece, Frame& frame,
              std::string_view& rest) {
  FrameReader reader(kMost);
  try {
    for (size_t i = 0; i < bytes.size() && !reader.is_complete(); i += piece) {
      rest = reader.take(bytes.substr(i, piece));
    }
  } catch (const BadWorker&) {
    return false;
  }
  frame = reader.frame();
  return reader.is_complete();
}

void read(const Frame& frame) {
  static const std::array<hlo::process::Request, 2> kRequests = {
      hlo::process::to_request(1, "", {}, {{.shape = "u8[8]", .bytes = 8}}, ""),
      hlo::process::to_request(2, "", {}, {}, "")};
  try {
    hlo::process::read_hello(frame);
  } catch (const BadWorker&) {
  }
  try {
    hlo::process::read_answers(frame, {kRequests.data(), frame.body.size() % 3},
                               frame.header.size() % 2 == 1);
  } catch (const BadWorker&) {
  }
}

}  // namespace

// Any bytes are a frame or none, in pieces of any size; a frame is what it was
// made of, and a hello, answers or refused.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Frame whole;
  Frame parts;
  std::string_view rest;
  std::string_view rest_of_part;
  const bool is_whole = is_frame(bytes, size + 1, whole, rest);
  if (is_whole != is_frame(bytes, size % 7 + 1, parts, rest_of_part)) {
    std::abort();
  }
  if (is_whole && bytes != to_bytes(whole) + std::string(rest)) std::abort();
  if (is_whole && to_bytes(whole) != to_bytes(parts)) std::abort();
  if (is_whole && !rest.starts_with(rest_of_part)) std::abort();
  // Behind a length that is right there is more to find.
  read({.header = std::string(bytes.substr(0, size / 2)),
        .body = std::string(bytes.substr(size / 2))});
  if (is_whole) read(whole);
  return 0;
}
