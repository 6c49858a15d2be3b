#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/fuzz/fuzzed_program.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A program is refused by a rule, at a place, or is printed with all its shapes
// and verified again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hlo;
  using namespace hlo::conformance;
  const std::string_view source = text_of(data, size);
  Module module;
  try {
    module = verified_module(source);
  } catch (const Error& error) {
    check_error(error);
    if (error.location().line < 1) report_finding("without a place");
    text::render(error, "fuzz", source);
    return 0;
  }
  if (!is_small(module)) return 0;
  const std::string printed = text::print(module);
  if (text::print(verified_module(printed)) != printed) {
    report_finding("printed as another program");
  }
  return 0;
}
