#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"

namespace {

/// Printing many megabytes of a constant only takes time.
bool is_small(const hlo::Module& module) {
  int64_t count = 0;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->literal == nullptr) continue;
      for (const hlo::Literal* leaf : leaves(*instruction->literal)) {
        count += leaf->element_count();
      }
    }
  }
  return count < 10'000;
}

void check_round_trip(std::string_view source) {
  const hlo::Module first = hlo::text::parse(source);
  if (!is_small(first)) return;
  const std::string printed = hlo::text::print(first);
  const hlo::Module second = hlo::text::parse(printed);
  if (!equal(first, second)) std::abort();
  if (hlo::text::print(second) != printed) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// Whatever parses survives printing and parsing; everything else is an Error
/// with a place.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  try {
    hlo::text::parse(source);
  } catch (const hlo::Error& error) {
    if (error.location().line < 1 || error.phase() != hlo::Phase::kParse) {
      std::abort();
    }
    hlo::text::render(error, "fuzz", source);
    return 0;
  }
  check_round_trip(source);
  return 0;
}
