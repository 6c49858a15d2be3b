#include "interpreter/plans/fourier/fourier_residues.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "interpreter/model/shape.h"
#include "interpreter/numeric/exact/integer.h"
#include "interpreter/numeric/format/rounding.h"
#include "interpreter/plans/fourier/fourier_line.h"

namespace hlo {
namespace {

using numeric::Integer;

__extension__ using Wide = unsigned __int128;

constexpr uint64_t kLargePrimes = uint64_t{1} << 61;  // they lie above it
constexpr int kPrimeBits = 61;

uint64_t multiply(uint64_t a, uint64_t b, uint64_t prime) {
  return static_cast<uint64_t>(Wide{a} * b % prime);
}

// Both are below the prime.
uint64_t add(uint64_t a, uint64_t b, uint64_t prime) {
  const uint64_t sum = a + b;
  return sum >= prime ? sum - prime : sum;
}

uint64_t subtract(uint64_t a, uint64_t b, uint64_t prime) {
  return add(a, prime - b, prime);
}

uint64_t power(uint64_t base, uint64_t exponent, uint64_t prime) {
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = multiply(result, base, prime);
    base = multiply(base, base, prime);
  }
  return result;
}

/// GMP's test errs for no number of 64 bits.
bool is_prime(uint64_t n) {
  Integer integer;
  mpz_set_ui(integer.get(), n);
  return mpz_probab_prime_p(integer.get(), 25) != 0;
}

/// The least prime above `from` that is 1 modulo `order`.
uint64_t next_prime(uint64_t from, uint64_t order) {
  uint64_t candidate = from / order * order + 1;
  do {
    candidate += order;
  } while (!is_prime(candidate));
  return candidate;
}

/// A root of unity of exactly that order modulo the prime.
uint64_t find_root(int64_t order, uint64_t prime) {
  const std::vector<int64_t> factors = radices(order);
  for (uint64_t base = 2;; ++base) {
    const uint64_t root =
        power(base, (prime - 1) / static_cast<uint64_t>(order), prime);
    const bool exact = std::ranges::all_of(factors, [&](int64_t factor) {
      const int64_t divisor = factor == 4 ? 2 : factor;
      return power(root, static_cast<uint64_t>(order / divisor), prime) != 1;
    });
    if (exact) return root;
  }
}

/// A number by which many are multiplied.
class Factor {
 public:
  Factor(uint64_t value, uint64_t prime)
      : value_(value),
        share_(static_cast<uint64_t>((Wide{value} << 64) / prime)) {}

  uint64_t value() const { return value_; }

  /// The quotient of x times the value by the prime, or one less, is the upper
  /// half of x times the share.
  uint64_t times(uint64_t x, uint64_t prime) const {
    const Wide product = Wide{x} * share_;
    const auto quotient = static_cast<uint64_t>(product >> 64);
    const uint64_t rest = x * value_ - quotient * prime;
    return rest >= prime ? rest - prime : rest;
  }

 private:
  uint64_t value_;
  uint64_t share_;
};

/// A root of unity of an order that all others divide.
struct MainRoot {
  int64_t order;
  uint64_t value;
  uint64_t prime;

  uint64_t of_order(int64_t n) const {
    return power(value, static_cast<uint64_t>(order / n), prime);
  }
};

/// The ring of FourierLine.
class ResidueRing {
 public:
  struct Element {
    uint64_t value;
    uint64_t prime;

    Element operator+(const Element& other) const {
      return {add(value, other.value, prime), prime};
    }
  };

  ResidueRing(int64_t order, const MainRoot& main)
      : order_(order), main_(main) {
    roots_.reserve(static_cast<size_t>(order));
    const uint64_t root = main.of_order(order);
    uint64_t next = 1;
    for (int64_t k = 0; k < order; ++k) {
      roots_.emplace_back(next, main.prime);
      next = multiply(next, root, main.prime);
    }
  }

  int64_t order() const { return order_; }

