#include "backends/cpu/functions/random/distributions.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "backends/cpu/arrays/float_steps.h"
#include "backends/cpu/arrays/map_elements.h"
#include "backends/cpu/arrays/wide_numbers.h"
#include "backends/cpu/functions/random/generators.h"

namespace hlo::cpu {
namespace {

/// The low and the high half of a block.
Counter block_at(const Counter& state, uint64_t i) {
  const std::array<uint32_t, 4> words = philox(advanced(state, i), 0);
  return {words[0] | uint64_t{words[1]} << 32,
          words[2] | uint64_t{words[3]} << 32};
}

/// The 53 highest bits as a number below 1.
double fraction(uint64_t bits) {
  return std::ldexp(static_cast<double>(bits >> 11), -53);
}

/// The highest number of the type that is not above `value`.
double rounded_down(double value, ElementType type) {
  if (type == ElementType::kF64) return value;
  const double nearest = nearest_of(value, type);
  if (!(nearest > value)) return nearest;
  return (nearest > 0 ? next_towards_zero(nearest, type)
                      : next_away(-std::fabs(nearest), type))
      .value_or(nearest);
}

double uniform_float(double a, double b, uint64_t bits, ElementType type) {
  if (a == b) return a;
  if (!(a < b) || std::isinf(a) || std::isinf(b)) return std::nan("");
  const double u = fraction(bits);
  const double value = rounded_down(a * (1 - u) + b * u, type);
  return value >= a && value < b ? value : a;
}

/// sqrt(-2 log u) cos(2 pi v) (Box and Muller, 1958).
double normal(const Counter& block) {
  const double u = std::ldexp(static_cast<double>(block[1] >> 11) + 1, -53);
  return std::sqrt(-2 * std::log(u)) *
         std::cos(2 * std::numbers::pi * fraction(block[0]));
}

Array floats(const Instruction& instruction, Operands operands,
             const Counter& state) {
  const ElementType type = instruction.shape.element_type;
  const bool is_normal =
      instruction.get<Word>("distribution").value == "rng_normal";
  const double a = wide_reals(*operands[0]).at(0);
  const double b = wide_reals(*operands[1]).at(0);
  std::vector<double> values(
      static_cast<size_t>(instruction.shape.element_count()));
  for (size_t i = 0; i < values.size(); ++i) {
    const Counter block = block_at(state, i);
    if (!is_normal) {
      values[i] = uniform_float(a, b, block[1], type);
    } else {
      values[i] = b == 0 ? a : a + b * normal(block);
    }
  }
  return rounded(instruction.shape, values);
}

/// floor(span * bits / 2^64).
uint64_t share(uint64_t span, uint64_t bits) {
  constexpr uint64_t kLow = 0xffffffff;
  const uint64_t low = (span & kLow) * (bits & kLow);
  const uint64_t left = (span >> 32) * (bits & kLow) + (low >> 32);
  const uint64_t right = (span & kLow) * (bits >> 32) + (left & kLow);
  return (span >> 32) * (bits >> 32) + (left >> 32) + (right >> 32);
}

template <typename T>
Array whole_numbers(const Instruction& instruction, Operands operands,
                    const Counter& state) {
  const T a = load<T>(*operands[0]).at(0);
  const T b = load<T>(*operands[1]).at(0);
  const uint64_t span =
      b <= a ? 0 : static_cast<uint64_t>(b) - static_cast<uint64_t>(a);
  std::vector<T> values(static_cast<size_t>(instruction.shape.element_count()));
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>(static_cast<uint64_t>(a) +
                               share(span, block_at(state, i)[1]));
  }
  return store<T>(instruction.shape, values);
}

}  // namespace

Array random_numbers(const Instruction& instruction, Operands operands) {
  const Counter state = random_state();
  const auto count = static_cast<uint64_t>(instruction.shape.element_count());
  random_state() = advanced(state, count);
  return with_host_type(instruction.shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (kIsInteger<T>) {
      return whole_numbers<T>(instruction, operands, state);
    } else if constexpr (kIsFloat<T>) {
      return floats(instruction, operands, state);
    } else {
      throw Unsupported("random complex numbers");
      return Array();
    }
  });
}

}  // namespace hlo::cpu
