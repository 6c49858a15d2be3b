#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// The place of a code in the order of a type's values, neighbours 1 apart.
/// Floats: -inf ... -0, +0 ... +inf, +0 being at 0; NaNs have none, nor has -0
/// where the format lacks it. Integers and pred: their value; u64 begins at
/// INT64_MIN.
using Place = int64_t;

Place place_of(uint64_t code, ElementType type);
/// The code at a place that has one.
uint64_t code_at(Place place, ElementType type);
/// The place of a float's number with the other sign, which the format has.
Place negated(Place place, ElementType type);
/// The place of the zero of that sign; of the only zero where there is one.
Place zero_place(bool negative, ElementType type);
/// The places of the least and the greatest value, infinities included.
Place least_place(ElementType type);
Place greatest_place(ElementType type);

/// The values from low to high.
struct Places {
  Place low = 0;
  Place high = 0;
  friend bool operator==(const Places&, const Places&) = default;
};

/// How many places lie between the ends, which may be all of 64 bits.
inline uint64_t distance(const Places& range) {
  return static_cast<uint64_t>(range.high) - static_cast<uint64_t>(range.low);
}

/// The place that lies so many above the low end, up to the high one.
inline Place place_above(const Places& range, uint64_t distance) {
  return static_cast<Place>(static_cast<uint64_t>(range.low) + distance);
}

/// What a component of an element may be: a union of at most kMost ranges of
/// values, in order and apart from each other, and NaNs. Where more ranges are
/// added, the nearest ones are joined, which adds what lies between them.
class ValueSet {
 public:
  static constexpr size_t kMost = 4;
  /// So many NaNs are told apart, one for each operand; more are any.
  static constexpr size_t kMostNans = 3;

  struct Nan {
    uint64_t code = 0;
    bool is_quiet = false;
    friend bool operator==(const Nan&, const Nan&) = default;
  };

  ValueSet() = default;
  /// The one code; a NaN means exactly this one.
  static ValueSet of(uint64_t code, ElementType type);
  static ValueSet range(Place low, Place high);
  static ValueSet any_quiet_nan();
  /// Every value of the type, and every quiet NaN if it has any.
  static ValueSet everything(ElementType type);

  void add(const Places& range);

  void add_quiet_nan();
  void add_any_nan();
  /// Adds one NaN of that type.
  void add_nan_code(uint64_t code, ElementType type);
  void add(const ValueSet& other);

  bool contains(uint64_t code, ElementType type) const;

  std::span<const Places> ranges() const { return {ranges_.data(), count_}; }

  bool has_numbers() const { return count_ > 0; }

  /// The NaNs in it one by one, by their codes; has_quiet_nans() and
  /// has_all_nans() have others.
  std::span<const Nan> nan_codes() const { return {nans_.data(), nan_count_}; }

  bool has_quiet_nans() const { return quiet_nan_; }

  bool has_all_nans() const { return any_nan_; }

  /// Whether any NaN is in it.
  bool has_nan() const { return quiet_nan_ || nan_count_ > 0; }

  /// The only NaN in it; nothing where there is none, or are more.
  std::optional<uint64_t> only_nan() const;

  /// Whether it is one code.
  bool is_single() const;

  /// The least of the numbers, as high() is the greatest; has_numbers() only.
  Place low() const { return ranges_[0].low; }

  Place high() const { return ranges_[count_ - 1].high; }

  /// The set without its NaNs, or without its numbers.
  ValueSet numbers() const;
  ValueSet nans() const;

  friend bool operator==(const ValueSet&, const ValueSet&) = default;

 private:
  void join_nearest(std::span<Places> sorted, size_t count);
  void add_nan(const Nan& nan);

  std::array<Places, kMost> ranges_{};
  std::array<Nan, kMostNans> nans_{};  // by their codes, what flags lack
  uint8_t count_ = 0;
  uint8_t nan_count_ = 0;
  bool quiet_nan_ = false;  // all quiet ones
  bool any_nan_ = false;    // and all signaling ones
};

/// "from -1 = -0x1p+0 (bits bf800000) to ..., or any quiet NaN".
std::string describe(const ValueSet& set, ElementType type);

/// The sets of an element's components: real and imaginary part, or the one.
struct ElementSet {
  std::array<ValueSet, 2> parts;

  static ElementSet of(const Scalar& value);
  static ElementSet everything(ElementType type);
  void add(const ElementSet& other);
  bool contains(const Scalar& value) const;
  bool is_single(ElementType type) const;
  friend bool operator==(const ElementSet&, const ElementSet&) = default;
};

std::string describe(const ElementSet& set, ElementType type);

}  // namespace hlo::conformance
