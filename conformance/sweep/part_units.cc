#include "conformance/sweep/part_units.h"

#include <algorithm>

#include "conformance/sweep/error_units.h"
#include "interpreter/definition/numbers/exact_numbers.h"
#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::conformance {

using definition::Real;

int64_t part_units(const Real& exact, uint64_t actual,
                   const numeric::FloatFormat& format) {
  const Real y = definition::decode(actual, format.type);
  const Real distance = fabs(y - exact);
  if (is_zero(distance)) return 0;
  int64_t exponent = format.min_exponent();
  if (!is_zero(exact)) exponent = std::max(exponent, ilogb(exact));
  const int64_t ulp = exponent - format.mantissa_bits;
  const Real units = distance * Real(double{kUnitsPerUlp});
  if (units >= ldexp(Real(static_cast<double>(kMostUnits)), ulp)) {
    return kMostUnits;
  }
  return definition::floor(definition::rational(ldexp(units, -ulp)))
      .convert_to<int64_t>();
}

}  // namespace hlo::conformance
