// spec/ops/rng_bit_generator.md
#include <algorithm>
#include <array>
#include <type_traits>

#include "interpreter/model/storage.h"
#include "interpreter/numeric/random/random.h"
#include "interpreter/numeric/random/word_pairs.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

using Counter = std::array<uint64_t, 2>;

constexpr int64_t kGrain = 1 << 12;  // blocks that are worth a thread

/// Writes words to an array of unsigned integers, as many low bits as fit.
class Writer {
 public:
  explicit Writer(Literal& bits)
      : data_(bits.mutable_bytes().data()),
        bytes_(storage_bytes(bits.type())),
        mask_(~uint64_t{0} >> (64 - hlo::bits(bits.type()))) {}

  void put(int64_t i, uint64_t word) const {
    with_storage(bytes_, [&](auto element) {
      if constexpr (std::is_integral_v<decltype(element)>) {
        reinterpret_cast<decltype(element)*>(data_)[i] =
            static_cast<decltype(element)>(word & mask_);
      }
    });
  }

 private:
  std::byte* data_;
  int bytes_;
  uint64_t mask_;
};

uint64_t join(uint32_t low, uint32_t high) {
  return low | (uint64_t{high} << 32U);
}

void put_pair(const Writer& writer, const WordPairs& pairs, int64_t block,
              const std::array<uint32_t, 2>& words) {
  const int64_t inner = block % pairs.inner;
  const int64_t row = block / pairs.inner;  // of half() rows for each outer
  const int64_t first = 2 * (row % pairs.half());
  const int64_t begin = row / pairs.half() * pairs.size;
  for (int64_t k = first; k < std::min(first + 2, pairs.size); ++k) {
    writer.put((begin + k) * pairs.inner + inner,
               words.at(static_cast<size_t>(k - first)));
  }
}

/// Returns how far the counter moves.
uint64_t three_fry(uint64_t key, uint64_t counter, Literal& bits,
                   const Evaluator& evaluator) {
  const bool wide = storage_bytes(bits.type()) == 8;
  const WordPairs pairs = find_pairs(bits.shape().dims);
  const int64_t blocks = wide ? bits.element_count() : pairs.blocks();
  const Writer writer(bits);
  evaluator.parallel_for(blocks, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const auto words =
          numeric::threefry2x32(counter + static_cast<uint64_t>(b), key);
      if (wide) {
        writer.put(b, join(words[0], words[1]));
      } else {
        put_pair(writer, pairs, b, words);
      }
    }
  });
  return static_cast<uint64_t>(blocks);
}

/// Returns how far the counter moves.
uint64_t philox(uint64_t key, Counter counter, Literal& bits,
                const Evaluator& evaluator) {
  const bool wide = storage_bytes(bits.type()) == 8;
  const int64_t n = bits.element_count();
  const int64_t share = wide ? 2 : 4;  // elements of one block
  const int64_t blocks = (n + share - 1) / share;
  const Writer writer(bits);
  evaluator.parallel_for(blocks, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const auto words = numeric::philox4x32(
          numeric::advance(counter, static_cast<uint64_t>(b)), key);
      for (int64_t k = 0; k < std::min(share, n - b * share); ++k) {
        const auto at = static_cast<size_t>(wide ? 2 * k : k);
        writer.put(b * share + k,
                   wide ? join(words.at(at), words.at(at + 1)) : words.at(at));
      }
    }
  });
  return static_cast<uint64_t>(blocks);
}

/// Fills the bits and moves the state on. A state of two words is {key,
/// counter}; Philox then takes the key for the counter's high word, too.
void generate(std::span<uint64_t> state, bool is_three_fry, Literal& bits,
              const Evaluator& evaluator) {
  const uint64_t key = state[0];
  if (is_three_fry) {
    state[1] += three_fry(key, state[1], bits, evaluator);
    return;
  }
  const Counter counter = {state[1], state.size() == 3 ? state[2] : key};
  const Counter next =
      numeric::advance(counter, philox(key, counter, bits, evaluator));
  std::copy_n(next.begin(), state.size() - 1, state.begin() + 1);
}

std::optional<Literal> value(const Instruction& generator, Operands operands,
                             Evaluator& evaluator) {
  const Shape& shape = generator.shape.tuple_shapes[1];
  const bool is_three_fry =
      generator.get<Word>("algorithm").value == "rng_three_fry";
  Literal state = operands[0];
  const int64_t words = state.element_count();
  if (state.type() != ElementType::kU64 || state.shape().rank() != 1 ||
      words < 2 || words > (is_three_fry ? 2 : 3) ||
      !is_unsigned(shape.element_type)) {
    return std::nullopt;
  }
  Literal bits(shape);
  generate(state.mutable_data<uint64_t>(), is_three_fry, bits, evaluator);
  return Literal::tuple({std::move(state), std::move(bits)});
}

}  // namespace

extern constinit const Plan plan_rng_bit_generator{.value = value};

}  // namespace hlo
