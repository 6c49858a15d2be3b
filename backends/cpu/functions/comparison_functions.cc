#include "backends/cpu/functions/comparison_functions.h"

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/cpu/arrays/converted.h"
#include "backends/cpu/arrays/map_elements.h"

namespace hlo::cpu {
namespace {

/// A float's place in the total order, from its stored bits.
int64_t total_order(uint64_t code, ElementType type) {
  using enum ElementType;
  if (type == kF8E8M0FNU) return static_cast<int64_t>(code);
  const uint64_t sign = uint64_t{1} << (bits(type) - 1);
  const bool one_zero =
      type == kF8E4M3B11FNUZ || type == kF8E4M3FNUZ || type == kF8E5M2FNUZ;
  if (one_zero && code == sign) return INT64_MIN;
  const auto magnitude = static_cast<int64_t>(code & (sign - 1));
  if ((code & sign) == 0) return magnitude;
  return one_zero ? -magnitude : -magnitude - 1;
}

/// The array's bits as unsigned numbers.
Array codes_of(const Array& array) {
  Array codes = array;
  using enum ElementType;
  constexpr ElementType kBySize[] = {kU8, kU16, kU32, kU32, kU64};
  codes.shape.element_type = kBySize[array.width() / 2];
  return codes;
}

std::vector<int64_t> total_orders(const Array& array) {
  std::vector<int64_t> keys;
  for (const uint64_t code : load<uint64_t>(codes_of(array))) {
    keys.push_back(total_order(code, array.shape.element_type));
  }
  return keys;
}

/// Compares what `key` makes of numbers of T, in the instruction's direction.
template <typename T, typename F>
Array compare_all(const Instruction& instruction, Operands operands, F key) {
  using Key = std::decay_t<decltype(key(T{}))>;
  const auto by = [&](auto relation) {
    return filled_from_pairs<uint64_t, T>(
        instruction.shape, operands,
        [=](T x, T y) { return relation(key(x), key(y)); });
  };
  const std::string& direction = instruction.get<Word>("direction").value;
  if (direction == "EQ") return by(std::equal_to<>());
  if (direction == "NE") return by(std::not_equal_to<>());
  if constexpr (kIsFloat<Key> || kIsInteger<Key>) {
    if (direction == "LT") return by(std::less<>());
    if (direction == "LE") return by(std::less_equal<>());
    if (direction == "GT") return by(std::greater<>());
    return by(std::greater_equal<>());
  } else {
    throw Unsupported("the order of complex numbers");
  }
}

Array compare(const Instruction& instruction, Operands operands) {
  const ElementType type = operands[0]->shape.element_type;
  if (type != operands[1]->shape.element_type) {
    // f64 holds the values of all other floats.
    const Array left = converted(*operands[0], ElementType::kF64);
    const Array right = converted(*operands[1], ElementType::kF64);
    const Array* const wide[] = {&left, &right};
    return compare(instruction, wide);
  }
  const bool total =
      instruction.get_or<Word>("type", Word{}).value == "TOTALORDER";
  if (total && is_float(type)) {
    const Array left = codes_of(*operands[0]);
    const Array right = codes_of(*operands[1]);
    const Array* const codes[] = {&left, &right};
    return compare_all<uint64_t>(instruction, codes, [type](uint64_t code) {
      return total_order(code, type);
    });
  }
  return with_host_type(type, [&](auto tag) {
    using T = decltype(tag);
    return compare_all<T>(instruction, operands, std::identity());
  });
}

}  // namespace

std::vector<int64_t> order_keys(const Array& array) {
  const ElementType type = array.shape.element_type;
  if (is_float(type)) return total_orders(array);
  if (is_signed(type)) return load<int64_t>(array);
  std::vector<int64_t> keys;
  for (const uint64_t value : load<uint64_t>(array)) {
    keys.push_back(static_cast<int64_t>(value ^ (uint64_t{1} << 63)));
  }
  return keys;
}

Functions comparison_functions() { return {{"compare", compare}}; }

}  // namespace hlo::cpu
