#include "interpreter/plans/elementwise/converted.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/run/parallel_for.h"

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
  const auto nearest = static_cast<double>(x);
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
  convert_each<From, loops::Parts>(from, n, result, [=](From x) {
    return loops::Parts{to_double(x, is_f64), 0.0};
  });
}

void copy_complex(const std::byte* from, int64_t n, const TypeInfo&,
                  std::byte* result) {
  std::memcpy(result, from, static_cast<size_t>(n) * sizeof(loops::Parts));
}

template <typename From>
Step step_from(TypeClass to) {
  constexpr bool kFromFloat = std::is_floating_point_v<From>;
  switch (to) {
    case TypeClass::kPred:
      return to_pred<From>;
    case TypeClass::kSigned:
      return kFromFloat ? to_signed : to_integer<From>;
    case TypeClass::kUnsigned:
      return kFromFloat ? to_unsigned : to_integer<From>;
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

/// A loop from storage to storage.
using Direct = void (*)(const std::byte* source, int64_t n, std::byte* target);

template <typename From, typename To, auto f>
void direct(const std::byte* source, int64_t n, std::byte* target) {
  loops::each([](From x) { return f(x); }, n, reinterpret_cast<To*>(target),
              reinterpret_cast<const From*>(source));
}

constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kNanBits = 0x7fc00000;
constexpr uint32_t kInfinityBits = 0x7f800000;

uint32_t canonical_f32(uint32_t x) {
  return (x & ~kSign) > kInfinityBits ? (x & kSign) | kNanBits : x;
}

uint16_t f32_to_bf16(uint32_t x) {
  const uint32_t rounded = x + 0x7fff + ((x >> 16) & 1);
  const bool is_nan = (x & ~kSign) > kInfinityBits;
  return static_cast<uint16_t>((is_nan ? canonical_f32(x) : rounded) >> 16);
}

uint32_t bf16_to_f32(uint16_t x) { return canonical_f32(uint32_t{x} << 16); }

uint32_t s32_to_f32(int32_t x) {
  return std::bit_cast<uint32_t>(static_cast<float>(x));
}

int32_t f32_to_s32(float x) {
  constexpr float kEnd = 0x1p31F;
  if (x >= kEnd) return std::numeric_limits<int32_t>::max();
  if (x < -kEnd) return std::numeric_limits<int32_t>::min();
  return std::isnan(x) ? 0 : static_cast<int32_t>(x);
}

double f32_to_f64(float x) {
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  return std::isnan(x) ? std::copysign(nan, std::signbit(x) ? -1.0 : 1.0) : x;
}

float f64_to_f32(double x) {
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  return std::isnan(x) ? std::copysign(nan, std::signbit(x) ? -1.0F : 1.0F)
                       : static_cast<float>(x);
}

struct DirectRow {
  ElementType from;
  ElementType to;
  Direct loop;
};

// What programs convert most: the same as the way over staged elements.
constexpr DirectRow kDirect[] = {
    {ElementType::kF32, ElementType::kBF16,
     direct<uint32_t, uint16_t, f32_to_bf16>},
    {ElementType::kBF16, ElementType::kF32,
     direct<uint16_t, uint32_t, bf16_to_f32>},
    {ElementType::kS32, ElementType::kF32,
     direct<int32_t, uint32_t, s32_to_f32>},
    {ElementType::kF32, ElementType::kS32, direct<float, int32_t, f32_to_s32>},
    {ElementType::kF32, ElementType::kF64, direct<float, double, f32_to_f64>},
    {ElementType::kF64, ElementType::kF32, direct<double, float, f64_to_f32>},
};

Direct find_direct(ElementType from, ElementType to) {
  for (const DirectRow& row : kDirect) {
    if (row.from == from && row.to == to) return row.loop;
  }
  return nullptr;
}

/// By way of staged elements, for every pair of types.
void convert_staged(ElementType from, const std::byte* source, int64_t n,
                    ElementType to, std::byte* target) {
  const Step step = find_step(from, to);
  constexpr size_t kBytes = kPiece * sizeof(loops::Parts);
  alignas(loops::Parts) std::array<std::byte, kBytes> wide;
  alignas(loops::Parts) std::array<std::byte, kBytes> result;
  for (int64_t begin = 0; begin < n; begin += kPiece) {
    const int64_t count = std::min(kPiece, n - begin);
    loops::load_staged(from, source + begin * storage_bytes(from), count,
                       wide.data());
    step(wide.data(), count, info(to), result.data());
    loops::store_staged(to, result.data(), count,
                        target + begin * storage_bytes(to));
  }
}

}  // namespace

void convert_elements(ElementType from, const std::byte* source, int64_t n,
                      ElementType to, std::byte* target) {
  if (from == to) {
    std::memcpy(target, source, static_cast<size_t>(n * storage_bytes(to)));
  } else if (const Direct loop = find_direct(from, to)) {
    loop(source, n, target);
  } else {
    convert_staged(from, source, n, to, target);
  }
}

Literal converted(const Literal& literal, ElementType to, int threads) {
  if (literal.type() == to) return literal;
  constexpr int64_t kGrain = 65536;
  Shape shape = literal.shape();
  shape.element_type = to;
  Literal result = Literal::uninitialized(shape);
  const std::byte* source = literal.bytes().data();
  std::byte* target = result.mutable_bytes().data();
  parallel_for(threads, literal.element_count(), kGrain,
               [&](int64_t begin, int64_t end) {
                 convert_elements(
                     literal.type(),
                     source + begin * storage_bytes(literal.type()),
                     end - begin, to, target + begin * storage_bytes(to));
               });
  result.set_dynamic_sizes(literal.dynamic_sizes());
  return result;
}

}  // namespace hlo
