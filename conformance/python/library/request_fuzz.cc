#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/python/library/request.h"
#include "interpreter/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Bytes = std::vector<std::byte>;

std::vector<Bytes> arrays_of(std::string_view text) {
  std::vector<Bytes> arrays;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    Bytes array;
    for (const char c : line) array.push_back(static_cast<std::byte>(c));
    arrays.push_back(std::move(array));
    text.remove_prefix(line.size() == text.size() ? line.size()
                                                  : line.size() + 1);
  }
  return arrays;
}

}  // namespace

// The first line is a request, each further one an array.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t end = text.find('\n');
  const std::vector<Bytes> arrays = end == std::string_view::npos
                                        ? std::vector<Bytes>{}
                                        : arrays_of(text.substr(end + 1));
  try {
    const auto request =
        hlo::conformance::read_request(text.substr(0, end), arrays);
    if (request.inputs.size() + request.results.size() + 1 != arrays.size()) {
      std::abort();
    }
  } catch (const hlo::Error&) {
    // Bad input is normal input.
  }
  return 0;
}
