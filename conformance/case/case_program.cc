#include "conformance/case/case_program.h"

#include "interpreter/stablehlo/import/import.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {

Module case_module(const Case& c) {
  return c.stablehlo.empty() ? verified_module(c.hlo)
                             : stablehlo::import_text(c.stablehlo);
}

std::string program_message(const Case& c, const Error& error) {
  const Location& place = error.location();
  if (place.line == 0) return error.message();
  const std::string& program = c.stablehlo.empty() ? c.hlo : c.stablehlo;
  return error.message() + " (line " + std::to_string(place.line) +
         ", column " + std::to_string(place.column) + " of the program)\n" +
         text::excerpt(place, program);
}

}  // namespace hlo::conformance
