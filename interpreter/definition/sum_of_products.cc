#include "interpreter/definition/sum_of_products.h"

#include "interpreter/definition/conversion.h"
#include "interpreter/definition/extended_real.h"
#include "interpreter/definition/scalar_codes.h"

namespace hlo::definition {
namespace {

/// Both factors of a term.
struct Factors {
  Scalar a;
  Scalar b;
};

std::vector<Factors> factors(const Literal& lhs, const Literal& rhs,
                             const std::vector<Term>& terms, ElementType type) {
  std::vector<Factors> found;
  for (const Term& term : terms) {
    found.push_back(
        {convert(lhs.at(term.lhs), type), convert(rhs.at(term.rhs), type)});
  }
  return found;
}

Real part(const Scalar& x, size_t k) {
  return decode(x.bits[k], component_type(x.type));
}

uint64_t sum_of_integers(const std::vector<Factors>& terms, ElementType type) {
  Integer sum = 0;
  for (const auto& [a, b] : terms) {
    sum = sum + decode_integer(a.bits[0], bits(type), is_signed(type)) *
                    decode_integer(b.bits[0], bits(type), is_signed(type));
  }
  return type == ElementType::kPred ? (sum == 0 ? 0 : 1)
                                    : wrap(sum, bits(type));
}

uint64_t sum_of_reals(const std::vector<Factors>& terms, ElementType type) {
  Real sum = 0;
  for (const auto& [a, b] : terms) sum = sum + part(a, 0) * part(b, 0);
  return encode(sum, type);
}

Scalar sum_of_complex(const std::vector<Factors>& terms, ElementType type) {
  Real real = 0;
  Real imaginary = 0;
  for (const auto& [a, b] : terms) {
    real = real + part(a, 0) * part(b, 0) - part(a, 1) * part(b, 1);
    imaginary = imaginary + part(a, 0) * part(b, 1) + part(a, 1) * part(b, 0);
  }
  const ElementType component = component_type(type);
  return {type, {encode(real, component), encode(imaginary, component)}};
}

}  // namespace

Scalar sum_of_products(const Literal& lhs, const Literal& rhs,
                       const std::vector<Term>& terms, ElementType type) {
  const std::vector<Factors> all = factors(lhs, rhs, terms, type);
  if (is_complex(type)) return sum_of_complex(all, type);
  return {
      type,
      {is_float(type) ? sum_of_reals(all, type) : sum_of_integers(all, type),
       0}};
}

}  // namespace hlo::definition
