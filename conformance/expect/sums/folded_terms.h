#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {

/// The terms of each element of a result, which a region joins in any order.
struct FoldedTerms {
  using Visit = std::function<void(size_t source, int64_t position)>;
  /// Calls visit with each term of the result's element at a position.
  std::function<void(int64_t, const Visit&)> each;
  std::vector<const Literal*> sources;     // the terms lie in these
  ElementType region = ElementType::kF32;  // all that it computes has it

  /// The number of a term, or of a part of a complex one.
  double number(size_t source, int64_t position, int part) const {
    const Literal& literal = *sources[source];
    return numeric::decode(literal.at(position).bits[static_cast<size_t>(part)],
                           numeric::format(component_type(literal.type())));
  }
};

}  // namespace hlo::conformance
