#include "conformance/expect/sums/expect_scaled.h"

#include <cmath>

#include "conformance/expect/sums/expect_contraction.h"
#include "conformance/expect/sums/expect_fold.h"
#include "conformance/expect/sums/sum_of_terms.h"
#include "conformance/literals/differences.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

/// (1 + u)^4 - 1: each of lhs, rhs and their products with the scales may be
/// rounded. Upward: a bound is no less than it.
double four_roundings(double u) {
  const double two = u * (2 + u);
  return std::nextafter(two * (2 + two), 1.0);
}

}  // namespace

Expectation expect_scaled(const Instruction& dot, Operands operands,
                          const Literal& reference, const Literal* observed,
                          const Profile& profile) {
  ArraySet set = ArraySet::computed(reference);
  if (reference.element_count() == 0 || is_same(reference, observed)) {
    return set;
  }
  const auto& format = numeric::format(reference.type());
  SumErrors errors = sum_errors(profile, operands[0].type());
  errors.products = true;
  errors.of_terms = four_roundings(std::ldexp(1.0, -format.precision()));
  for_each_difference(reference, observed, [&](int64_t i) {
    SumOfTerms terms(operands, reference.type(), false);
    dot.op->terms(dot, operands, delinearize(i, dot.shape.dims),
                  [&](const hlo::Term& term) { terms.add(term); });
    put(set, i, 0, sum_range(terms.sum(), format, errors));
  });
  return set;
}

}  // namespace hlo::conformance
