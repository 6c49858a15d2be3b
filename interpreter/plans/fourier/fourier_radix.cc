#include "interpreter/plans/fourier/fourier_radix.h"

#include <algorithm>
#include <bit>

namespace hlo {
namespace {

__extension__ using Wide = unsigned __int128;

int64_t multiply(int64_t a, int64_t b, int64_t prime) {
  return static_cast<int64_t>(static_cast<Wide>(a) * static_cast<Wide>(b) %
                              static_cast<Wide>(prime));
}

int64_t power(int64_t base, int64_t exponent, int64_t prime) {
  int64_t result = 1;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0) result = multiply(result, base, prime);
    base = multiply(base, base, prime);
  }
  return result;
}

int64_t primitive_root(int64_t prime) {
  const std::vector<int64_t> factors = radices(prime - 1);
  const auto is_primitive = [&](int64_t g) {
    return std::ranges::none_of(factors, [&](int64_t factor) {
      const int64_t divisor = factor == 4 ? 2 : factor;
      return power(g, (prime - 1) / divisor, prime) == 1;
    });
  };
  int64_t g = 1;
  while (!is_primitive(g)) ++g;
  return g;
}

}  // namespace

std::vector<int64_t> radices(int64_t n) {
  std::vector<int64_t> found;
  while (n % 4 == 0) {
    found.push_back(4);
    n /= 4;
  }
  for (int64_t p = 2; n > 1; ++p) {
    if (p * p > n) p = n;
    while (n % p == 0) {
      found.push_back(p);
      n /= p;
    }
  }
  return found;
}

int64_t convolution_length(int64_t prime) {
  const auto n = static_cast<uint64_t>(prime - 1);
  // Else zeros keep the terms of a long convolution from those of a short one.
  const uint64_t length = std::has_single_bit(n) ? n : 2 * n - 1;
  return static_cast<int64_t>(std::bit_ceil(length));
}

std::vector<int64_t> powers_of_root(int64_t prime) {
  const int64_t root = primitive_root(prime);
  std::vector<int64_t> powers = {1};
  while (std::ssize(powers) < prime - 1) {
    powers.push_back(multiply(powers.back(), root, prime));
  }
  return powers;
}

}  // namespace hlo
