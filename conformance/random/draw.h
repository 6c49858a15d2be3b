#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// A stream of random choices that is the same on every machine: Philox of a
/// seed.
class Draw {
 public:
  explicit Draw(uint64_t seed) : seed_(seed) {}

  uint64_t bits();
  /// An integer of [low, high].
  int64_t between(int64_t low, int64_t high);

  bool one_in(int64_t n) { return between(1, n) == 1; }

  template <typename Range>
  const auto& of(const Range& range) {
    return range[static_cast<size_t>(
        between(0, static_cast<int64_t>(range.size()) - 1))];
  }

  /// The integers [0, n) in any order.
  std::vector<int64_t> permutation(int64_t n);
  /// Some of the integers [0, n), in order.
  std::vector<int64_t> subset(int64_t n);
  /// As many different ones of [0, n) as asked for, in any order.
  std::vector<int64_t> distinct(int64_t n, int64_t count);
  /// Any element type; those that programs use most come most.
  ElementType type();
  /// Few dimensions, most of them short; some are 0, and rarely one is long.
  std::vector<int64_t> dims();
  /// Elements of one style: small integers, any codes, infinities and NaNs,
  /// subnormals, zeros of both signs. Tuples have elements of their own.
  Literal literal(const Shape& shape);

 private:
  uint64_t code(ElementType type, int64_t style);

  uint64_t seed_;
  std::array<uint64_t, 2> counter_ = {};
};

}  // namespace hlo::conformance
