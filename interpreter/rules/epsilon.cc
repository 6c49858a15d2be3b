#include "interpreter/rules/epsilon.h"

#include "interpreter/numeric/exact/decimal.h"

namespace hlo {

double epsilon_of(const Instruction& norm) {
  const auto& epsilon = norm.get<Decimal>("epsilon");
  const numeric::FloatFormat& f32 = numeric::format(ElementType::kF32);
  const auto code = numeric::from_decimal(epsilon.text, f32);
  return code ? numeric::decode(*code, f32) : epsilon.value;
}

}  // namespace hlo
