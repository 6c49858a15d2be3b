#include "conformance/expect/sums/folded_sums.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conformance/literals/literal_bits.h"
#include "conformance/sets/sum_class.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

double unit(ElementType type) {
  return std::ldexp(1.0, -numeric::format(type).precision());
}

/// The smallest subnormal number.
double least_of(ElementType type) {
  const FloatFormat& format = numeric::format(type);
  return std::ldexp(1.0, format.min_exponent() - format.mantissa_bits);
}

constexpr uint64_t bit_of(size_t source) {
  return source < 64 ? uint64_t{1} << source : 0;
}

}  // namespace

FoldedSums::FoldedSums(const FoldedTerms& terms, ElementType result,
                       const Profile& profile)
    : terms_(terms),
      profile_(profile),
      region_(component_type(terms.region)),
      result_(component_type(result)),
      quantum_(std::numeric_limits<int>::max()) {
  for (const Literal* source : terms.sources) {
    quantum_ = std::min(quantum_, quantum(*source));
  }
}

BoundedSet FoldedSums::at(int64_t i, int part) const {
  BoundedSet all;
  const auto add = [&](ElementType kept, ElementType taken) {
    const Sum converted = sum(i, part, taken, 0);
    all.add(range(converted, kept), kept, result_);
    // All sets of sources whose terms may stay as they are.
    for (uint64_t own = converted.far; own != 0;
         own = (own - 1) & converted.far) {
      all.add(range(sum(i, part, taken, own), kept), kept, result_);
    }
  };
  add(region_, region_);
  if (region_ == result_) return all;
  add(result_, result_);
  add(result_, region_);
  return all;
}

FoldedSums::Sum FoldedSums::sum(int64_t i, int part, ElementType taken,
                                uint64_t own) const {
  const FloatFormat& format = numeric::format(taken);
  Sum sum;
  terms_.each(i, [&](size_t source, int64_t position) {
    const double term = terms_.number(source, position, part);
    if (component_type(terms_.sources[source]->type()) == taken) {
      sum.sum.add(term);
      return;
    }
    const double converted =
        numeric::decode(numeric::encode(term, format), format);
    const bool far = is_far(term, converted, format);
    if (far) sum.far |= bit_of(source);
    const bool is_own = !far || (own & bit_of(source)) != 0;
    sum.keeps_far = sum.keeps_far || (far && is_own);
    sum.as_they_are = sum.as_they_are && is_own;
    sum.sum.add(is_own ? term : converted);
  });
  return sum;
}

bool FoldedSums::is_exact(const Sum& sum, ElementType kept) const {
  const auto is_in = [&](ElementType type) {
    const FloatFormat& format = numeric::format(type);
    return is_exact_class(sum.sum, quantum_, format) &&
           may_be_exact(profile_, quantum_, format);
  };
  return sum.as_they_are && is_in(kept) && is_in(region_);
}

ComponentRange FoldedSums::range(const Sum& sum, ElementType kept) const {
  SumErrors errors = sum_errors(profile_, kept);
  errors.unit = unit(region_);
  for (const Literal* source : terms_.sources) {
    errors.of_terms =
        std::max({errors.of_terms, conversion_error(source->type(), kept),
                  conversion_error(source->type(), region_)});
  }
  if (sum.keeps_far) {
    const double smallest = std::max(least_of(region_), least_of(kept));
    errors.of_subnormal_terms = static_cast<double>(sum.sum.terms()) * smallest;
  }
  errors.exact = errors.of_terms == 0 && is_exact(sum, kept);
  return sum_range(sum.sum, numeric::format(kept), errors);
}

}  // namespace hlo::conformance
