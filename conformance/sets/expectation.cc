#include "conformance/sets/expectation.h"

#include <algorithm>
#include <utility>

#include "conformance/literals/literal_bits.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

bool is_nan(uint64_t code, ElementType type) {
  return is_float(type) && numeric::is_nan(code, numeric::format(type));
}

size_t number_of(const ArraySet& set, int64_t i, int part) {
  return static_cast<size_t>(i * components(set.value.type()) + part);
}

void write_out(ArraySet& set) {
  std::vector<ValueSet> sets;
  for (int64_t i = 0; i < set.value.element_count(); ++i) {
    for (int part = 0; part < components(set.value.type()); ++part) {
      sets.push_back(set.at(i, part));
    }
  }
  set.sets = std::move(sets);
}

}  // namespace

ArraySet ArraySet::computed(Literal value) {
  return {.value = std::move(value), .any_nan = true};
}

ArraySet ArraySet::moved(Literal value) { return {.value = std::move(value)}; }

ValueSet ArraySet::at(int64_t i, int part) const {
  if (!sets.empty()) return sets[number_of(*this, i, part)];
  const ElementType type = component_type(value.type());
  const uint64_t code = value.at(i).bits.at(static_cast<size_t>(part));
  ValueSet set = ValueSet::of(code, type);
  if (any_nan && is_nan(code, type)) set.add_quiet_nan();
  return set;
}

ElementSet ArraySet::element(int64_t i) const {
  ElementSet set;
  for (int part = 0; part < components(value.type()); ++part) {
    set.parts.at(static_cast<size_t>(part)) = at(i, part);
  }
  return set;
}

void ArraySet::put(int64_t i, int part, const ValueSet& set) {
  if (sets.empty()) write_out(*this);
  sets[number_of(*this, i, part)] = set;
}

void ArraySet::put(int64_t i, const ElementSet& set) {
  for (int part = 0; part < components(value.type()); ++part) {
    put(i, part, set.parts.at(static_cast<size_t>(part)));
  }
}

bool is_single(const Expectation& set) {
  const auto* array = std::get_if<ArraySet>(&set);
  return array != nullptr &&
         std::ranges::all_of(array->sets, [](const ValueSet& one) {
           return one.is_single() || !one.has_numbers();
         });
}

}  // namespace hlo::conformance
