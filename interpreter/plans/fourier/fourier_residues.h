#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/numeric/real/mpfr_real.h"
#include "interpreter/plans/fourier/fourier_input.h"

namespace hlo {

/// The sums of a transform modulo several primes, which say whether a part of
/// a sum is exactly a given number: Galois theory in place of more and more
/// digits.
///
/// Let M be a common multiple of 4 and all lengths, Z the ring of the integers
/// of the M-th cyclotomic field, and the input integers times 2^unit. Then
/// w = 2 Re(sum j) 2^-unit - R is in Z for an integer R. A prime q = 1 mod M
/// is the product of prime ideals P_a, one for each a prime to M, and w is
/// divisible by P_a where the image of w under a map of Z to the integers
/// modulo q is 0; that one sends a root of unity of order M to the a-th power
/// of one modulo q. So w is divisible by q where all of these images are 0. If
/// that holds for primes whose product exceeds the moduli of w and of all its
/// conjugates, w = 0, as the norm of a quotient below 1 is below 1 and an
/// integer. The images are those of the sums a j for a = 1 mod 4 (a leaves i
/// alone; a = 3 mod 4 gives the images of -a once more), and w = 0 for all of
/// them at once, being conjugate. The same holds for the imaginary part.
class FourierResidues {
 public:
  explicit FourierResidues(const FourierInput& input);

  /// Whether the part of the sum at `index` is exactly `value`, a finite
  /// number.
  bool is_exactly(int64_t index, bool imaginary, const numeric::Real& value);

 private:
  struct Modulus {
    uint64_t prime;
    uint64_t quarter;              // the image of i
    std::vector<uint64_t> sums;    // of the input
    std::vector<uint64_t> mirror;  // at j: of its conjugate at -j

    /// Whether twice that part of the sum at `index` has the image `twice`.
    bool matches(int64_t index, bool imaginary, uint64_t twice) const;
  };

  void add_modulus(const FourierInput& input, uint64_t prime);
  bool all_match(int64_t index, bool imaginary,
                 const std::vector<uint64_t>& twice) const;
  int64_t times(int64_t index, int64_t factor) const;

  std::vector<int64_t> lengths_;
  int64_t order_ = 4;       // M
  int64_t main_order_ = 4;  // a multiple of it, of the roots that are used
  int unit_ = 0;
  int64_t most_bits_ = 0;  // of twice a part
  std::vector<Modulus> moduli_;
  std::vector<bool> zero_[2];  // proved so far, for both parts
};

}  // namespace hlo
