#include "conformance/explain/rules/explain_random_numbers.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>

#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/values/number_of.h"
#include "interpreter/counted.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/random/random.h"
#include "interpreter/numeric/random/word_pairs.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

using Counter = std::array<uint64_t, 2>;
using Words = std::array<uint32_t, 4>;

/// A number of 128 bits, lowest word first.
Fraction wide(const Counter& number) {
  return Fraction::of(number[1]) * Fraction::power_of_two(64) +
         Fraction::of(number[0]);
}

std::string decimal_text(const Counter& number) {
  return to_text(wide(number));
}

// -------------------------------------------------------------------- state

/// By how much one run of the instruction moves the state on.
int64_t delta_of(const Instruction& instruction) {
  return instruction.op->randomness == Randomness::kNumbers
             ? instruction.shape.element_count()
             : instruction.get<int64_t>("delta");
}

/// The state plus a number that may be negative, modulo 2^128.
Counter moved(Counter state, int64_t delta) {
  state = numeric::advance(state, static_cast<uint64_t>(delta));
  if (delta < 0) --state[1];  // the sign's copies in the high word
  return state;
}

/// The state after what the device drew before the explained run.
Counter state_before(const Point& point) {
  Counter state = {0, 0};
  for (const StateMove& draw : point.run.draws) {
    for (int64_t run = 0; run < draw.runs; ++run) {
      state = moved(state, delta_of(*draw.instruction));
    }
  }
  return state;
}

void tell_state(Story& story, const Counter& state) {
  const Point& point = story.point();
  story.say(fmt::format("the state of random numbers is {}{}",
                        decimal_text(state),
                        point.run.draws.empty() ? ", as at first" : ""));
  std::vector<std::string> lines;
  for (const StateMove& draw : point.run.draws) {
    lines.push_back(fmt::format(
        "%{} moved it on by {}{}", draw.instruction->name,
        delta_of(*draw.instruction),
        draw.runs == 1 ? "" : fmt::format(", {} times", draw.runs)));
  }
  list_terms(story, lines);
}

// ---------------------------------------------------------------------- rng

/// What an element is drawn from: its block as two halves, the lower first.
struct Drawn {
  Words words;

  uint64_t low() const { return words[0] | (uint64_t{words[1]} << 32U); }

  uint64_t high() const { return words[2] | (uint64_t{words[3]} << 32U); }
};

Drawn draw(Story& story, const Counter& state) {
  const Point& point = story.point();
  const Counter counter =
      numeric::advance(state, static_cast<uint64_t>(point.position));
  const Drawn drawn{numeric::philox4x32(counter, 0)};
  story.say(
      fmt::format("element {} in row-major order takes the block of "
                  "Philox4x32-10 with key 0 and counter {} + {} = {}",
                  point.position, decimal_text(state), point.position,
                  decimal_text(counter)));
  story.say(fmt::format("its words, the lowest first: {:08x}",
                        fmt::join(drawn.words, " ")));
  return drawn;
}

void explain_uniform_integer(Story& story, const Drawn& drawn) {
  const Point& point = story.point();
  const Scalar from = point.run.operands[0].scalar();
  const Fraction a = *number_of(from);
  const Fraction b = *number_of(point.run.operands[1].scalar());
  if (!(a < b)) {
    return story.copy_of(from, "a, as no integer is from a to below b");
  }
  const Fraction all = wide({drawn.low(), drawn.high()});
  const Fraction share =
      ((b - a) * all / Fraction::power_of_two(128)).truncated();
  story.say(fmt::format("R = 0x{:016x}{:016x}, all of them as one number",
                        drawn.high(), drawn.low()));
  story.say(fmt::format("floor((b - a) R / 2^128) = floor({} R / 2^128) = {}",
                        to_text(b - a), to_text(share)));
  const Scalar result = point.result();
  story.say(fmt::format("a + {} = {}: {}", to_text(share), to_text(a + share),
                        value_text(result)));
  story.note_steps(a + share == *number_of(result));
}

/// The largest code that is no larger than the number; nothing where the
/// format has none next to it.
std::optional<uint64_t> rounded_down(const Fraction& value,
                                     const numeric::FloatFormat& format) {
  const numeric::Rounded nearest = value.round(format);
  if (nearest.side >= 0) return nearest.bits;
  return numeric::from_ordinal(numeric::ordinal(nearest.bits, format) - 1,
                               format);
}

