#include "conformance/sets/component_range.h"

#include <utility>

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

void BoundedSet::add(const ComponentRange& range, ElementType type,
                     ElementType as) {
  set.add(converted(set_of(range, type), type, as));
  empty = empty || range.empty;
}

ValueSet converted(const ValueSet& set, ElementType type, ElementType to) {
  if (type == to) return set;
  const numeric::FloatFormat& format = numeric::format(to);
  const auto convert = [&](Place place) {
    return numeric::decode(code_at(place, type), numeric::format(type));
  };
  ValueSet all;
  for (const Places& range : set.ranges()) {
    const double least = convert(range.low);
    const double greatest = convert(range.high);
    const uint64_t low = numeric::encode(least, format);
    const uint64_t high = numeric::encode(greatest, format);
    const bool no_low = numeric::is_nan(low, format);
    const bool no_high = numeric::is_nan(high, format);
    if (no_low || no_high) all.add_quiet_nan();
    // Ends that are NaN both may have all numbers between them, or none.
    if (no_low && no_high && !(least <= 0 && greatest > 0)) continue;
    all.add({no_low ? least_place(to) : place_of(low, to),
             no_high ? greatest_place(to) : place_of(high, to)});
  }
  if (!set.has_nan()) return all;
  if (format.has_nan()) {
    all.add_quiet_nan();
  } else {
    all.add({zero_place(true, to), zero_place(false, to)});
  }
  return all;
}

void put(ArraySet& set, int64_t i, int part, BoundedSet admitted) {
  const ElementType type = set.value.type();
  const uint64_t code = set.value.at(i).bits.at(static_cast<size_t>(part));
  admitted.set.add(
      set_of({.value = code, .low = code, .high = code}, component_type(type)));
  set.put(i, part, admitted.set);
  if (!admitted.empty) return;
  set.empty_bounds.resize(set.sets.size(), false);
  set.empty_bounds[static_cast<size_t>(i * components(type) + part)] = true;
}

void put(ArraySet& set, int64_t i, int part,
         std::span<const ComponentRange> ranges) {
  const ElementType type = component_type(set.value.type());
  BoundedSet admitted;
  for (const ComponentRange& range : ranges) admitted.add(range, type, type);
  put(set, i, part, std::move(admitted));
}

void put(ArraySet& set, int64_t i, int part, const ComponentRange& range) {
  put(set, i, part, std::span(&range, 1));
}

}  // namespace hlo::conformance
