#include "interpreter/definition/fold_terms.h"

#include <array>
#include <utility>

#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/definition/numbers/extended_real.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/run/evaluator.h"

namespace hlo::definition {
namespace {

/// Whether the region joins numbers that are rounded once at the end.
bool is_exact(const Computation& region, ExactFolds exact) {
  if (region.parameters.size() != 2) return false;
  const ElementType type = region.root->shape.element_type;
  const Reducer reducer = recognize(region);
  return (reducer == Reducer::kAdd && (is_float(type) || is_complex(type))) ||
         (exact == ExactFolds::kSumsAndProducts &&
          reducer == Reducer::kMultiply && is_float(type));
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

/// The exact sum or product of numbers, part by part; of nothing but the first,
/// itself.
Scalar join_exactly(const Computation& region, const Scalar& first,
                    const EachScalars& terms) {
  const bool adds = recognize(region) == Reducer::kAdd;
  const ElementType type = component_type(first.type);
  const size_t parts = is_complex(first.type) ? 2 : 1;
  std::array<Real, 2> joined = {0.0, 0.0};
  for (size_t k = 0; k < parts; ++k) joined[k] = decode(first.bits[k], type);
  bool is_alone = true;
  terms([&](const Scalars& term) {
    is_alone = false;
    const Scalars x = typed(region, 1, term);
    for (size_t k = 0; k < parts; ++k) {
      const Real part = decode(x[0].bits[k], type);
      joined[k] = adds ? joined[k] + part : joined[k] * part;
    }
  });
  if (is_alone) return first;
  Scalar result{first.type, {}};
  for (size_t k = 0; k < parts; ++k) result.bits[k] = encode(joined[k], type);
  return result;
}

}  // namespace

Scalars fold_terms(const Computation& region, Scalars first,
                   const EachScalars& terms, ExactFolds exact,
                   Evaluator& evaluator) {
  const size_t count = first.size();
  Scalars joined = typed(region, 0, std::move(first));
  if (is_exact(region, exact)) return {join_exactly(region, joined[0], terms)};
  terms([&](const Scalars& term) {
    joined = apply(region, joined, typed(region, count, term), evaluator);
  });
  return joined;
}

}  // namespace hlo::definition