void explain_uniform_float(Story& story, const Drawn& drawn) {
  const Point& point = story.point();
  const numeric::FloatFormat& format = numeric::format(point.array.type());
  const Scalar from = point.run.operands[0].scalar();
  const double a = parts_of(from)[0];
  const double b = parts_of(point.run.operands[1].scalar())[0];
  const Scalar result = point.result();
  if (a == b) return story.copy_of(from, "a, as b is a, too");
  if (!(a < b) || std::isinf(a) || std::isinf(b)) {
    return story.say("a is not below b, or one of them is no number: " +
                     value_text(result));
  }
  const int p = format.precision();
  const uint64_t m = drawn.high() >> static_cast<unsigned>(64 - p);
  const Fraction u = Fraction::of(m) * Fraction::power_of_two(-p);
  story.say(fmt::format("u = {} / 2^{} = {}, of the {} highest bits", m, p,
                        to_text(u), p));
  const Fraction exact = Fraction(a) + (Fraction(b) - Fraction(a)) * u;
  story.say(fmt::format("a + (b - a) u = {}", to_text(exact)));
  story.say(fmt::format("rounded down in {}, so that it is never b: {}",
                        info(result.type).name, value_text(result)));
  const auto stated = rounded_down(exact, format);
  const bool zero = exact.sign() == 0 && parts_of(result)[0] == 0;
  story.note_steps(zero || !stated || *stated == result.bits[0]);
}

/// f(x) rounded to f64, as the reference takes it.
double rounded_function(numeric::Function function, double x) {
  const numeric::FloatFormat& format = numeric::format(ElementType::kF64);
  return std::bit_cast<double>(
      numeric::round_function(function, std::bit_cast<uint64_t>(x), format)
          .bits);
}

std::string double_text(double x) {
  return text::print(
      Scalar{ElementType::kF64, {std::bit_cast<uint64_t>(x), 0}});
}

void explain_normal(Story& story, const Drawn& drawn) {
  const Point& point = story.point();
  const double a = parts_of(point.run.operands[0].scalar())[0];
  const double b = parts_of(point.run.operands[1].scalar())[0];
  const double u = static_cast<double>((drawn.high() >> 11U) + 1) * 0x1p-53;
  const double v = static_cast<double>(drawn.low() >> 11U) * 0x1p-53;
  story.say(fmt::format("u = ({} + 1) / 2^53 = {}, of the 53 highest bits",
                        drawn.high() >> 11U, double_text(u)));
  story.say(fmt::format(
      "v = {} / 2^53 = {}, of the 53 highest bits of the lower two words",
      drawn.low() >> 11U, double_text(v)));
  const double logarithm = rounded_function(numeric::Function::kLog, u);
  const double radius = std::sqrt(-2 * logarithm);
  const double angle = 2 * std::numbers::pi * v;
  const double cosine = rounded_function(numeric::Function::kCosine, angle);
  const double z = radius * cosine;
  story.say(fmt::format("sqrt(-2 log u) = sqrt(-2 * {}) = {}",
                        double_text(logarithm), double_text(radius)));
  story.say(fmt::format("cos(2pi v) = cos {} = {}", double_text(angle),
                        double_text(cosine)));
  story.say(fmt::format("z = {} * {} = {}, each operation rounded to f64",
                        double_text(radius), double_text(cosine),
                        double_text(z)));
  if (!std::isfinite(a) || !std::isfinite(b)) {
    return story.say("a + b z in the arithmetic of infinities and NaN: " +
                     value_text(point.result()));
  }
  story.round("a + b z",
              RealValue::of(Fraction(a) + Fraction(b) * Fraction(z)));
}

/// Whether the state that is known gives the result: a region that is applied
/// to elements draws unseen.
bool gives_result(const Point& point, const Counter& state) {
  Evaluator evaluator(kReference);
  evaluator.random_state() = state;
  const Literal again =
      evaluate_instruction(point.instruction(), point.run.operands, evaluator);
  return again.at(point.position) == point.result();
}

// -------------------------------------------------------- rng-bit-generator

/// The generator, its state before, and what the result is made of.
struct Generator {
  bool is_three_fry;
  uint64_t key;
  Counter counter;
  const Shape& bits;

  explicit Generator(const Point& point)
      : is_three_fry(point.instruction().get<Word>("algorithm").value ==
                     "rng_three_fry"),
        key(word(point, 0)),
        counter{word(point, 1), 0},
        bits(point.instruction().shape.tuple_shapes[1]) {
    if (is_three_fry) return;
    counter[1] = has_high(point) ? word(point, 2) : key;
  }

  static uint64_t word(const Point& point, int64_t k) {
    return point.run.operands[0].at(k).bits[0];
  }

  static bool has_high(const Point& point) {
    return point.run.operands[0].element_count() == 3;
  }

  std::string name() const {
    return is_three_fry ? "Threefry2x32-20" : "Philox4x32-10";
  }

  bool is_wide() const { return hlo::bits(bits.element_type) > 32; }

  /// The first word of an element.
  WordPlace place_of(int64_t position) const {
    if (is_wide()) {
      const int64_t each = is_three_fry ? 1 : 2;
      return {.block = position / each, .word = position % each * 2};
    }
    if (is_three_fry) return find_pairs(bits.dims).place_of(position);
    return {.block = position / 4, .word = position % 4};
  }

  int64_t blocks() const {
    const int64_t n = bits.element_count();
    if (n == 0) return 0;
    if (is_three_fry && !is_wide()) return find_pairs(bits.dims).blocks();
    const int64_t each = is_three_fry ? 1 : is_wide() ? 2 : 4;
    return (n + each - 1) / each;
  }

  Counter counter_of(int64_t block) const {
    Counter next = numeric::advance(counter, static_cast<uint64_t>(block));
    if (is_three_fry) next[1] = 0;
    return next;
  }

