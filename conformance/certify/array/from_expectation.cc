#include "conformance/certify/array/from_expectation.h"

#include <algorithm>

#include "conformance/literals/literal_bits.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

bool is_nan(uint64_t code, ElementType type) {
  return is_float(type) && numeric::is_nan(code, numeric::format(type));
}

bool has_nan(const Literal& literal) {
  const ElementType part = component_type(literal.type());
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const Scalar element = literal.at(i);
    for (int k = 0; k < components(literal.type()); ++k) {
      if (is_nan(element.bits[static_cast<size_t>(k)], part)) return true;
    }
  }
  return false;
}

template <typename SetOf>
SetArray each(const Literal& nominal, const SetOf& set_of) {
  SetArray array;
  array.nominal = nominal;
  for (int64_t i = 0; i < nominal.element_count(); ++i) {
    array.sets.push_back(set_of(i));
  }
  return simplified(std::move(array));
}

SetArray convert(const BitsSet& set, const Literal& nominal) {
  if (!set.any_nan || !has_nan(nominal)) return SetArray::known(nominal);
  if (is_complex(nominal.type())) {
    return SetArray::nothing(nominal, "a complex value may be any NaN");
  }
  return each(nominal, [&](int64_t i) {
    const uint64_t code = nominal.at(i).bits[0];
    return is_nan(code, nominal.type()) ? ValueSet::any_quiet_nan()
                                        : ValueSet::of(code, nominal.type());
  });
}

SetArray convert(const IntervalSet& set, const Literal& nominal) {
  const ElementType type = nominal.type();
  if (is_complex(type)) {
    return SetArray::nothing(nominal, "complex values differ");
  }
  return each(nominal, [&](int64_t i) {
    const uint64_t low = set.low.at(i).bits[0];
    const uint64_t high = set.high.at(i).bits[0];
    const bool no_low = is_nan(low, type);
    const bool no_high = is_nan(high, type);
    if (no_low && no_high) return ValueSet::any_quiet_nan();
    ValueSet found =
        ValueSet::range(no_low ? least_place(type) : place_of(low, type),
                        no_high ? greatest_place(type) : place_of(high, type));
    const bool nan = !set.nans.empty() && set.nans[static_cast<size_t>(i)];
    if (no_low || no_high || nan) found.add_quiet_nan();
    return found;
  });
}

SetArray convert(const AllowedSet& set, const Literal& nominal) {
  if (is_complex(nominal.type())) {
    return SetArray::nothing(nominal, "complex values differ");
  }
  return each(nominal, [&](int64_t i) {
    const auto found = set.elements.find(i);
    return found == set.elements.end()
               ? ValueSet::of(nominal.at(i).bits[0], nominal.type())
               : found->second.parts[0];
  });
}

/// Real functions come here only with complex results.
SetArray convert(const RoundedSet&, const Literal& nominal) {
  return SetArray::nothing(nominal, "complex values differ");
}

SetArray convert(const RejectedSet& set, const Literal& nominal) {
  return SetArray::nothing(nominal, "it violates " + set.rule);
}

SetArray convert(const UnspecifiedSet& set, const Literal& nominal) {
  return SetArray::nothing(nominal, set.reason);
}

}  // namespace

SetArray from_expectation(const Expectation& set, const Literal& nominal) {
  return std::visit([&](const auto& s) { return convert(s, nominal); }, set);
}

}  // namespace hlo::conformance
