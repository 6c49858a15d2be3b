// spec/ops/rng_bit_generator.md
#include <algorithm>
#include <array>

#include "interpreter/definition/generate.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/definition/random_words.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/sizes/fitting.h"
#include "interpreter/rules/work.h"

namespace hlo {
namespace {

using definition::Integer;

constexpr AttributeSpec kAttributes[] = {
    {"algorithm", AttributeKind::kWord, true,
     "rng_default rng_three_fry rng_philox"},
};

Shape infer(const Instruction& generator) {
  const Shape& result = given_shape(generator);
  require(result.is_tuple() && result.tuple_shapes.size() == 2 &&
              result.tuple_shapes[1].is_array(),
          "rng-bit-generator.C1", {"the result is ", result},
          "it must be a pair of the new state and an array");
  require(compatible(result.tuple_shapes[0], generator.operand_shape(0)),
          "rng-bit-generator.C2",
          {"the new state is ", result.tuple_shapes[0], " and the state ",
           generator.operand_shape(0)},
          "they must have one shape");
  return result;
}

bool is_three_fry(const Instruction& generator) {
  return generator.get<Word>("algorithm").value == "rng_three_fry";
}

/// The words of a block that an element is made of begin with this one.
struct Place {
  int64_t block = 0;
  size_t word = 0;
};

/// The dimension along which Threefry's words lie in pairs.
size_t pairs_dimension(const Ints& dims) {
  const auto even = std::ranges::find(dims, 0, [](int64_t d) { return d % 2; });
  const auto found = even == dims.end() ? std::ranges::max_element(dims) : even;
  return static_cast<size_t>(found - dims.begin());
}

/// The word of Threefry for an element of less than 64 bits.
Place place_of_pair(Index index, Ints dims) {
  if (dims.empty()) return {};
  const size_t s = pairs_dimension(dims);
  const auto word = static_cast<size_t>(index[s] % 2);
  index[s] /= 2;
  dims[s] = (dims[s] + 1) / 2;
  return {linearize(index, dims), word};
}

Place place_of(const Instruction& generator, const Index& index) {
  const Shape& shape = generator.shape.tuple_shapes[1];
  const bool wide = bits(shape.element_type) == 64;
  if (is_three_fry(generator) && !wide) return place_of_pair(index, shape.dims);
  const int64_t words = wide ? 2 : 1;  // of an element
  const int64_t share = (is_three_fry(generator) ? 2 : 4) / words;
  const int64_t e = linearize(index, shape.dims);
  return {e / share, static_cast<size_t>(e % share * words)};
}

/// How many blocks are begun: the last element takes one of the last.
int64_t blocks(const Instruction& generator) {
  const Shape& shape = generator.shape.tuple_shapes[1];
  const int64_t n = shape.element_count();
  if (n == 0) return 0;
  return place_of(generator, delinearize(n - 1, shape.dims)).block + 1;
}

/// The word at a place and the one behind it, if there is one.
std::array<uint64_t, 2> words(const Instruction& generator, const Place& place,
                              const Integer& counter, uint64_t key) {
  const auto two = [&](const auto& block) {
    const size_t next = (place.word + 1) % block.size();
    return std::array<uint64_t, 2>{block.at(place.word), block.at(next)};
  };
  const Integer at = counter + place.block;
  return is_three_fry(generator) ? two(definition::threefry(at, key))
                                 : two(definition::philox(at, key));
}

void require_state(const Instruction& generator, const Literal& state) {
  const int64_t words = state.element_count();
  require_evaluable(
      state.type() == ElementType::kU64 && state.shape().rank() == 1 &&
          (words == 2 || (words == 3 && !is_three_fry(generator))),
      "rng-bit-generator.state", {"the state is ", state.shape()},
      "three_fry needs one of type u64[2], philox one of u64[2] or u64[3]");
  require_evaluable(is_unsigned(generator.shape.tuple_shapes[1].element_type),
                    "rng-bit-generator.bits",
                    {"the random bits are ", generator.shape.tuple_shapes[1]},
                    "they must be unsigned integers");
}

Literal value(const Instruction& generator, Operands operands,
              Evaluator& /*evaluator*/) {
  const Literal& state = operands[0];
  require_state(generator, state);
  const bool wide = bits(generator.shape.tuple_shapes[1].element_type) == 64;
  const Integer two_64 = Integer(1) << 64;
  const uint64_t key = state.at(0).bits[0];
  const uint64_t high = state.at(state.element_count() == 3 ? 2 : 0).bits[0];
  const Integer counter = state.at(1).bits[0] + two_64 * high;
  const Shape& shape = generator.shape.tuple_shapes[1];
  const uint64_t mask = ~uint64_t{0} >> (64 - bits(shape.element_type));
  Literal elements = definition::generate(shape, [&](const Index& index) {
    const Place place = place_of(generator, index);
    const auto [low, next] = words(generator, place, counter, key);
    const uint64_t element = wide ? low | next << 32 : low;
    return Scalar{shape.element_type, {element & mask, 0}};
  });
  Literal after = state;
  const Integer end = counter + blocks(generator);
  for (int64_t i = 1; i < state.element_count(); ++i) {
    const uint64_t word = definition::wrap(end >> 64 * (i - 1), 64);
    after.set(i, {ElementType::kU64, {word, 0}});
  }
  return Literal::tuple({std::move(after), std::move(elements)});
}

/// Which algorithm rng_default is, a backend decides.
bool is_determined(const Instruction& generator) {
  return generator.get<Word>("algorithm").value != "rng_default";
}

int64_t work(const Instruction& random) {
  constexpr int64_t kElement = 16;
  return saturating_product(
      {random.shape.tuple_shapes[1].element_count(), kElement});
}

}  // namespace

extern constinit const Op op_rng_bit_generator{.name = "rng-bit-generator",
                                               .min_operands = 1,
                                               .max_operands = 1,
                                               .attributes = kAttributes,
                                               .infer = infer,
                                               .value = value,
                                               .work = work,
                                               .randomness = Randomness::kBits,
                                               .is_determined = is_determined,
                                               .fit = fit_shapes};

}  // namespace hlo
