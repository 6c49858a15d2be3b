#include <algorithm>
#include <array>
#include <utility>

#include "backends/cpu/functions/random/random_state.h"
#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/kernel_codes.h"
#include "interpreter/error.h"

namespace hlo::gpu {
namespace {

using cpu::Counter;

int64_t word(uint64_t bits) { return static_cast<int64_t>(bits); }

uint64_t bits_of(int64_t word) { return static_cast<uint64_t>(word); }

/// What gpu_random draws (kernels/random.inc).
enum Drawn : int64_t { kPhilox = 0, kThreefry = 1, kUniform = 2, kNormal = 3 };

Value launch_random(Memory& memory, const Shape& shape, Drawn drawn,
                    uint64_t key, const Counter& counter,
                    const std::array<int64_t, 2>& more) {
  Value result = new_array(memory, shape);
  const int64_t count = shape.element_count();
  if (count == 0) return result;
  const Ints words = {count,
                      drawn,
                      type_code(shape.element_type),
                      result.offset(),
                      word(key),
                      word(counter[0]),
                      word(counter[1]),
                      more[0],
                      more[1]};
  memory.device().run(Kernel::kRandom, words, count);
  return result;
}

/// The words of a state, on the host.
std::vector<uint64_t> words_of(Memory& memory, const Value& state) {
  std::vector<uint64_t> words(static_cast<size_t>(state.shape.element_count()));
  memory.device().read(state.place->offset(),
                       std::as_writable_bytes(std::span(words)));
  return words;
}

Value stored(Memory& memory, const Shape& shape,
             std::span<const uint64_t> words) {
  Value state = new_array(memory, shape);
  memory.device().write(state.place->offset(), std::as_bytes(words));
  return state;
}

bool is_threefry(const Instruction& generator) {
  return generator.get<Word>("algorithm").value == "rng_three_fry";
}

/// The dimension of a Threefry array along which the words of a block lie side
/// by side: its size, and how many elements an index of it has.
std::array<int64_t, 2> pairs_of(const Shape& shape) {
  if (shape.rank() == 0) return {1, 1};
  const auto even = std::ranges::find_if(
      shape.dims, [](int64_t size) { return size % 2 == 0; });
  const auto found =
      even == shape.dims.end() ? std::ranges::max_element(shape.dims) : even;
  const auto d = static_cast<size_t>(found - shape.dims.begin());
  return {shape.dims[d], row_major_strides(shape.dims)[d]};
}

/// How many blocks an array of random bits begins.
uint64_t blocks_of(const Shape& shape, bool is_threefry) {
  const auto count = bits_of(shape.element_count());
  const bool is_wide = bits(shape.element_type) == 64;
  if (count == 0) return 0;
  if (!is_threefry) return (count - 1) / (is_wide ? 2 : 4) + 1;
  if (is_wide) return count;
  const auto size = bits_of(pairs_of(shape)[0]);
  return count / size * ((size + 1) / 2);
}

Value random_bits(Memory& memory, const Instruction& generator,
                  const Values& operands) {
  const Shape& given = operands[0]->shape;
  const Shape& shape = generator.shape.tuple_shapes.at(1);
  const bool threefry = is_threefry(generator);
  const int64_t count = given.element_count();
  require_evaluable(
      given.element_type == ElementType::kU64 && given.rank() == 1 &&
          (count == 2 || (count == 3 && !threefry)),
      "rng-bit-generator.state", {"the state is ", given},
      "three_fry needs one of type u64[2], philox one of u64[2] or u64[3]");
  require_evaluable(is_unsigned(shape.element_type), "rng-bit-generator.bits",
                    {"the random bits are ", shape},
                    "they must be unsigned integers");
  std::vector<uint64_t> state = words_of(memory, *operands[0]);
  const Counter counter = {state[1], state[count == 3 ? 2 : 0]};
  Value drawn = launch_random(
      memory, shape, threefry ? kThreefry : kPhilox, state[0], counter,
      threefry ? pairs_of(shape) : std::array<int64_t, 2>{});
  const Counter next = cpu::advanced(counter, blocks_of(shape, threefry));
  state[1] = next[0];
  if (count == 3) state[2] = next[1];
  Value after = stored(memory, generator.shape.tuple_shapes[0], state);
  return {generator.shape, nullptr, {std::move(after), std::move(drawn)}};
}

/// Numbers of an interval, or around a mean.
Value random_numbers(Memory& memory, const Instruction& instruction,
                     const Values& operands) {
  const bool is_normal =
      instruction.get<Word>("distribution").value == "rng_normal";
  const Counter state = cpu::random_state();
  cpu::random_state() =
      cpu::advanced(state, bits_of(instruction.shape.element_count()));
  return launch_random(memory, instruction.shape,
                       is_normal ? kNormal : kUniform, 0, state,
                       {operands[0]->offset(), operands[1]->offset()});
}

/// The state as it was; then a number that may be negative is added to it.
Value take_state(Memory& memory, const Instruction& instruction,
                 const Values&) {
  const Counter before = cpu::random_state();
  const auto delta = instruction.get<int64_t>("delta");
  Counter after = cpu::advanced(before, bits_of(delta));
  if (delta < 0) --after[1];  // the high half of a negative number
  cpu::random_state() = after;
  return stored(memory, instruction.shape, before);
}

}  // namespace

Functions random_functions() {
  return {{"rng", random_numbers},
          {"rng-bit-generator", random_bits},
          {"rng-get-and-update-state", take_state}};
}

}  // namespace hlo::gpu
