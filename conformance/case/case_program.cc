#include "conformance/case/case_program.h"

#include "interpreter/stablehlo/import/import.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {

Module case_module(const Case& c) {
  return c.stablehlo.empty() ? verified_module(c.hlo)
                             : stablehlo::import_text(c.stablehlo);
}

}  // namespace hlo::conformance
