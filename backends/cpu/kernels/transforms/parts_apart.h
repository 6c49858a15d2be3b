#pragma once

namespace hlo::cpu {

/// Complex numbers, whose parts lie apart.
struct ComplexParts {
  double* re = nullptr;
  double* im = nullptr;
};

}  // namespace hlo::cpu
