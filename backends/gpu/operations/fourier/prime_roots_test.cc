#include "backends/gpu/operations/fourier/prime_roots.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "backends/gpu/operations/fourier/device_transform.h"

namespace hlo::gpu {
namespace {

// 2^61 - 1 and the largest prime of 64 bits are primes; 3215031751 deceives the
// bases 2, 3, 5 and 7, and 3825123056546413051 those up to 23.
TEST(PrimeRoots, TellsPrimes) {
  for (const uint64_t prime :
       {uint64_t{2}, uint64_t{37}, uint64_t{41}, (uint64_t{1} << 61) - 1,
        uint64_t{18446744073709551557U}}) {
    EXPECT_TRUE(is_prime(prime)) << prime;
  }
  for (const uint64_t other :
       {uint64_t{0}, uint64_t{1}, uint64_t{4}, uint64_t{1369},
        uint64_t{3215031751}, uint64_t{3825123056546413051},
        uint64_t{18446744073709551615U}}) {
    EXPECT_FALSE(is_prime(other)) << other;
  }
}

uint64_t times(uint64_t a, uint64_t b, uint64_t prime) {
  __extension__ using TwoWords = unsigned __int128;
  return static_cast<uint64_t>(TwoWords{a} * b % prime);
}

// Times 2^64, so that a product has that factor twice.
TEST(PrimeRoots, AreOfExactlyTheirOrder) {
  for (const int64_t order : {4, 12, 20, 360}) {
    const PrimeRoots own(uint64_t{1} << 61, order);
    EXPECT_TRUE(is_prime(own.prime));
    EXPECT_EQ(own.prime % static_cast<uint64_t>(order), 1U);
    EXPECT_EQ(own.prime * own.negated_inverse + 1, 0U);
    const uint64_t one = own.roots[0];
    EXPECT_EQ(own.square, times(one, one, own.prime));
    ASSERT_EQ(std::ssize(own.roots), order);
    EXPECT_EQ(std::ranges::count(own.roots, one), 1) << "roots repeat";
    for (size_t k = 0; k < own.roots.size(); ++k) {
      EXPECT_EQ(times(own.roots[k], own.roots[1], own.prime),
                times(own.roots[(k + 1) % own.roots.size()], one, own.prime));
    }
  }
}

// All products of powers of the generators, by closing the set.
std::set<int64_t> generated(int64_t n) {
  std::set<int64_t> group = {1};
  for (size_t before = 0; before != group.size();) {
    before = group.size();
    for (const Generator& generator : generators_modulo(n)) {
      for (const int64_t a : std::set<int64_t>(group)) {
        group.insert(a * generator.factor % n);
      }
    }
  }
  return group;
}

TEST(PrimeRoots, GenerateTheGroupThatLeavesQuarterTurnsAlone) {
  for (const int64_t n : {4, 8, 16, 12, 20, 36, 60, 72, 100, 840, 4 * 47 * 3}) {
    std::set<int64_t> expected;
    for (int64_t a = 1; a < n; a += 4) {
      if (std::gcd(a, n) == 1) expected.insert(a);
    }
    EXPECT_EQ(generated(n), expected) << n;
  }
}

TEST(PrimeRoots, HaveGeneratorsOfThoseOrders) {
  for (const int64_t n : {16, 60, 100, 72}) {
    for (const auto& [factor, order] : generators_modulo(n)) {
      int64_t power = 1;
      for (int64_t k = 1; k <= order; ++k) {
        power = power * factor % n;
        EXPECT_EQ(power == 1, k == order) << factor << " modulo " << n;
      }
    }
  }
}

TEST(Transform, StepsByPrimesAndFours) {
  EXPECT_EQ(radices(1), Ints{});
  EXPECT_EQ(radices(2), Ints{2});
  EXPECT_EQ(radices(30240), (Ints{4, 4, 2, 3, 3, 3, 5, 7}));
  EXPECT_EQ(radices(1009 * 1009), (Ints{1009, 1009}));
}

}  // namespace
}  // namespace hlo::gpu
