#include "backends/cpu/functions/comparison_functions.h"

#include "backends/cpu/arrays/converted.h"
#include "backends/cpu/arrays/map_elements.h"

namespace hlo::cpu {
namespace {

template <typename T>
bool holds(const std::string& direction, T x, T y) {
  if (direction == "EQ") return x == y;
  if (direction == "NE") return x != y;
  if constexpr (kIsFloat<T> || kIsInteger<T>) {
    if (direction == "LT") return x < y;
    if (direction == "LE") return x <= y;
    if (direction == "GT") return x > y;
    return x >= y;
  } else {
    throw Unsupported("the order of complex numbers");
  }
}

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

std::vector<int64_t> total_orders(const Array& array) {
  std::vector<int64_t> keys;
  Array codes = array;
  using enum ElementType;
  constexpr ElementType kBySize[] = {kU8, kU16, kU32, kU32, kU64};
  codes.shape.element_type = kBySize[array.width() / 2];
  for (const uint64_t code : load<uint64_t>(codes)) {
    keys.push_back(total_order(code, array.shape.element_type));
  }
  return keys;
}

template <typename T>
Array compare_all(const Instruction& instruction, const std::vector<T>& left,
                  const std::vector<T>& right) {
  const std::string& direction = instruction.get<Word>("direction").value;
  std::vector<uint64_t> result(left.size());
  for (size_t i = 0; i < left.size(); ++i) {
    result[i] = holds(direction, left[i], right[i]) ? 1 : 0;
  }
  return store<uint64_t>(instruction.shape, result);
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
    return compare_all(instruction, total_orders(*operands[0]),
                       total_orders(*operands[1]));
  }
  return with_host_type(type, [&](auto tag) {
    using T = decltype(tag);
    return compare_all(instruction, load<T>(*operands[0]),
                       load<T>(*operands[1]));
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
