#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "interpreter/model/buffer.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/shape.h"

namespace hlo::cpu {

/// What this backend does not do; becomes Failure::kUnsupported.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A value: dense, row-major, `storage_bytes` per element; or a tuple.
struct Array {
  Shape shape;
  Bytes bytes;
  std::vector<Array> elements;
  /// The sizes at run time; empty where they are the dimensions. Elements past
  /// them may be anything.
  std::vector<int64_t> sizes;

  Array() = default;
  /// An array whose bits are all zero; a tuple without elements.
  explicit Array(Shape its_shape);
  /// An array whose elements may be anything, before all are written.
  static Array unwritten(Shape shape);
  /// An unwritten one, in the memory that a ResultPlace has for the result.
  static Array result(Shape shape);

  int64_t count() const { return shape.element_count(); }

  size_t width() const {
    return static_cast<size_t>(storage_bytes(shape.element_type));
  }
};

/// Memory for the result of a function that runs on this thread while the place
/// lives: the first Array::result of as many bytes lies there. A function may
/// give back another array: it is then to be copied there.
class ResultPlace {
 public:
  explicit ResultPlace(std::span<std::byte> memory);
  ~ResultPlace();
  ResultPlace(const ResultPlace&) = delete;
  ResultPlace& operator=(const ResultPlace&) = delete;

 private:
  std::span<std::byte> before_;
};

/// The value of that shape whose bits are all zero.
Array zeros(const Shape& shape);
Array tuple_of(std::vector<Array> elements);
/// The only array, or the tuple of several.
Array one_or_tuple(std::vector<Array> values);
/// Whether an array in it has fewer elements at run time than its bounds say.
bool has_sizes(const Array& value);

/// Elements from `first` on as host numbers: uint64_t for pred and unsigned
/// types, int64_t for signed ones, float up to 32 bits, double (e8m0 too),
/// std::complex.
template <typename T>
void load_some(const Array& array, int64_t first, std::span<T> to);
/// Writes elements from `first` on: integers wrap, narrow floats are rounded,
/// any number but 0 is true.
template <typename T>
void store_some(std::span<const T> values, Array& array, int64_t first);

/// All elements.
template <typename T>
std::vector<T> load(const Array& array) {
  std::vector<T> values(static_cast<size_t>(array.count()));
  load_some<T>(array, 0, values);
  return values;
}

/// The array of those numbers.
template <typename T>
Array store(const Shape& shape, std::span<const T> values) {
  Array array = Array::unwritten(shape);
  store_some<T>(values, array, 0);
  return array;
}

/// The numbers of integers; those above INT64_MAX become it.
std::vector<int64_t> integers(const Array& array);
int64_t integer(const Array& array, int64_t position);

/// Calls visitor(T{}) with the host type of the element type.
template <typename Visitor>
auto with_host_type(ElementType type, Visitor visitor) {
  switch (type_class(type)) {
    case TypeClass::kPred:
    case TypeClass::kUnsigned:
      return visitor(uint64_t{});
    case TypeClass::kSigned:
      return visitor(int64_t{});
    case TypeClass::kFloat:
      // The products of two e8m0 numbers are beyond the range of float.
      return type == ElementType::kF64 || type == ElementType::kF8E8M0FNU
                 ? visitor(double{})
                 : visitor(float{});
    case TypeClass::kComplex:
      return type == ElementType::kC128 ? visitor(std::complex<double>{})
                                        : visitor(std::complex<float>{});
    case TypeClass::kNone:
      break;
  }
  throw Unsupported("an element of that type");
}

}  // namespace hlo::cpu
