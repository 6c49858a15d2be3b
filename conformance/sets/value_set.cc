#include "conformance/sets/value_set.h"

#include <algorithm>
#include <limits>

#include "conformance/literals/describe_scalar.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

/// Sign-extended where the type is signed.
int64_t integer_value(uint64_t code, ElementType type) {
  const int unused = 64 - bits(type);
  if (!is_signed(type)) return static_cast<int64_t>(code);
  return static_cast<int64_t>(code << unused) >> unused;
}

uint64_t low_bits(uint64_t value, ElementType type) {
  return bits(type) == 64 ? value : value & ((uint64_t{1} << bits(type)) - 1);
}

constexpr uint64_t kTop = uint64_t{1} << 63;

/// How many values lie between two ranges.
uint64_t gap(const Places& lower, const Places& upper) {
  return static_cast<uint64_t>(upper.low) - static_cast<uint64_t>(lower.high);
}

bool touches(const Places& lower, const Places& upper) {
  return upper.low <= lower.high || gap(lower, upper) <= 1;
}

}  // namespace

Place place_of(uint64_t code, ElementType type) {
  if (type == ElementType::kU64) return static_cast<Place>(code ^ kTop);
  if (!is_float(type)) return integer_value(code, type);
  const FloatFormat& format = numeric::format(type);
  const int64_t ordinal = numeric::ordinal(code, format);
  const bool negative =
      format.has_negative_zero() && numeric::sign_bit(code, format);
  return negative ? ordinal - 1 : ordinal;
}

uint64_t code_at(Place place, ElementType type) {
  if (type == ElementType::kU64) return static_cast<uint64_t>(place) ^ kTop;
  if (!is_float(type)) return low_bits(static_cast<uint64_t>(place), type);
  const FloatFormat& format = numeric::format(type);
  if (!format.has_negative_zero()) {
    return numeric::from_ordinal(place, format).value();
  }
  if (place == -1) return format.sign_mask();
  return numeric::from_ordinal(place < 0 ? place + 1 : place, format).value();
}

Place negated(Place place, ElementType type) {
  return numeric::format(type).has_negative_zero() ? -1 - place : -place;
}

Place zero_place(bool negative, ElementType type) {
  const bool has_two =
      is_float(type) && numeric::format(type).has_negative_zero();
  return negative && has_two ? -1 : 0;
}

Place least_place(ElementType type) {
  constexpr Place kLeast = std::numeric_limits<Place>::min();
  if (is_signed(type)) return kLeast >> (64 - bits(type));
  if (type == ElementType::kU64) return kLeast;
  if (!is_float(type)) return 0;
  const FloatFormat& format = numeric::format(type);
  if (format.sign_mask() == 0) return place_of(0, type);
  return negated(greatest_place(type), type);
}

Place greatest_place(ElementType type) {
  if (is_float(type)) {
    const FloatFormat& format = numeric::format(type);
    return place_of(
        format.has_infinity() ? format.infinity() : format.max_finite(), type);
  }
  if (is_signed(type)) return ~least_place(type);
  return place_of(low_bits(~uint64_t{0}, type), type);
}

ValueSet ValueSet::of(uint64_t code, ElementType type) {
  ValueSet set;
  if (is_float(type) && numeric::is_nan(code, numeric::format(type))) {
    set.add_nan_code(code, type);
  } else {
    const Place place = place_of(code, type);
    set.add(Places{place, place});
  }
  return set;
}

ValueSet ValueSet::range(Place low, Place high) {
  ValueSet set;
  set.add(Places{low, high});
  return set;
}

ValueSet ValueSet::any_quiet_nan() {
  ValueSet set;
  set.add_quiet_nan();
  return set;
}

ValueSet ValueSet::everything(ElementType type) {
  ValueSet set = range(least_place(type), greatest_place(type));
  if (is_float(type) && numeric::format(type).has_nan()) set.add_quiet_nan();
  return set;
}

