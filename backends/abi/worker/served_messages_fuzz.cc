#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "backends/abi/worker/served_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using hlo::process::Frame;

std::vector<hlo::process::Request> asked(
    const std::vector<hlo::abi::ServedCase>& cases) {
  std::vector<hlo::process::Request> requests;
  for (const auto& one : cases) {
    requests.push_back(hlo::process::to_request(one.id, one.program, one.inputs,
                                                one.results, one.bytes));
  }
  return requests;
}

/// Cases that are read are those of the frame that they give.
void read(const Frame& frame) {
  try {
    hlo::abi::read_greeting(frame);
  } catch (const std::runtime_error&) {
  }
  try {
    const auto requests = asked(hlo::abi::read_cases(frame));
    const Frame again = hlo::process::run_frame(requests);
    if (again.body != frame.body) std::abort();
    const auto same = asked(hlo::abi::read_cases(again));
    if (hlo::process::run_frame(same).header != again.header) std::abort();
  } catch (const std::runtime_error&) {
  }
}

}  // namespace

// Any header and body are cases or refused.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t end = bytes.find('\n');
  const std::string_view header = bytes.substr(0, end);
  read({.header = std::string(header),
        .body = std::string(bytes.substr(header.size()))});
  return 0;
}
