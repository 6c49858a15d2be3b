#include "backends/gpu/operations/fourier/residues.h"

#include <bit>

#include "backends/gpu/operations/fourier/prime_roots.h"
#include "backends/gpu/operations/number_room.h"
#include "backends/gpu/operations/walk.h"

namespace hlo::gpu {
namespace {

constexpr uint64_t kLargePrimes = uint64_t{1} << 61;  // they lie above it
constexpr int64_t kPrimeBits = 61;

/// Bytes that have both bits set.
Value both_bits(Memory& memory, int64_t count) {
  const Value bytes = new_bytes(memory, count);
  const std::vector<std::byte> threes(static_cast<size_t>(count), std::byte{3});
  memory.device().write(bytes.place->offset(), threes);
  return bytes;
}

Value uploaded_words(Memory& memory, const std::vector<uint64_t>& words) {
  const auto bytes = std::as_bytes(std::span(words));
  Value value = new_bytes(memory, std::ssize(bytes));
  memory.device().write(value.place->offset(), bytes);
  return value;
}

/// The test of one transform by several primes.
class ExactParts {
 public:
  explicit ExactParts(const Spectrum& spectrum)
      : spectrum_(spectrum),
        transform_(spectrum.transform()),
        memory_(transform_.memory),
        fixed_(both_bits(memory_, transform_.sums())),
        matches_(both_bits(memory_, transform_.fft.shape.element_count())),
        generators_(generators_modulo(transform_.order)) {
    const Spectrum::Span span = spectrum.span();
    unit_ = span.last;
    // Twice a part, in units, is at most 2 sqrt(2) n 2^(above - unit); so is
    // what it is compared with.
    most_bits_ = span.above - span.last + 2 + bits_of_count(transform_.points);
  }

  void run();

 private:
  Ints words(int64_t items) const;
  void take_prime(const PrimeRoots& prime);
  void spread_over_orbits();
  void launch(Kernel kernel, const Ints& words);

  const Spectrum& spectrum_;
  const Transform& transform_;
  Memory& memory_;
  Value fixed_;    // u8 for each sum
  Value matches_;  // u8 for each element
  std::vector<Generator> generators_;
  int64_t unit_ = 0;
  int64_t most_bits_ = 0;
};

Ints ExactParts::words(int64_t items) const {
  Ints words = spectrum_.words();
  set_word(words, TRANSFORM_END, items);
  set_word(words, TRANSFORM_UNIT, unit_);
  set_word(words, TRANSFORM_MOST_BITS, most_bits_);
  set_word(words, TRANSFORM_FIXED, fixed_.offset());
  set_word(words, TRANSFORM_MATCHES, matches_.offset());
  return words;
}

void ExactParts::launch(Kernel kernel, const Ints& words) {
  memory_.device().run(kernel, words, words[TRANSFORM_END]);
}

void ExactParts::take_prime(const PrimeRoots& prime) {
  const int64_t bytes = 8 * transform_.sums();
  const Value roots = uploaded_words(memory_, prime.roots);
  Value sums = new_bytes(memory_, bytes);
  Value mirror = new_bytes(memory_, bytes);
  Value other = new_bytes(memory_, bytes);
  Ints own = words(transform_.sums());
  // w is exp(-2 pi i / n), so that i is its power 3 n / 4.
  const auto quarter = static_cast<size_t>(transform_.order / 4 * 3);
  set_word(own, TRANSFORM_RESIDUES, sums.offset());
  set_word(own, TRANSFORM_MIRROR, mirror.offset());
  set_word(own, TRANSFORM_PRIME, std::bit_cast<int64_t>(prime.prime));
  set_word(own, TRANSFORM_NEGATED_INVERSE,
           std::bit_cast<int64_t>(prime.negated_inverse));
  set_word(own, TRANSFORM_SQUARE, std::bit_cast<int64_t>(prime.square));
  set_word(own, TRANSFORM_QUARTER,
           std::bit_cast<int64_t>(prime.roots[quarter]));
  launch(Kernel::kResidues, own);
  // From behind the parameters of gpu_turn on.
  const Ints tail(own.begin() + 9, own.begin() + TRANSFORM_UNIT);
  run_steps(transform_, Kernel::kTurnResidues, sums, other, roots, tail);
  run_steps(transform_, Kernel::kTurnResidues, mirror, other, roots, tail);
  set_word(own, TRANSFORM_RESIDUES, sums.offset());
  set_word(own, TRANSFORM_MIRROR, mirror.offset());
  Ints match = own;
  set_word(match, TRANSFORM_END, transform_.fft.shape.element_count());
  launch(Kernel::kMatch, match);
  own.push_back(std::ssize(generators_));
  for (const Generator& generator : generators_) {
    own.push_back(generator.factor);
  }
  launch(Kernel::kFixed, own);
}

/// A sum keeps a bit where all of its orbit have it: of the powers of each
/// generator, twice as many at a time.
void ExactParts::spread_over_orbits() {
  Value other = new_bytes(memory_, transform_.sums());
  for (const Generator& generator : generators_) {
    int64_t factor = generator.factor;
    for (int64_t powers = 1; powers < generator.order; powers *= 2) {
      Ints own = words(transform_.sums());
      append(own, {other.offset(), factor});
      launch(Kernel::kOrbit, own);
      std::swap(fixed_, other);
      factor = factor * factor % transform_.order;
    }
  }
}

void ExactParts::run() {
  uint64_t from = kLargePrimes;
  for (int64_t bits = 0; bits <= most_bits_ + 1; bits += kPrimeBits) {
    const PrimeRoots prime(from, transform_.order);
    from = prime.prime;
    take_prime(prime);
  }
  spread_over_orbits();
  launch(Kernel::kAccept, words(transform_.fft.shape.element_count()));
}

}  // namespace

void decide_exact_parts(const Spectrum& spectrum) {
  ExactParts(spectrum).run();
}

}  // namespace hlo::gpu
