#include "conformance/sets/component_range.h"

#include "conformance/literals/literal_bits.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {

ValueSet set_of(const ComponentRange& range, ElementType type) {
  const auto is_open = [&](uint64_t code) {
    return is_float(type) && numeric::is_nan(code, numeric::format(type));
  };
  ValueSet set;
  const bool no_low = is_open(range.low);
  const bool no_high = is_open(range.high);
  const bool is_nan = is_open(range.value);
  const bool is_only_nan = is_nan && no_low && no_high && !range.empty;
  if (!is_only_nan) {
    set.add({no_low ? least_place(type) : place_of(range.low, type),
             no_high ? greatest_place(type) : place_of(range.high, type)});
  }
  set.add(ValueSet::of(range.value, type));
  if (range.below) set.add({least_place(type), least_place(type)});
  if (range.above) set.add({greatest_place(type), greatest_place(type)});
  if (range.nan || no_low || no_high || is_nan) set.add_quiet_nan();
  return set;
}

void put(ArraySet& set, int64_t i, int part,
         std::span<const ComponentRange> ranges) {
  const ElementType type = set.value.type();
  const uint64_t code = set.value.at(i).bits.at(static_cast<size_t>(part));
  ValueSet admitted;
  bool is_empty = false;
  for (const ComponentRange& range : ranges) {
    admitted.add(set_of(range, component_type(type)));
    is_empty = is_empty || range.empty;
  }
  admitted.add(
      set_of({.value = code, .low = code, .high = code}, component_type(type)));
  set.put(i, part, admitted);
  if (!is_empty) return;
  set.empty_bounds.resize(set.sets.size(), false);
  set.empty_bounds[static_cast<size_t>(i * components(type) + part)] = true;
}

void put(ArraySet& set, int64_t i, int part, const ComponentRange& range) {
  put(set, i, part, std::span(&range, 1));
}

}  // namespace hlo::conformance