void ValueSet::join_nearest(std::span<Places> sorted, size_t count) {
  // Ranges that touch are one; then the nearest two, until they fit.
  while (count > 1) {
    size_t best = 0;
    for (size_t k = 0; k + 1 < count; ++k) {
      if (touches(sorted[k], sorted[k + 1])) {
        best = k;
        break;
      }
      if (gap(sorted[k], sorted[k + 1]) < gap(sorted[best], sorted[best + 1])) {
        best = k;
      }
    }
    if (count <= kMost && !touches(sorted[best], sorted[best + 1])) break;
    sorted[best].high = std::max(sorted[best].high, sorted[best + 1].high);
    std::copy(sorted.begin() + static_cast<std::ptrdiff_t>(best) + 2,
              sorted.begin() + static_cast<std::ptrdiff_t>(count),
              sorted.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    --count;
  }
  count_ = static_cast<uint8_t>(count);
  std::copy_n(sorted.begin(), count, ranges_.begin());
  std::fill(ranges_.begin() + count_, ranges_.end(), Places{});
}

void ValueSet::add(const Places& range) {
  std::array<Places, kMost + 1> sorted{};
  size_t count = 0;
  bool placed = false;
  for (const Places& old : ranges()) {
    if (!placed && range.low < old.low) {
      sorted.at(count++) = range;
      placed = true;
    }
    sorted.at(count++) = old;
  }
  if (!placed) sorted.at(count++) = range;
  join_nearest(sorted, count);
}

void ValueSet::add_quiet_nan() {
  quiet_nan_ = true;
  auto* const end = std::remove_if(nans_.begin(), nans_.begin() + nan_count_,
                                   [](const Nan& nan) { return nan.is_quiet; });
  nan_count_ = static_cast<uint8_t>(end - nans_.begin());
  std::fill(end, nans_.end(), Nan{});
}

void ValueSet::add_any_nan() {
  quiet_nan_ = any_nan_ = true;
  nans_ = {};
  nan_count_ = 0;
}

void ValueSet::add_nan_code(uint64_t code, ElementType type) {
  add_nan(
      {.code = code,
       .is_quiet = !numeric::is_signaling_nan(code, numeric::format(type))});
}

void ValueSet::add_nan(const Nan& nan) {
  if (any_nan_ || (quiet_nan_ && nan.is_quiet)) return;
  auto* const end = nans_.begin() + nan_count_;
  if (std::find(nans_.begin(), end, nan) != end) return;
  if (nan_count_ == kMostNans) {
    // One is left out for all of its kind.
    return nan.is_quiet ? add_quiet_nan() : add_any_nan();
  }
  auto* const place = std::find_if(
      nans_.begin(), end, [&](const Nan& x) { return x.code > nan.code; });
  std::copy_backward(place, end, end + 1);
  *place = nan;
  ++nan_count_;
}

void ValueSet::add(const ValueSet& other) {
  for (const Places& range : other.ranges()) add(range);
  if (other.quiet_nan_) add_quiet_nan();
  if (other.any_nan_) add_any_nan();
  for (const Nan& nan : other.nan_codes()) add_nan(nan);
}

bool ValueSet::contains(uint64_t code, ElementType type) const {
  if (is_float(type) && numeric::is_nan(code, numeric::format(type))) {
    if (any_nan_) return true;
    const bool is_quiet =
        !numeric::is_signaling_nan(code, numeric::format(type));
    return (quiet_nan_ && is_quiet) ||
           std::ranges::find(nan_codes(), code, &Nan::code) !=
               nan_codes().end();
  }
  const Place place = place_of(code, type);
  return std::ranges::any_of(ranges(), [&](const Places& range) {
    return range.low <= place && place <= range.high;
  });
}

std::optional<uint64_t> ValueSet::only_nan() const {
  if (nan_count_ != 1 || quiet_nan_) return std::nullopt;
  return nans_[0].code;
}

bool ValueSet::is_single() const {
  if (has_nan()) return only_nan() && count_ == 0;
  return count_ == 1 && ranges_[0].low == ranges_[0].high;
}

ValueSet ValueSet::numbers() const {
  ValueSet set;
  for (const Places& range : ranges()) set.add(range);
  return set;
}

ValueSet ValueSet::nans() const {
  ValueSet set = *this;
  set.count_ = 0;
  set.ranges_ = {};
  return set;
}

std::string describe(const ValueSet& set, ElementType type) {
  const auto of_code = [&](uint64_t code) {
    return describe(Scalar{.type = type, .bits = {code, 0}});
  };
  const auto text = [&](Place place) { return of_code(code_at(place, type)); };
  std::string words;
  const auto add = [&](const std::string& part) {
    words += (words.empty() ? "" : ", or ") + part;
  };
  for (const Places& range : set.ranges()) {
    add(range.low == range.high
            ? text(range.low)
            : "from " + text(range.low) + " to " + text(range.high));
  }
  if (set.has_quiet_nans()) {
    add(set.has_all_nans() ? "any NaN" : "any quiet NaN");
  }
  for (const ValueSet::Nan& nan : set.nan_codes()) add(of_code(nan.code));
  return words.empty() ? "nothing" : words;
}

ElementSet ElementSet::of(const Scalar& value) {
  ElementSet set;
  const ElementType part = component_type(value.type);
  set.parts[0] = ValueSet::of(value.bits[0], part);
  if (is_complex(value.type)) {
    set.parts[1] = ValueSet::of(value.bits[1], part);
  }
  return set;
}

ElementSet ElementSet::everything(ElementType type) {
  ElementSet set;
  set.parts[0] = ValueSet::everything(component_type(type));
  if (is_complex(type)) set.parts[1] = set.parts[0];
  return set;
}

void ElementSet::add(const ElementSet& other) {
  for (size_t k = 0; k < parts.size(); ++k) parts.at(k).add(other.parts.at(k));
}

bool ElementSet::contains(const Scalar& value) const {
  const ElementType part = component_type(value.type);
  return parts[0].contains(value.bits[0], part) &&
         (!is_complex(value.type) || parts[1].contains(value.bits[1], part));
}

bool ElementSet::is_single(ElementType type) const {
  return parts[0].is_single() && (!is_complex(type) || parts[1].is_single());
}

std::string describe(const ElementSet& set, ElementType type) {
  const ElementType part = component_type(type);
  if (!is_complex(type)) return describe(set.parts[0], part);
  return "real part " + describe(set.parts[0], part) + ", imaginary part " +
         describe(set.parts[1], part);
}

}  // namespace hlo::conformance
