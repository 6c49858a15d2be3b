#include "conformance/random/draw.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/random/random.h"

namespace hlo::conformance {

namespace {

constexpr int64_t kLongDimension = 4000;

std::vector<uint64_t> special_codes(const numeric::FloatFormat& format) {
  std::vector<uint64_t> codes;
  for (const double value : {0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e300, -1e300}) {
    codes.push_back(numeric::encode(value, format));
  }
  codes.push_back(numeric::encode(HUGE_VAL, format));
  codes.push_back(numeric::encode(-HUGE_VAL, format));
  if (format.has_nan()) codes.push_back(format.quiet_nan());
  return codes;
}

}  // namespace

uint64_t Draw::bits() {
  const auto words = numeric::philox4x32(counter_, seed_);
  counter_ = numeric::advance(counter_, 1);
  return words[0] | (uint64_t{words[1]} << 32);
}

int64_t Draw::between(int64_t low, int64_t high) {
  const auto n = static_cast<uint64_t>(high - low + 1);
  return low + static_cast<int64_t>(bits() % n);
}

std::vector<int64_t> Draw::permutation(int64_t n) {
  std::vector<int64_t> result;
  for (int64_t i = 0; i < n; ++i) {
    result.push_back(i);
    std::swap(result.back(), result[static_cast<size_t>(between(0, i))]);
  }
  return result;
}

std::vector<int64_t> Draw::distinct(int64_t n, int64_t count) {
  std::vector<int64_t> result = permutation(n);
  result.resize(static_cast<size_t>(std::min(n, count)));
  return result;
}

std::vector<int64_t> Draw::subset(int64_t n) {
  std::vector<int64_t> result = distinct(n, between(0, n));
  std::ranges::sort(result);
  return result;
}

ElementType Draw::type() {
  constexpr std::array kUsual = {ElementType::kF32,  ElementType::kF64,
                                 ElementType::kBF16, ElementType::kS32,
                                 ElementType::kC64,  ElementType::kF16,
                                 ElementType::kU32,  ElementType::kPred};
  if (one_in(2)) return of(kUsual);
  const auto types = all_types();
  for (;;) {
    const ElementType type = of(types).type;
    if (is_array_type(type)) return type;
  }
}

std::vector<int64_t> Draw::dims() {
  constexpr std::array kRanks = {0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4};
  std::vector<int64_t> result(static_cast<size_t>(of(kRanks)));
  for (int64_t& size : result) size = one_in(16) ? 0 : between(1, 5);
  if (!result.empty() && result.size() < 3 && one_in(20)) {
    result.back() = between(1, kLongDimension);
  }
  return result;
}

uint64_t Draw::code(ElementType type, int64_t style) {
  const uint64_t mask = ~uint64_t{0} >> (64 - hlo::bits(type));
  if (!is_float(type)) {
    return (style < 3 ? static_cast<uint64_t>(between(0, 4)) : bits()) & mask;
  }
  const numeric::FloatFormat& format = numeric::format(type);
  switch (style) {
    case 0:
      return numeric::encode(static_cast<double>(between(-4, 4)), format);
    case 1:
      return numeric::encode(static_cast<double>(between(-99, 99)) / 16,
                             format);
    case 2:
      return bits() & mask;
    case 3:
      return bits() & ((uint64_t{1} << format.mantissa_bits) - 1);
    default:
      return of(special_codes(format)) & mask;
  }
}

Literal Draw::literal(const Shape& shape) {
  if (shape.is_tuple()) {
    std::vector<Literal> elements;
    for (const Shape& element : shape.tuple_shapes) {
      elements.push_back(literal(element));
    }
    return Literal::tuple(std::move(elements));
  }
  Literal result(shape);
  const int64_t style = between(0, 4);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    Scalar scalar{shape.element_type, {}};
    const ElementType part = component_type(shape.element_type);
    scalar.bits[0] = code(part, style);
    if (is_complex(shape.element_type)) scalar.bits[1] = code(part, style);
    result.set(i, scalar);
  }
  return result;
}

}  // namespace hlo::conformance