  Element times_root(const Element& x, int64_t k) const {
    if (k == 0) return x;
    return {roots_[static_cast<size_t>(k)].times(x.value, x.prime), x.prime};
  }

  Element root(int64_t k) const {
    return {roots_[static_cast<size_t>(k)].value(), main_.prime};
  }

  Element zero() const { return {0, main_.prime}; }

  Element product(const Element& x, const Element& y) const {
    return {multiply(x.value, y.value, main_.prime), main_.prime};
  }

  Element over(const Element& x, int64_t n) const {
    const uint64_t inverse =
        power(static_cast<uint64_t>(n), main_.prime - 2, main_.prime);
    return {multiply(x.value, inverse, main_.prime), main_.prime};
  }

  ResidueRing ring_of(int64_t order) const { return {order, main_}; }

 private:
  int64_t order_;
  MainRoot main_;
  std::vector<Factor> roots_;
};

/// A common multiple of `order` and of the lengths of all convolutions that
/// transforms of these lengths take.
int64_t order_of_main_root(int64_t order, const std::vector<int64_t>& lengths) {
  for (const int64_t length : lengths) {
    for (const int64_t radix : radices(length)) {
      if (radix <= kMostDirect) continue;
      order = std::lcm(order, convolution_length(radix));
    }
  }
  return order;
}

/// value 2^-unit modulo the prime; an integer.
uint64_t residue(double value, int unit, uint64_t prime) {
  const numeric::Scaled scaled = numeric::split(value);
  if (scaled.significand == 0) return 0;
  const auto shift = scaled.exponent - unit;
  // A negative shift drops zeros only.
  const uint64_t size =
      shift < 0
          ? (scaled.significand >> -shift) % prime
          : multiply(scaled.significand % prime,
                     power(2, static_cast<uint64_t>(shift), prime), prime);
  return std::signbit(value) && size != 0 ? prime - size : size;
}

/// The exponent of the last bit of a number that is not 0.
int64_t last_bit(double value) {
  const numeric::Scaled scaled = numeric::split(value);
  return scaled.exponent + std::countr_zero(scaled.significand);
}

/// The exponents of the first and the last bit that any number has.
struct Span {
  int64_t first = INT64_MIN;
  int64_t last = INT64_MAX;
};

Span span_of(const FourierInput& input) {
  Span span;
  for (const auto* numbers : {&input.real, &input.imaginary}) {
    for (const double value : *numbers) {
      if (value == 0) continue;
      span.first = std::max<int64_t>(span.first, std::ilogb(value));
      span.last = std::min(span.last, last_bit(value));
    }
  }
  return span.first == INT64_MIN ? Span{0, 0} : span;
}

/// 2 value 2^-unit in the integer; false where it is none.
bool twice_in_units(const numeric::Real& value, int unit, Integer& integer) {
  if (mpfr_zero_p(value.get()) != 0) return true;
  const mpfr_exp_t shift =
      mpfr_get_z_2exp(integer.get(), value.get()) + 1 - unit;
  if (shift >= 0) {
    mpz_mul_2exp(integer.get(), integer.get(), static_cast<mp_bitcnt_t>(shift));
    return true;
  }
  const auto down = static_cast<mp_bitcnt_t>(-shift);
  if (mpz_divisible_2exp_p(integer.get(), down) == 0) return false;
  mpz_tdiv_q_2exp(integer.get(), integer.get(), down);
  return true;
}

}  // namespace

FourierResidues::FourierResidues(const FourierInput& input)
    : lengths_(input.lengths) {
  for (const int64_t length : lengths_) order_ = std::lcm(order_, length);
  const Span span = span_of(input);
  unit_ = static_cast<int>(span.last);
  // Twice a part, 2^-unit times, is at most 2 sqrt(2) n 2^(first + 1 - unit);
  // so is R, or it is not equal.
  const auto count_bits =
      static_cast<int64_t>(std::bit_width(input.real.size()));
  most_bits_ = span.first + 1 - span.last + count_bits + 2;
  for (auto& zeros : zero_) zeros.assign(input.real.size(), false);
  main_order_ = order_of_main_root(order_, lengths_);
  uint64_t prime = kLargePrimes;
  for (int64_t bits = 0; bits <= most_bits_ + 1; bits += kPrimeBits) {
    prime = next_prime(prime, static_cast<uint64_t>(main_order_));
    add_modulus(input, prime);
  }
}

