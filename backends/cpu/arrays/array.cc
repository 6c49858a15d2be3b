#include "backends/cpu/arrays/array.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "backends/cpu/arrays/block_pool.h"
#include "backends/cpu/arrays/narrow_float.h"

namespace hlo::cpu {
namespace {

constexpr size_t kLargeArray = 4096;  // bytes

/// What the ResultPlace of this thread has left.
thread_local std::span<std::byte> result_memory;

void keep(std::byte* /*memory*/, size_t /*size*/) {}

/// The bytes of elements from `first` on.
const std::byte* from(const Array& array, int64_t first) {
  return array.bytes.data() + static_cast<size_t>(first) * array.width();
}

template <typename Stored, typename T>
void widen(const Array& array, int64_t first, std::span<T> to) {
  const auto* stored = reinterpret_cast<const Stored*>(from(array, first));
  for (size_t i = 0; i < to.size(); ++i) to[i] = T{stored[i]};
}

template <typename T>
void copy_from(const Array& array, int64_t first, std::span<T> to) {
  if (!to.empty()) {
    std::memcpy(to.data(), from(array, first), to.size_bytes());
  }
}

template <typename T>
void copy_to(std::span<const T> values, Array& array, int64_t first) {
  if (values.empty()) return;
  std::memcpy(array.bytes.data() + static_cast<size_t>(first) * sizeof(T),
              values.data(), values.size_bytes());
}

template <typename T, typename Signed8, typename Signed16, typename Signed32>
void load_integers(const Array& array, int64_t first, std::span<T> to) {
  switch (array.width()) {
    case 1:
      return widen<Signed8>(array, first, to);
    case 2:
      return widen<Signed16>(array, first, to);
    case 4:
      return widen<Signed32>(array, first, to);
    default:
      return copy_from(array, first, to);
  }
}

/// Cuts an integer to the type's width, with the sign in the storage's spare
/// bits.
uint64_t cut(uint64_t value, ElementType type) {
  if (type == ElementType::kPred) return value != 0 ? 1 : 0;
  const int spare = 64 - bits(type);
  value <<= spare;
  return is_signed(type)
             ? static_cast<uint64_t>(static_cast<int64_t>(value) >> spare)
             : value >> spare;
}

/// Writes integers to storage of a type, whose spare bits are the sign's.
template <typename Stored, typename T>
void store_as(std::span<const T> values, Array& array, int64_t first) {
  const ElementType type = array.shape.element_type;
  auto* const to = reinterpret_cast<Stored*>(array.bytes.data()) + first;
  if (bits(type) == 8 * int{sizeof(Stored)}) {
    for (size_t i = 0; i < values.size(); ++i) {
      to[i] = static_cast<Stored>(values[i]);
    }
    return;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    to[i] = static_cast<Stored>(cut(static_cast<uint64_t>(values[i]), type));
  }
}

template <typename T>
void store_integers(std::span<const T> values, Array& array, int64_t first) {
  switch (array.width()) {
    case 1:
      return store_as<uint8_t>(values, array, first);
    case 2:
      return store_as<uint16_t>(values, array, first);
    case 4:
      return store_as<uint32_t>(values, array, first);
    default:
      return copy_to(values, array, first);
  }
}

template <typename Stored, typename T>
void decode_some(const Array& array, int64_t first, std::span<T> to) {
  const NarrowFloat format(array.shape.element_type);
  const auto* codes = reinterpret_cast<const Stored*>(from(array, first));
  for (size_t i = 0; i < to.size(); ++i) to[i] = format.decode(codes[i]);
}

template <typename T>
void load_narrow(const Array& array, int64_t first, std::span<T> to) {
  return array.width() == 1 ? decode_some<uint8_t>(array, first, to)
                            : decode_some<uint16_t>(array, first, to);
}

template <typename Stored, typename T>
void encode_some(std::span<const T> values, Array& array, int64_t first) {
  const NarrowFloat format(array.shape.element_type);
  auto* const to = reinterpret_cast<Stored*>(array.bytes.data()) + first;
  for (size_t i = 0; i < values.size(); ++i) {
    to[i] = static_cast<Stored>(format.encode(values[i]));
  }
}

template <typename T>
void store_narrow(std::span<const T> values, Array& array, int64_t first) {
  return array.width() == 1 ? encode_some<uint8_t>(values, array, first)
                            : encode_some<uint16_t>(values, array, first);
}

void store_floats(std::span<const double> values, Array& array, int64_t first) {
  auto* const to = reinterpret_cast<float*>(array.bytes.data()) + first;
  for (size_t i = 0; i < values.size(); ++i) {
    to[i] = static_cast<float>(values[i]);
  }
}

}  // namespace

Array Array::unwritten(Shape shape) {
  Array array;
  array.shape = std::move(shape);
  if (array.shape.is_array()) {
    const auto size = static_cast<size_t>(array.count()) * array.width();
    array.bytes = size < kLargeArray
                      ? Bytes::any(size)
                      : Bytes::lent(take_block(size), size, give_block);
  }
  return array;
}

Array Array::result(Shape shape) {
  const auto size = static_cast<size_t>(shape.element_count()) *
                    static_cast<size_t>(storage_bytes(shape.element_type));
  if (size == 0 || result_memory.size() != size) {
    return unwritten(std::move(shape));
  }
  Array array;
  array.shape = std::move(shape);
  array.bytes =
      Bytes::lent(std::exchange(result_memory, {}).data(), size, keep);
  return array;
}

ResultPlace::ResultPlace(std::span<std::byte> memory)
    : before_(std::exchange(result_memory, memory)) {}

ResultPlace::~ResultPlace() { result_memory = before_; }

Array::Array(Shape its_shape) : Array(unwritten(std::move(its_shape))) {
  if (!bytes.empty()) std::memset(bytes.data(), 0, bytes.size());
}

Array zeros(const Shape& shape) {
  Array value(shape);
  for (const Shape& element : shape.tuple_shapes) {
    value.elements.push_back(zeros(element));
  }
  return value;
}

Array tuple_of(std::vector<Array> elements) {
  std::vector<Shape> shapes;
  shapes.reserve(elements.size());
  for (const Array& element : elements) shapes.push_back(element.shape);
  Array tuple(Shape::tuple(std::move(shapes)));
  tuple.elements = std::move(elements);
  return tuple;
}

Array one_or_tuple(std::vector<Array> values) {
  return values.size() == 1 ? std::move(values[0])
                            : tuple_of(std::move(values));
}

bool has_sizes(const Array& value) {
  return !value.sizes.empty() || std::ranges::any_of(value.elements, has_sizes);
}

template <>
void load_some(const Array& array, int64_t first, std::span<uint64_t> to) {
  load_integers<uint64_t, uint8_t, uint16_t, uint32_t>(array, first, to);
}

template <>
void load_some(const Array& array, int64_t first, std::span<int64_t> to) {
  load_integers<int64_t, int8_t, int16_t, int32_t>(array, first, to);
}

template <>
void load_some(const Array& array, int64_t first, std::span<float> to) {
  if (array.shape.element_type == ElementType::kF32) {
    copy_from(array, first, to);
  } else {
    load_narrow(array, first, to);
  }
}

template <>
void load_some(const Array& array, int64_t first, std::span<double> to) {
  if (array.shape.element_type == ElementType::kF64) {
    copy_from(array, first, to);
  } else {
    load_narrow(array, first, to);
  }
}

template <>
void load_some(const Array& array, int64_t first,
               std::span<std::complex<float>> to) {
  copy_from(array, first, to);
}

template <>
void load_some(const Array& array, int64_t first,
               std::span<std::complex<double>> to) {
  copy_from(array, first, to);
}

template <>
void store_some(std::span<const uint64_t> values, Array& array, int64_t first) {
  store_integers(values, array, first);
}

template <>
void store_some(std::span<const int64_t> values, Array& array, int64_t first) {
  store_integers(values, array, first);
}

template <>
void store_some(std::span<const double> values, Array& array, int64_t first) {
  switch (array.shape.element_type) {
    case ElementType::kF64:
      return copy_to(values, array, first);
    case ElementType::kF32:
      return store_floats(values, array, first);
    default:
      return store_narrow(values, array, first);
  }
}

template <>
void store_some(std::span<const float> values, Array& array, int64_t first) {
  if (array.shape.element_type == ElementType::kF32) {
    copy_to(values, array, first);
  } else {
    store_narrow(values, array, first);
  }
}

template <>
void store_some(std::span<const std::complex<float>> values, Array& array,
                int64_t first) {
  copy_to(values, array, first);
}

template <>
void store_some(std::span<const std::complex<double>> values, Array& array,
                int64_t first) {
  copy_to(values, array, first);
}

std::vector<int64_t> integers(const Array& array) {
  if (is_signed(array.shape.element_type)) return load<int64_t>(array);
  std::vector<int64_t> numbers;
  for (const uint64_t value : load<uint64_t>(array)) {
    numbers.push_back(value > INT64_MAX ? INT64_MAX
                                        : static_cast<int64_t>(value));
  }
  return numbers;
}

int64_t integer(const Array& array, int64_t position) {
  return integers(array)[static_cast<size_t>(position)];
}

}  // namespace hlo::cpu
