#include "interpreter/convert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "interpreter/elementwise.h"
#include "interpreter/evaluate.h"

namespace hlo {
namespace {

constexpr int64_t kPiece = 512;

/// Staged elements (elementwise.h) of one class to those of another.
using Step = void (*)(const std::byte* from, int64_t n, const TypeInfo& to,
                      std::byte* result);

template <typename From, typename To, typename F>
void convert_each(const std::byte* from, int64_t n, std::byte* result,
                  const F& f) {
  loops::each(f, n, reinterpret_cast<To*>(result),
              reinterpret_cast<const From*>(from));
}

template <typename From>
void to_pred(const std::byte* from, int64_t n, const TypeInfo&,
             std::byte* result) {
  convert_each<From, uint8_t>(
      from, n, result, [](From x) { return static_cast<uint8_t>(x != 0); });
}

template <typename From>
void to_integer(const std::byte* from, int64_t n, const TypeInfo&,
                std::byte* result) {
  convert_each<From, uint64_t>(from, n, result,
                               [](From x) { return static_cast<uint64_t>(x); });
}

void to_signed(const std::byte* from, int64_t n, const TypeInfo& to,
               std::byte* result) {
  const double end = std::ldexp(1.0, to.bits - 1);
  const auto most = static_cast<int64_t>((uint64_t{1} << (to.bits - 1)) - 1);
  convert_each<double, int64_t>(from, n, result, [=](double x) {
    if (x >= end) return most;
    if (x < -end) return -most - 1;
    return std::isnan(x) ? 0 : static_cast<int64_t>(x);
  });
}

void to_unsigned(const std::byte* from, int64_t n, const TypeInfo& to,
                 std::byte* result) {
  const double end = std::ldexp(1.0, to.bits);
  const uint64_t most = ~uint64_t{0} >> (64 - to.bits);
  convert_each<double, uint64_t>(from, n, result, [=](double x) {
    if (x >= end) return most;
    return x > 0 ? static_cast<uint64_t>(x) : 0;
  });
}

/// An integer as a double that any narrower format rounds as the integer
/// itself: of those of more than 53 bits the last one tells that there are
/// more (rounding to odd).
template <typename T>
double to_odd_double(T x) {
  constexpr uint64_t kBelow = (1 << 11) - 1;
  const auto bits = static_cast<uint64_t>(x);
  const double nearest = static_cast<double>(x);
  if (std::abs(nearest) < 0x1p53 || (bits & kBelow) == 0) return nearest;
  return static_cast<double>(static_cast<T>((bits & ~kBelow) | (kBelow + 1)));
}

template <typename From>
double to_double(From x, bool is_f64) {
  if constexpr (sizeof(From) == 8 && std::is_integral_v<From>) {
    return is_f64 ? static_cast<double>(x) : to_odd_double(x);
  } else {
    return static_cast<double>(x);
  }
}

template <typename From>
void to_real(const std::byte* from, int64_t n, const TypeInfo& to,
             std::byte* result) {
  const bool is_f64 = to.type == ElementType::kF64;
  convert_each<From, double>(from, n, result,
                             [=](From x) { return to_double(x, is_f64); });
}

template <typename From>
void to_complex(const std::byte* from, int64_t n, const TypeInfo& to,
                std::byte* result) {
  const bool is_f64 = to.type == ElementType::kC128;
  convert_each<From, Complex>(from, n, result, [=](From x) {
    return Complex{to_double(x, is_f64), 0.0};
  });
}

void copy_complex(const std::byte* from, int64_t n, const TypeInfo&,
                  std::byte* result) {
  std::memcpy(result, from, static_cast<size_t>(n) * sizeof(Complex));
}

template <typename From>
Step step_from(TypeClass to) {
  switch (to) {
    case TypeClass::kPred:
      return to_pred<From>;
    case TypeClass::kSigned:
      if constexpr (std::is_floating_point_v<From>) return to_signed;
      return to_integer<From>;
    case TypeClass::kUnsigned:
      if constexpr (std::is_floating_point_v<From>) return to_unsigned;
      return to_integer<From>;
    case TypeClass::kFloat:
      return to_real<From>;
    case TypeClass::kComplex:
      return to_complex<From>;
    case TypeClass::kNone:
      break;
  }
  return nullptr;
}

Step find_step(ElementType from, ElementType to) {
  switch (type_class(from)) {
    case TypeClass::kPred:
      return step_from<uint8_t>(type_class(to));
    case TypeClass::kSigned:
      return step_from<int64_t>(type_class(to));
    case TypeClass::kUnsigned:
      return step_from<uint64_t>(type_class(to));
    case TypeClass::kFloat:
      return step_from<double>(type_class(to));
    case TypeClass::kComplex:
      return copy_complex;
    case TypeClass::kNone:
      break;
  }
  return nullptr;
}

}  // namespace

void convert_elements(ElementType from, const std::byte* source, int64_t n,
                      ElementType to, std::byte* target) {
  if (from == to) {
    std::memcpy(target, source, static_cast<size_t>(n * storage_bytes(to)));
    return;
  }
  const Step step = find_step(from, to);
  std::array<Complex, kPiece> loaded;
  std::array<Complex, kPiece> converted;
  auto* const wide = reinterpret_cast<std::byte*>(loaded.data());
  auto* const result = reinterpret_cast<std::byte*>(converted.data());
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    const int64_t count = std::min(kPiece, n - begin);
    loops::load_staged(from, source + begin * storage_bytes(from), count, wide);
    step(wide, count, info(to), result);
    loops::store_staged(to, result, count, target + begin * storage_bytes(to));
  }
}

Literal convert_literal(const Literal& literal, ElementType to,
                        const Evaluator& evaluator) {
  if (literal.type() == to) return literal;
  constexpr int64_t kGrain = 65536;
  Shape shape = literal.shape();
  shape.element_type = to;
  Literal result = Literal::uninitialized(shape);
  const std::byte* source = literal.bytes().data();
  std::byte* target = result.mutable_bytes().data();
  evaluator.parallel_for(
      literal.element_count(), kGrain, [&](int64_t begin, int64_t end) {
        convert_elements(literal.type(),
                         source + begin * storage_bytes(literal.type()),
                         end - begin, to, target + begin * storage_bytes(to));
      });
  result.set_dynamic_sizes(literal.dynamic_sizes());
  return result;
}

}  // namespace hlo
