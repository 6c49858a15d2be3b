#include <cstddef>
#include <cstdint>
#include <string_view>

#include "conformance/case/case.h"
#include "conformance/case/case_program.h"
#include "conformance/case/spec_page.h"
#include "interpreter/error.h"

// Any bytes are a vector file, whose cases have programs, and a page, or an
// error with a place.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const auto& c :
         hlo::conformance::parse_vectors(text, "fuzz.jsonl").cases) {
      hlo::conformance::case_module(c);
    }
  } catch (const hlo::Error&) {
  }
  try {
    hlo::conformance::parse_spec_page(text, "fuzz.md");
  } catch (const hlo::Error&) {
  }
  return 0;
}
