#include "interpreter/definition/fold_terms.h"

#include <utility>

#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/run/evaluator.h"

namespace hlo::definition {
namespace {

/// Whether the region joins numbers that are rounded once at the end.
bool is_exact(const Computation& region) {
  if (region.parameters.size() != 2) return false;
  const ElementType type = region.root->shape.element_type;
  const Reducer reducer = recognize(region);
  return (reducer == Reducer::kAdd && (is_float(type) || is_complex(type))) ||
         (reducer == Reducer::kMultiply && is_float(type));
}

/// The exact sum or product of one part of the numbers.
uint64_t join_exactly(bool adds, size_t part, const Scalar& first,
                      const std::vector<Scalars>& terms) {
  const ElementType type = component_type(first.type);
  Real joined = decode(first.bits[part], type);
  for (const Scalars& term : terms) {
    const Real x = decode(term[0].bits[part], type);
    joined = adds ? joined + x : joined * x;
  }
  return encode(joined, type);
}

Scalar join_exactly(const Computation& region, const Scalar& first,
                    const std::vector<Scalars>& terms) {
  const bool adds = recognize(region) == Reducer::kAdd;
  Scalar result{first.type, {join_exactly(adds, 0, first, terms), 0}};
  if (is_complex(first.type)) {
    result.bits[1] = join_exactly(adds, 1, first, terms);
  }
  return result;
}

/// The scalars in the types of the region's parameters from `begin` on.
Scalars typed(const Computation& region, size_t begin, Scalars scalars) {
  for (size_t i = 0; i < scalars.size(); ++i) {
    scalars[i] =
        convert(scalars[i], region.parameters[begin + i]->shape.element_type);
  }
  return scalars;
}

Scalars apply(const Computation& region, const Scalars& joined,
              const Scalars& term, Evaluator& evaluator) {
  std::vector<Literal> arguments;
  for (const Scalar& x : joined) arguments.push_back(Literal::of(x));
  for (const Scalar& x : term) arguments.push_back(Literal::of(x));
  const Literal result = evaluator.call(region, std::move(arguments));
  Scalars scalars;
  for (const Literal* leaf : leaves(result)) scalars.push_back(leaf->scalar());
  return scalars;
}

}  // namespace

Scalars fold_terms(const Computation& region, Scalars first,
                   const std::vector<Scalars>& terms, Evaluator& evaluator) {
  const size_t count = first.size();
  Scalars joined = typed(region, 0, std::move(first));
  std::vector<Scalars> wanted;
  for (const Scalars& term : terms)
    wanted.push_back(typed(region, count, term));
  if (is_exact(region)) return {join_exactly(region, joined[0], wanted)};
  for (const Scalars& term : wanted) {
    joined = apply(region, joined, term, evaluator);
  }
  return joined;
}

}  // namespace hlo::definition
