#include "backends/cpu/arrays/array.h"

#include <algorithm>
#include <cstring>

#include "backends/cpu/arrays/block_pool.h"
#include "backends/cpu/arrays/narrow_float.h"

namespace hlo::cpu {
namespace {

constexpr size_t kLargeArray = 4096;  // bytes

template <typename Stored, typename T>
std::vector<T> widen(const Array& array) {
  std::vector<T> values(static_cast<size_t>(array.count()));
  const auto* stored = reinterpret_cast<const Stored*>(array.bytes.data());
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = T{stored[i]};
  }
  return values;
}

template <typename T>
std::vector<T> copy_of(const Array& array) {
  std::vector<T> values(static_cast<size_t>(array.count()));
  if (!values.empty()) {
    std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  }
  return values;
}

template <typename T, typename Signed8, typename Signed16, typename Signed32>
std::vector<T> load_integers(const Array& array) {
  switch (array.width()) {
    case 1:
      return widen<Signed8, T>(array);
    case 2:
      return widen<Signed16, T>(array);
    case 4:
      return widen<Signed32, T>(array);
    default:
      return copy_of<T>(array);
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

template <typename T>
Array store_integers(const Shape& shape, std::span<const T> values) {
  Array array(shape);
  const size_t width = array.width();
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t kept =
        cut(static_cast<uint64_t>(values[i]), shape.element_type);
    std::memcpy(array.bytes.data() + i * width, &kept, width);
  }
  return array;
}

template <typename T>
Array store_copy(const Shape& shape, std::span<const T> values) {
  Array array(shape);
  if (!values.empty()) {
    std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  }
  return array;
}

template <typename T>
std::vector<T> load_narrow(const Array& array) {
  std::vector<T> values(static_cast<size_t>(array.count()));
  const size_t width = array.width();
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t code = 0;
    std::memcpy(&code, array.bytes.data() + i * width, width);
    values[i] = decode_narrow(code, array.shape.element_type);
  }
  return values;
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
std::vector<uint64_t> load(const Array& array) {
  return load_integers<uint64_t, uint8_t, uint16_t, uint32_t>(array);
}

template <>
std::vector<int64_t> load(const Array& array) {
  return load_integers<int64_t, int8_t, int16_t, int32_t>(array);
}

template <>
std::vector<float> load(const Array& array) {
  return array.shape.element_type == ElementType::kF32
             ? copy_of<float>(array)
             : load_narrow<float>(array);
}

template <>
std::vector<double> load(const Array& array) {
  return array.shape.element_type == ElementType::kF64
             ? copy_of<double>(array)
             : load_narrow<double>(array);
}

template <>
std::vector<std::complex<float>> load(const Array& array) {
  return copy_of<std::complex<float>>(array);
}

template <>
std::vector<std::complex<double>> load(const Array& array) {
  return copy_of<std::complex<double>>(array);
}

template <>
Array store(const Shape& shape, std::span<const uint64_t> values) {
  return store_integers(shape, values);
}

template <>
Array store(const Shape& shape, std::span<const int64_t> values) {
  return store_integers(shape, values);
}

template <>
Array store(const Shape& shape, std::span<const double> values) {
  if (shape.element_type == ElementType::kF64) {
    return store_copy(shape, values);
  }
  Array array(shape);
  const size_t width = array.width();
  for (size_t i = 0; i < values.size(); ++i) {
    uint32_t code = 0;
    if (shape.element_type == ElementType::kF32) {
      const auto rounded = static_cast<float>(values[i]);
      std::memcpy(&code, &rounded, sizeof(code));
    } else {
      code = encode_narrow(values[i], shape.element_type);
    }
    std::memcpy(array.bytes.data() + i * width, &code, width);
  }
  return array;
}

template <>
Array store(const Shape& shape, std::span<const float> values) {
  if (shape.element_type == ElementType::kF32) {
    return store_copy(shape, values);
  }
  const std::vector<double> wide(values.begin(), values.end());
  return store<double>(shape, wide);
}

template <>
Array store(const Shape& shape, std::span<const std::complex<float>> values) {
  return store_copy(shape, values);
}

template <>
Array store(const Shape& shape, std::span<const std::complex<double>> values) {
  return store_copy(shape, values);
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
