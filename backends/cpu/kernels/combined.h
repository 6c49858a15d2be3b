#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "backends/cpu/kernels/short_floats.h"
#include "interpreter/model/element_type.h"

namespace hlo::cpu {

/// How two numbers of one type become one. Integers wrap; of the maximum and
/// minimum of floats NaN wins, and -0 lies below +0. Complex ones are added and
/// multiplied, by the textbook's formula.
enum class Combine : uint8_t {
  kSecond,  // the other one
  kAdd,
  kMultiply,
  kMinimum,
  kMaximum,
  kAnd,
  kOr,
};

template <Combine kHow, typename T>
T combined_integers(T x, T y) {
  if constexpr (kHow == Combine::kMinimum) return x < y ? x : y;
  if constexpr (kHow == Combine::kMaximum) return x < y ? y : x;
  const auto word = [](T number) -> uint64_t {
    return static_cast<std::make_unsigned_t<T>>(number);
  };
  const uint64_t a = word(x);
  const uint64_t b = word(y);
  if constexpr (kHow == Combine::kAdd) return static_cast<T>(a + b);
  if constexpr (kHow == Combine::kMultiply) return static_cast<T>(a * b);
  return static_cast<T>(kHow == Combine::kAnd ? (a & b) : (a | b));
}

template <Combine kHow, typename T>
T combined_floats(T x, T y) {
  if constexpr (kHow == Combine::kAdd) return x + y;
  if constexpr (kHow == Combine::kMultiply) return x * y;
  if (std::isnan(x) || std::isnan(y)) return x + y;
  constexpr bool kLarger = kHow == Combine::kMaximum;
  if (x == y) return std::signbit(x) == kLarger ? y : x;
  return (x < y) == kLarger ? y : x;
}

template <Combine kHow, typename T>
std::complex<T> combined_complex(std::complex<T> x, std::complex<T> y) {
  if constexpr (kHow == Combine::kAdd) return x + y;
  return {x.real() * y.real() - x.imag() * y.imag(),
          x.real() * y.imag() + x.imag() * y.real()};
}

template <Combine kHow, typename T>
T combined(T x, T y) {
  if constexpr (kHow == Combine::kSecond) {
    return y;
  } else if constexpr (std::is_integral_v<T>) {
    return combined_integers<kHow>(x, y);
  } else if constexpr (std::is_floating_point_v<T>) {
    return combined_floats<kHow>(x, y);
  } else if constexpr (std::is_same_v<T, Bf16> || std::is_same_v<T, F16>) {
    return T(
        combined_floats<kHow>(static_cast<float>(x), static_cast<float>(y)));
  } else {
    return combined_complex<kHow>(x, y);
  }
}

/// Calls visitor(T{}) with the type of the numbers as they lie in memory, of
/// integers of at least 8 bits, f32 and f64; false of others. A pred is a
/// number of 8 bits.
template <typename Visitor>
bool with_number(ElementType type, const Visitor& visitor) {
  switch (type) {
    case ElementType::kPred:
    case ElementType::kU8:
      return visitor(uint8_t{}), true;
    case ElementType::kS8:
      return visitor(int8_t{}), true;
    case ElementType::kU16:
      return visitor(uint16_t{}), true;
    case ElementType::kS16:
      return visitor(int16_t{}), true;
    case ElementType::kU32:
      return visitor(uint32_t{}), true;
    case ElementType::kS32:
      return visitor(int32_t{}), true;
    case ElementType::kU64:
      return visitor(uint64_t{}), true;
    case ElementType::kS64:
      return visitor(int64_t{}), true;
    case ElementType::kF32:
      return visitor(float{}), true;
    case ElementType::kF64:
      return visitor(double{}), true;
    default:
      return false;
  }
}

/// with_number, and complex numbers.
template <typename Visitor>
bool with_element(ElementType type, const Visitor& visitor) {
  if (type == ElementType::kC64) return visitor(std::complex<float>()), true;
  if (type == ElementType::kC128) return visitor(std::complex<double>()), true;
  return with_number(type, visitor);
}

/// with_element, and bf16 and f16, of which each combination is rounded.
template <typename Visitor>
bool with_stored_element(ElementType type, const Visitor& visitor) {
  if (type == ElementType::kBF16) return visitor(Bf16()), true;
  if (type == ElementType::kF16) return visitor(F16()), true;
  return with_element(type, visitor);
}

/// Calls visitor(constant) with std::integral_constant<Combine, how>.
template <typename Visitor>
void with_combine(Combine how, const Visitor& visitor) {
  const auto visit = [&]<Combine kHow>() {
    visitor(std::integral_constant<Combine, kHow>());
  };
  switch (how) {
    case Combine::kSecond:
      return visit.template operator()<Combine::kSecond>();
    case Combine::kAdd:
      return visit.template operator()<Combine::kAdd>();
    case Combine::kMultiply:
      return visit.template operator()<Combine::kMultiply>();
    case Combine::kMinimum:
      return visit.template operator()<Combine::kMinimum>();
    case Combine::kMaximum:
      return visit.template operator()<Combine::kMaximum>();
    case Combine::kAnd:
      return visit.template operator()<Combine::kAnd>();
    case Combine::kOr:
      return visit.template operator()<Combine::kOr>();
  }
}

/// Whether there are loops that combine numbers of the type so. Floats and
/// complex numbers are no bits; others are type_of_loops().
template <Combine kHow, typename T>
constexpr bool has_loops() {
  constexpr bool kCompares =
      kHow == Combine::kMinimum || kHow == Combine::kMaximum;
  constexpr bool kSums = kHow == Combine::kAdd || kHow == Combine::kMultiply;
  if (std::is_unsigned_v<T>) return true;
  if (std::is_integral_v<T>) return kCompares;
  const bool is_complex = std::is_same_v<T, std::complex<float>> ||
                          std::is_same_v<T, std::complex<double>>;
  return kSums || (is_complex ? kHow == Combine::kSecond : kCompares);
}

/// The type whose loops combine numbers of this one so, with the same bits.
constexpr ElementType type_of_loops(Combine how, ElementType type) {
  using enum ElementType;
  const bool compares = how == Combine::kMinimum || how == Combine::kMaximum;
  if (compares) return type;
  if (type == kS8) return kU8;
  if (type == kS16) return kU16;
  if (type == kS32) return kU32;
  if (type == kS64) return kU64;
  if (how != Combine::kSecond) return type;
  if (type == kBF16 || type == kF16) return kU16;
  if (type == kF32) return kU32;
  return type == kF64 ? kU64 : type;
}

/// Calls visitor(T{}, constant) with the type of the loops that combine numbers
/// of this one so, and with_combine()'s constant; of bf16 and f16 only where
/// the loops have them (`kShort`). False where there are none.
template <bool kShort, typename Visitor>
bool with_loops(Combine how, ElementType type, const Visitor& visitor) {
  bool are_there = false;
  const auto visit = [&](auto number) {
    using T = decltype(number);  // g++ 12 takes another one further in
    with_combine(how, [&](auto constant) {
      if constexpr (has_loops<decltype(constant)::value, T>()) {
        visitor(T{}, constant);
        are_there = true;
      }
    });
  };
  const ElementType own = type_of_loops(how, type);
  if constexpr (kShort) {
    with_stored_element(own, visit);
  } else {
    with_element(own, visit);
  }
  return are_there;
}

}  // namespace hlo::cpu
