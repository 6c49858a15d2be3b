#include "backends/gpu/operations/fourier/prime_roots.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace hlo::gpu {
namespace {

__extension__ using TwoWords = unsigned __int128;

uint64_t product(uint64_t a, uint64_t b, uint64_t modulus) {
  return static_cast<uint64_t>(TwoWords{a} * b % modulus);
}

uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus) {
  uint64_t result = 1 % modulus;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = product(result, base, modulus);
    base = product(base, base, modulus);
  }
  return result;
}

std::vector<uint64_t> prime_factors(uint64_t n) {
  std::vector<uint64_t> factors;
  for (uint64_t p = 2; n > 1; ++p) {
    if (p * p > n) p = n;
    if (n % p == 0) factors.push_back(p);
    while (n % p == 0) n /= p;
  }
  return factors;
}

/// Whether base^count = 1, and no power below that of a divisor of count is.
bool has_order(uint64_t base, uint64_t count, uint64_t modulus) {
  if (power(base, count, modulus) != 1) return false;
  return std::ranges::all_of(prime_factors(count), [&](uint64_t factor) {
    return power(base, count / factor, modulus) != 1;
  });
}

uint64_t root_of_order(uint64_t order, uint64_t prime) {
  for (uint64_t base = 2;; ++base) {
    const uint64_t root = power(base, (prime - 1) / order, prime);
    if (has_order(root, order, prime)) return root;
  }
}

/// Whether n, odd, may be a prime for all that powers of the base tell (Miller
/// and Rabin).
bool may_be_prime(uint64_t n, uint64_t base) {
  const int twos = std::countr_zero(n - 1);
  uint64_t x = power(base % n, (n - 1) >> twos, n);
  if (x <= 1) return true;
  for (int k = 0; k < twos; ++k) {
    if (x == n - 1) return true;
    x = product(x, x, n);
  }
  return false;
}

/// The number below p^k m that is `x` modulo p^k and 1 modulo m.
uint64_t lifted(uint64_t x, uint64_t prime_power, uint64_t m) {
  const uint64_t n = prime_power * m;
  for (uint64_t y = 1 % n;; y += m) {
    if (y % prime_power == x % prime_power) return y % n;
  }
}

}  // namespace

// The first twelve primes tell for all n < 2^64 (Sorenson and Webster 2015).
bool is_prime(uint64_t n) {
  constexpr std::array<uint64_t, 12> kBases = {2,  3,  5,  7,  11, 13,
                                               17, 19, 23, 29, 31, 37};
  if (n < 2) return false;
  for (const uint64_t base : kBases) {
    if (n == base) return true;
    if (n % base == 0 || !may_be_prime(n, base)) return false;
  }
  return true;
}

PrimeRoots::PrimeRoots(uint64_t from, int64_t order) {
  const auto n = static_cast<uint64_t>(order);
  prime = from / n * n + 1;
  do {
    prime += n;
  } while (!is_prime(prime));
  uint64_t inverse = prime;  // right in 3 bits, in twice as many at each step
  for (int k = 0; k < 5; ++k) inverse *= 2 - prime * inverse;
  negated_inverse = 0 - inverse;
  const auto one = static_cast<uint64_t>((TwoWords{1} << 64) % prime);
  square = product(one, one, prime);
  const uint64_t root = root_of_order(n, prime);
  uint64_t next = one;
  for (uint64_t k = 0; k < n; ++k) {
    roots.push_back(next);
    next = product(next, root, prime);
  }
}

std::vector<Generator> generators_modulo(int64_t n) {
  const auto all = static_cast<uint64_t>(n);
  std::vector<Generator> generators;
  for (const uint64_t p : prime_factors(all)) {
    uint64_t prime_power = 1;
    while (all / prime_power % p == 0) prime_power *= p;
    const uint64_t rest = all / prime_power;
    if (p == 2) {
      // Those of 1 modulo 4 are the powers of 5.
      if (prime_power > 4) {
        generators.push_back(
            {static_cast<int64_t>(lifted(5, prime_power, rest)),
             static_cast<int64_t>(prime_power / 4)});
      }
      continue;
    }
    const uint64_t count = prime_power / p * (p - 1);
    uint64_t g = 2;
    while (!has_order(g, count, prime_power)) ++g;
    generators.push_back({static_cast<int64_t>(lifted(g, prime_power, rest)),
                          static_cast<int64_t>(count)});
  }
  return generators;
}

}  // namespace hlo::gpu
