#include "backends/cpu/functions/random/random_bits.h"

#include <algorithm>

#include "backends/cpu/functions/random/generators.h"
#include "interpreter/error.h"

namespace hlo::cpu {
namespace {

struct Bits {
  std::vector<uint64_t> elements;
  uint64_t blocks = 0;  // that were begun
};

Bits philox_bits(const Shape& shape, const Counter& counter, uint64_t key) {
  Bits bits{std::vector<uint64_t>(static_cast<size_t>(shape.element_count())),
            0};
  const bool is_double = shape.element_type == ElementType::kU64;
  const size_t in_block = is_double ? 2 : 4;
  std::array<uint32_t, 4> block{};
  for (size_t e = 0; e < bits.elements.size(); ++e) {
    const size_t word = e % in_block;
    if (word == 0) block = philox(advanced(counter, bits.blocks++), key);
    bits.elements[e] =
        is_double ? block[2 * word] | uint64_t{block[2 * word + 1]} << 32
                  : block[word];
  }
  return bits;
}

/// The dimension along which the two words of a block lie side by side.
size_t paired_dimension(const Shape& shape) {
  const auto even = std::ranges::find_if(
      shape.dims, [](int64_t size) { return size % 2 == 0; });
  const auto found =
      even != shape.dims.end() ? even : std::ranges::max_element(shape.dims);
  return static_cast<size_t>(found - shape.dims.begin());
}

Bits threefry_bits(const Shape& shape, uint64_t counter, uint64_t key) {
  Bits bits{std::vector<uint64_t>(static_cast<size_t>(shape.element_count())),
            0};
  if (bits.elements.empty()) return bits;
  const bool is_double = shape.element_type == ElementType::kU64;
  const size_t paired = shape.rank() == 0 ? 0 : paired_dimension(shape);
  Shape halved = shape;
  if (!is_double && shape.rank() > 0) {
    halved.dims[paired] = (halved.dims[paired] + 1) / 2;
  }
  for (size_t e = 0; e < bits.elements.size(); ++e) {
    Index at = delinearize(static_cast<int64_t>(e), shape.dims);
    size_t word = 0;
    if (!is_double && shape.rank() > 0) {
      word = static_cast<size_t>(at[paired] % 2);
      at[paired] /= 2;
    }
    const auto number = static_cast<uint64_t>(linearize(at, halved.dims));
    const std::array<uint32_t, 2> block = threefry(counter + number, key);
    bits.elements[e] =
        is_double ? block[0] | uint64_t{block[1]} << 32 : uint64_t{block[word]};
  }
  bits.blocks = static_cast<uint64_t>(halved.element_count());
  return bits;
}

}  // namespace

Array random_bits(const Instruction& instruction, Operands operands) {
  const Shape& given = operands[0]->shape;
  const Shape& shape = instruction.shape.tuple_shapes.at(1);
  const bool is_threefry =
      instruction.get<Word>("algorithm").value == "rng_three_fry";
  const int64_t words = given.element_count();
  require_evaluable(
      given.element_type == ElementType::kU64 && given.rank() == 1 &&
          (words == 2 || (words == 3 && !is_threefry)),
      "rng-bit-generator.state", {"the state is ", given},
      "three_fry needs one of type u64[2], philox one of u64[2] or u64[3]");
  require_evaluable(is_unsigned(shape.element_type), "rng-bit-generator.bits",
                    {"the random bits are ", shape},
                    "they must be unsigned integers");
  std::vector<uint64_t> state = load<uint64_t>(*operands[0]);
  const Counter counter = {state[1], state.size() == 3 ? state[2] : state[0]};
  const Bits bits = is_threefry ? threefry_bits(shape, state[1], state[0])
                                : philox_bits(shape, counter, state[0]);
  const Counter next = advanced(counter, bits.blocks);
  state[1] = next[0];
  if (state.size() == 3) state[2] = next[1];
  return tuple_of({store<uint64_t>(instruction.shape.tuple_shapes.at(0), state),
                   store<uint64_t>(shape, bits.elements)});
}

}  // namespace hlo::cpu