void FourierResidues::add_modulus(const FourierInput& input, uint64_t prime) {
  const MainRoot main{main_order_, find_root(main_order_, prime), prime};
  // exp(-2 pi i / M) goes to the root of order M, i to its power -M/4.
  const uint64_t quarter = power(main.of_order(4), 3, prime);
  std::vector<ResidueRing> rings;
  for (const int64_t length : lengths_) rings.emplace_back(length, main);
  std::vector<ResidueRing::Element> sums;
  std::vector<ResidueRing::Element> mirror;
  for (size_t t = 0; t < input.real.size(); ++t) {
    const uint64_t real = residue(input.real[t], unit_, prime);
    const uint64_t imaginary =
        multiply(residue(input.imaginary[t], unit_, prime), quarter, prime);
    sums.push_back({add(real, imaginary, prime), prime});
    mirror.push_back({subtract(real, imaginary, prime), prime});
  }
  transform_all<ResidueRing>(rings, sums);
  transform_all<ResidueRing>(rings, mirror);
  Modulus modulus{prime, quarter, {}, {}};
  for (size_t j = 0; j < sums.size(); ++j) {
    modulus.sums.push_back(sums[j].value);
    const auto opposite =
        static_cast<size_t>(times(static_cast<int64_t>(j), order_ - 1));
    modulus.mirror.push_back(mirror[opposite].value);
  }
  moduli_.push_back(std::move(modulus));
}

int64_t FourierResidues::times(int64_t index, int64_t factor) const {
  Index place = delinearize(index, lengths_);
  for (size_t d = 0; d < place.size(); ++d) {
    place[d] = place[d] * (factor % lengths_[d]) % lengths_[d];
  }
  return linearize(place, lengths_);
}

/// Twice the real part is the sum and its conjugate, which is the sum of the
/// conjugates at the opposite index; i times twice the imaginary part their
/// difference.
bool FourierResidues::Modulus::matches(int64_t index, bool imaginary,
                                       uint64_t twice) const {
  const auto j = static_cast<size_t>(index);
  if (imaginary) {
    return subtract(sums[j], mirror[j], prime) ==
           multiply(twice, quarter, prime);
  }
  return add(sums[j], mirror[j], prime) == twice;
}

bool FourierResidues::all_match(int64_t index, bool imaginary,
                                const std::vector<uint64_t>& twice) const {
  for (size_t m = 0; m < moduli_.size(); ++m) {
    if (!moduli_[m].matches(index, imaginary, twice[m])) return false;
  }
  return true;
}

bool FourierResidues::is_exactly(int64_t index, bool imaginary,
                                 const numeric::Real& value) {
  auto& zeros = zero_[imaginary ? 1 : 0];
  const bool zero = mpfr_zero_p(value.get()) != 0;
  if (zero && zeros[static_cast<size_t>(index)]) return true;
  Integer integer;
  if (!twice_in_units(value, unit_, integer)) return false;
  const auto size = static_cast<int64_t>(mpz_sizeinbase(integer.get(), 2));
  if (size > most_bits_) return false;
  std::vector<uint64_t> twice;
  for (const Modulus& modulus : moduli_) {
    twice.push_back(mpz_fdiv_ui(integer.get(), modulus.prime));
  }
  std::vector<int64_t> conjugates;
  for (int64_t a = 1; a < order_; a += 4) {
    if (std::gcd(a, order_) != 1) continue;
    conjugates.push_back(times(index, a));
    if (!all_match(conjugates.back(), imaginary, twice)) return false;
  }
  for (const int64_t j : conjugates) {
    if (zero) zeros[static_cast<size_t>(j)] = true;
  }
  return true;
}

}  // namespace hlo
