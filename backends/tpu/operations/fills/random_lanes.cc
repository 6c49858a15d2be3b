#include "backends/tpu/operations/fills/random_lanes.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "backends/tpu/machine/lane_scatter.h"
#include "backends/tpu/machine/whole_array.h"
#include "backends/tpu/operations/fills/fill.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/model/storage.h"
#include "interpreter/numeric/random/random.h"
#include "interpreter/numeric/random/word_pairs.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 16;

/// What rng-bit-generator makes bits of.
class WordsOfLanes {
 public:
  WordsOfLanes(const Instruction& generator, const Literal& state,
               const Shape& bits)
      : is_three_fry_(generator.get<Word>("algorithm").value ==
                      "rng_three_fry"),
        is_wide_(storage_bytes(bits.element_type) == sizeof(uint64_t)),
        elements_(bits.element_count()),
        pairs_(find_pairs(bits.dims)),
        key_(state.at(0).bits[0]),
        counter_{state.at(1).bits[0],
                 state.element_count() == 3 ? state.at(2).bits[0] : key_} {}

  /// The word, of 64 bits for a wide element, of the one at that position.
  uint64_t of(int64_t element) const {
    const WordPlace place = place_of(element);
    const auto word = static_cast<size_t>(place.word);
    const std::array<uint32_t, 4> words = block(place.block);
    return is_wide_ ? words.at(word) | uint64_t{words.at(word + 1)} << 32U
                    : words.at(word);
  }

  /// The counter behind all blocks.
  std::array<uint64_t, 2> after() const {
    return numeric::advance(counter_, static_cast<uint64_t>(blocks()));
  }

 private:
  int64_t share() const { return (is_three_fry_ ? 2 : 4) / (is_wide_ ? 2 : 1); }

  WordPlace place_of(int64_t element) const {
    if (is_three_fry_ && !is_wide_) return pairs_.place_of(element);
    return {element / share(), element % share() * (is_wide_ ? 2 : 1)};
  }

  int64_t blocks() const {
    if (elements_ == 0) return 0;
    if (is_three_fry_ && !is_wide_) return pairs_.blocks();
    return (elements_ + share() - 1) / share();
  }

  std::array<uint32_t, 4> block(int64_t number) const {
    const auto at = numeric::advance(counter_, static_cast<uint64_t>(number));
    if (!is_three_fry_) return numeric::philox4x32(at, key_);
    const auto two = numeric::threefry2x32(at[0], key_);
    return {two[0], two[1], 0, 0};
  }

  bool is_three_fry_;
  bool is_wide_;
  int64_t elements_;
  WordPairs pairs_;
  uint64_t key_;
  std::array<uint64_t, 2> counter_;
};

void check(const Instruction& generator, const Literal& state,
           const Shape& bits) {
  const bool is_three_fry =
      generator.get<Word>("algorithm").value == "rng_three_fry";
  const int64_t words = state.element_count();
  require_evaluable(
      state.type() == ElementType::kU64 && state.shape().rank() == 1 &&
          (words == 2 || (words == 3 && !is_three_fry)),
      "rng-bit-generator.state", {"the state is ", state.shape()},
      "three_fry needs two words of type u64, philox two or three");
  require_evaluable(is_unsigned(bits.element_type), "rng-bit-generator.bits",
                    {"the random bits are ", bits},
                    "they must be unsigned integers");
}

/// An array of a few words.
TiledArray words_in_lanes(Machine& machine, const Shape& shape,
                          const std::vector<uint64_t>& words) {
  return filled(
      machine, shape, [&](const LaneElements& elements, Register& into) {
        for (size_t k = 0; k < elements.size(); ++k) {
          if (elements[k] == TileOrder::kPadding) continue;
          store(into.type(), {words.at(static_cast<size_t>(elements[k])), 0},
                into.lane(static_cast<int64_t>(k)));
        }
      });
}

}  // namespace

TiledArray random_numbers(Machine& machine, const Instruction& rng,
                          const Values& operands, const Shape& shape) {
  TiledArray result = new_array(machine.memory, shape);
  LaneScatter scatter(machine, result, kKeptRegisters);
  std::vector<Literal> range;
  std::vector<std::optional<ScratchRoom>> rooms;
  for (const Value* operand : operands) {
    WholeArray whole = read_whole(machine, operand->array);
    range.push_back(std::move(whole.elements));
    rooms.push_back(std::move(whole.room));
  }
  Instruction some = rng;
  const int64_t n = result.order->elements();
  for (int64_t first = 0; first < n; first += kLanes) {
    const int64_t count = std::min(kLanes, n - first);
    some.shape = Shape::array(shape.element_type, {count});
    const Literal drawn = evaluate_instruction(some, range, machine.evaluator);
    Register lanes(machine.scratch, shape.element_type);
    LaneElements elements;
    elements.fill(TileOrder::kPadding);
    for (int64_t k = 0; k < count; ++k) {
      elements[static_cast<size_t>(k)] = first + k;
      lanes.valid().set(static_cast<size_t>(k));
    }
    std::memcpy(lanes.bytes(), drawn.bytes().data(), drawn.bytes().size());
    scatter.scatter(lanes, elements);
  }
  scatter.finish();
  return result;
}

std::vector<TiledArray> random_bits(Machine& machine,
                                    const Instruction& generator,
                                    const Values& operands,
                                    const std::vector<Shape>& shapes) {
  const WholeArray read = read_whole(machine, operands[0]->array);
  const Literal& state = read.elements;
  check(generator, state, shapes[1]);
  const WordsOfLanes words(generator, state, shapes[1]);
  TiledArray bits = filled(machine, shapes[1],
                           [&](const LaneElements& elements, Register& into) {
                             for (size_t k = 0; k < elements.size(); ++k) {
                               if (elements[k] == TileOrder::kPadding) continue;
                               store(into.type(), {words.of(elements[k]), 0},
                                     into.lane(static_cast<int64_t>(k)));
                             }
                           });
  std::vector<uint64_t> next{state.at(0).bits[0]};
  for (int64_t k = 1; k < state.element_count(); ++k) {
    next.push_back(words.after().at(static_cast<size_t>(k - 1)));
  }
  return {words_in_lanes(machine, shapes[0], next), std::move(bits)};
}

TiledArray random_state(Machine& machine, const Instruction& instruction,
                        const Shape& shape) {
  const Literal state =
      evaluate_instruction(instruction, {}, machine.evaluator);
  return words_in_lanes(machine, shape,
                        {state.at(0).bits[0], state.at(1).bits[0]});
}

}  // namespace hlo::tpu
