#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "interpreter/stablehlo/parse.h"
#include "interpreter/text/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/// Whatever does not parse is an Error with a place.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  try {
    hlo::stablehlo::is_stablehlo(source);
    hlo::stablehlo::parse(source);
  } catch (const hlo::Error& error) {
    const int column = error.location().column;
    if (error.location().line < 1 || column < 1 ||
        error.phase() != hlo::Phase::kParse) {
      std::abort();
    }
    hlo::text::render(error, "fuzz", source);
  }
  return 0;
}
