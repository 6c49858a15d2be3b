#include "interpreter/definition/sum_of_products.h"

#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/definition/numbers/scalar_codes.h"

namespace hlo::definition {
namespace {

/// The factors of a term: two of the type of the result, or four or so of any.
using Factors = std::vector<Scalar>;

Factors factors(Operands operands, const Term& term, ElementType type) {
  const Scalar a = operands[0].at(term.lhs);
  const Scalar b = operands[1].at(term.rhs);
  if (term.scales.empty()) return {convert(a, type), convert(b, type)};
  Factors found = {a, b};
  for (const auto& [operand, index] : term.scales) {
    found.push_back(operands[static_cast<size_t>(operand)].at(index));
  }
  return found;
}

Real part(const Scalar& x, size_t k) {
  return decode(x.bits[k], component_type(x.type));
}

/// Calls `add` with the factors of each term.
void for_each_product(Operands operands, const EachTerm& terms,
                      ElementType type,
                      const std::function<void(const Factors&)>& add) {
  terms([&](const Term& term) { add(factors(operands, term, type)); });
}

uint64_t sum_of_integers(Operands operands, const EachTerm& terms,
                         ElementType type) {
  Integer sum = 0;
  for_each_product(operands, terms, type, [&](const Factors& term) {
    sum =
        sum + decode_integer(term[0].bits[0], bits(type), is_signed(type)) *
                  decode_integer(term[1].bits[0], bits(type), is_signed(type));
  });
  return type == ElementType::kPred ? (sum == 0 ? 0 : 1)
                                    : wrap(sum, bits(type));
}

uint64_t sum_of_reals(Operands operands, const EachTerm& terms,
                      ElementType type) {
  Real sum = 0;
  for_each_product(operands, terms, type, [&](const Factors& term) {
    Real product = 1;
    for (const Scalar& factor : term) product = product * part(factor, 0);
    sum = sum + product;
  });
  return encode(sum, type);
}

Scalar sum_of_complex(Operands operands, const EachTerm& terms,
                      ElementType type) {
  Real real = 0;
  Real imaginary = 0;
  for_each_product(operands, terms, type, [&](const Factors& term) {
    const Scalar& a = term[0];
    const Scalar& b = term[1];
    real = real + part(a, 0) * part(b, 0) - part(a, 1) * part(b, 1);
    imaginary = imaginary + part(a, 0) * part(b, 1) + part(a, 1) * part(b, 0);
  });
  const ElementType component = component_type(type);
  return {type, {encode(real, component), encode(imaginary, component)}};
}

}  // namespace

Scalar sum_of_products(Operands operands, const EachTerm& terms,
                       ElementType type) {
  if (is_complex(type)) return sum_of_complex(operands, terms, type);
  return {type,
          {is_float(type) ? sum_of_reals(operands, terms, type)
                          : sum_of_integers(operands, terms, type),
           0}};
}

}  // namespace hlo::definition
