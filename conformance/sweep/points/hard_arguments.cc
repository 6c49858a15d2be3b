#include "conformance/sweep/points/hard_arguments.h"

#include <algorithm>
#include <charconv>

namespace hlo::conformance {
namespace {

std::string_view text_of_hard_doubles() {
  const auto files = number_files();
  const auto found =
      std::ranges::find(files, "hard_doubles", &NumberFile::name);
  return found == files.end() ? "" : found->text;
}

/// Takes the first line away.
std::string_view next_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

}  // namespace

std::vector<uint64_t> hard_arguments(std::string_view operation) {
  constexpr int kHexadecimal = 16;
  constexpr uint64_t kSign = uint64_t{1} << 63U;
  std::vector<uint64_t> codes;
  bool is_here = false;
  for (std::string_view text = text_of_hard_doubles(); !text.empty();) {
    const std::string_view line = next_line(text);
    if (line.starts_with(": ")) is_here = line.substr(2) == operation;
    uint64_t code = 0;
    const char* const end = line.data() + line.size();
    const auto read = std::from_chars(line.data(), end, code, kHexadecimal);
    if (is_here && read.ptr == end) codes.push_back(code & ~kSign);
  }
  return codes;
}

}  // namespace hlo::conformance
