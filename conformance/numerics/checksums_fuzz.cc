#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "conformance/numerics/sweep.h"
#include "interpreter/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Checksums that are read are printed, and read again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hlo::conformance;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const int64_t lines = std::ranges::count(text, '\n');
  try {
    const auto read = parse_checksums(text, "fuzz.txt", lines);
    if (parse_checksums(print_checksums(read), "again.txt", lines) != read) {
      std::abort();
    }
  } catch (const hlo::Error& error) {
    if (error.rule() != "numerics.checksums") std::abort();
  }
  return 0;
}
