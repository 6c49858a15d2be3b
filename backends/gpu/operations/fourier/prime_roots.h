#pragma once

#include <cstdint>
#include <vector>

namespace hlo::gpu {

/// A prime q = 1 modulo an order, between 2^61 and 2^62, and the powers of a
/// root of unity of exactly that order modulo it. Numbers of 64 bits are
/// multiplied by x y 2^-64 (Montgomery 1985), so that factors are kept times
/// 2^64.
struct PrimeRoots {
  uint64_t prime;
  uint64_t negated_inverse;     // -1/q modulo 2^64
  uint64_t square;              // 2^128 modulo q
  std::vector<uint64_t> roots;  // 2^64 times powers 0 to order - 1

  /// With the least such prime above `from`, which is at least 2^61.
  PrimeRoots(uint64_t from, int64_t order);
};

/// Whether a number of 64 bits is a prime.
bool is_prime(uint64_t n);

/// An element of the group of numbers below n without a common factor with n,
/// and how many powers it has.
struct Generator {
  int64_t factor;
  int64_t order;
};

/// Generators of those that are 1 modulo 4, where n is a multiple of 4.
std::vector<Generator> generators_modulo(int64_t n);

}  // namespace hlo::gpu
