#include "interpreter/plans/fourier/fourier_radix.h"

namespace hlo {

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

}  // namespace hlo