  std::vector<uint32_t> words_of(int64_t block) const {
    if (is_three_fry) {
      const auto words = numeric::threefry2x32(counter_of(block)[0], key);
      return {words.begin(), words.end()};
    }
    const auto words = numeric::philox4x32(counter_of(block), key);
    return {words.begin(), words.end()};
  }
};

void tell_given_state(Story& story, const Generator& generator) {
  story.say("the key is " + story.operand(0, 0));
  const bool high = Generator::has_high(story.point());
  story.say(
      fmt::format("the counter is {}{}", story.operand(0, 1),
                  generator.is_three_fry
                      ? ""
                      : fmt::format(", and above it, as its upper 64 bits, {}",
                                    high ? story.operand(0, 2) : "the key")));
}

void explain_new_state(Story& story, const Generator& generator) {
  const Point& point = story.point();
  const int64_t word = point.position;
  if (word == 0) {
    story.say("the key stays");
    return story.copy(0, 0);
  }
  tell_given_state(story, generator);
  const int64_t blocks = generator.blocks();
  const Counter next = generator.counter_of(blocks);
  story.say(fmt::format("the counter plus the {} begun = {}",
                        counted(blocks, "block that was", "blocks that were"),
                        decimal_text(next)));
  const uint64_t stated = next.at(static_cast<size_t>(word - 1));
  story.say(fmt::format("{}: {}",
                        word == 1 ? "its lower 64 bits" : "its upper 64 bits",
                        value_text(point.result())));
  story.note_steps(stated == point.result().bits[0]);
}

/// How the elements are dealt out to the blocks' words.
std::string order_text(const Generator& generator) {
  if (!generator.is_three_fry || generator.is_wide()) {
    return "in row-major order";
  }
  if (generator.bits.dims.empty()) return "of a scalar";
  return fmt::format("where blocks take pairs along dimension {}",
                     find_pairs(generator.bits.dims).dimension);
}

void explain_generated(Story& story, const Generator& generator) {
  const Point& point = story.point();
  tell_given_state(story, generator);
  const WordPlace place = generator.place_of(point.position);
  story.say(fmt::format(
      "element {}, {}, has word {}{} of block {}: {} of the key and counter {}",
      index_text(point.index), order_text(generator), place.word,
      generator.is_wide() ? fmt::format(" and, above it, {}", place.word + 1)
                          : "",
      place.block, generator.name(),
      decimal_text(generator.counter_of(place.block))));
  const std::vector<uint32_t> words = generator.words_of(place.block);
  story.say(fmt::format("the words of that block, the lowest first: {:08x}",
                        fmt::join(words, " ")));
  const auto first = static_cast<size_t>(place.word);
  uint64_t stated = words[first];
  const int width = bits(point.array.type());
  if (generator.is_wide()) stated |= uint64_t{words[first + 1]} << 32U;
  stated &= ~uint64_t{0} >> static_cast<unsigned>(64 - width);
  story.say(fmt::format(
      "{}{}",
      width < 32 ? fmt::format("its lowest {}: ", counted(width, "bit"))
                 : "that is ",
      value_text(point.result())));
  story.note_steps(stated == point.result().bits[0]);
}

}  // namespace

void explain_rng(Story& story) {
  const Point& point = story.point();
  const bool normal =
      point.instruction().get<Word>("distribution").value == "rng_normal";
  story.say(fmt::format("{}, with a = {} and b = {}",
                        normal ? "normal with mean a and standard deviation b"
                               : "uniform from a to below b",
                        story.operand(0, 0), story.operand(1, 0)));
  const Counter state = state_before(point);
  if (!gives_result(point, state)) {
    return story.say(
        "the state is not known, as regions that are applied to elements have "
        "moved it on, too: " +
        value_text(point.result()));
  }
  tell_state(story, state);
  const Drawn drawn = draw(story, state);
  if (normal) return explain_normal(story, drawn);
  if (is_float(point.array.type())) return explain_uniform_float(story, drawn);
  explain_uniform_integer(story, drawn);
}

void explain_random_state(Story& story) {
  const Point& point = story.point();
  const Counter state = state_before(point);
  const uint64_t stated = state.at(static_cast<size_t>(point.position));
  if (stated != point.result().bits[0]) {
    return story.say(
        "the state, which regions that are applied to elements have moved on, "
        "too: " +
        value_text(point.result()));
  }
  tell_state(story, state);
  story.say(fmt::format("its {} 64 bits: {}",
                        point.position == 0 ? "lower" : "upper",
                        value_text(point.result())));
  story.say(
      fmt::format("behind it the state is {}",
                  decimal_text(moved(state, delta_of(point.instruction())))));
}

void explain_random_bits(Story& story) {
  const Point& point = story.point();
  const Generator generator(point);
  if (point.instruction().get<Word>("algorithm").value == "rng_default") {
    story.say("the default generator of the reference is Philox");
  }
  if (point.tuple_index == Ints{0}) return explain_new_state(story, generator);
  explain_generated(story, generator);
}

}  // namespace hlo::conformance
