#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "interpreter/model/shape.h"

namespace hlo {

/// One element: its type and its bits, right-aligned. A complex value has its
/// real part in bits[0] and its imaginary part in bits[1]. Signed integers are
/// not sign-extended here: s4 -1 is 0xf.
struct Scalar {
  ElementType type = ElementType::kPred;
  std::array<uint64_t, 2> bits{};
  friend bool operator==(const Scalar&, const Scalar&) = default;
};

/// A value: a shape and its elements, dense and row-major whatever the shape's
/// layout says. Copies share the elements; writing to a shared literal first
/// makes its own copy. Sub-byte elements take one byte each, with the unused
/// high bits zero for pred, unsigned and float types and copies of the sign
/// for signed ones.
class Literal {
 public:
  /// The empty tuple.
  Literal();
  Literal(const Literal& other);
  Literal(Literal&& other) noexcept;
  Literal& operator=(const Literal& other);
  Literal& operator=(Literal&& other) noexcept;
  ~Literal();
  /// All elements zero bits. Error "literal.size" where it would take more
  /// than kMaxBytes, "literal.unbounded" for `?` dimensions. For a tuple shape
  /// the tuple of such literals.
  explicit Literal(const Shape& shape);
  /// Elements uninitialised: the caller writes each of them.
  static Literal uninitialized(const Shape& shape);
  static Literal tuple(std::vector<Literal> elements);
  /// A scalar, or with `shape` the array that repeats it.
  static Literal of(const Scalar& value);
  static Literal splat(const Shape& shape, const Scalar& value);

  /// The largest array that a literal may be (16 GiB).
  static constexpr int64_t kMaxBytes = int64_t{1} << 34;

  const Shape& shape() const { return shape_; }

  ElementType type() const { return shape_.element_type; }

  int64_t element_count() const { return count_; }

  /// Array only: the elements' storage.
  std::span<const std::byte> bytes() const;
  std::span<std::byte> mutable_bytes();

  /// Array only: the elements as T, whose size is the storage size.
  template <typename T>
  std::span<const T> data() const {
    return {reinterpret_cast<const T*>(bytes().data()),
            static_cast<size_t>(count_)};
  }

  template <typename T>
  std::span<T> mutable_data() {
    return {reinterpret_cast<T*>(mutable_bytes().data()),
            static_cast<size_t>(count_)};
  }

  /// The element at a row-major position, or at an index.
  Scalar at(int64_t linear) const;
  Scalar at(std::span<const int64_t> index) const;
  void set(int64_t linear, const Scalar& value);

  /// The only element of a scalar.
  Scalar scalar() const { return at(int64_t{0}); }

  /// Integer or pred element as a number: sign-extended or zero-extended;
  /// u64 values above INT64_MAX saturate to INT64_MAX.
  int64_t integer(int64_t linear) const;

  /// Tuple only.
  const std::vector<Literal>& elements() const { return elements_; }

  /// This literal's elements under another array shape with as many elements
  /// and the same storage width, or the same tuple with new leaf shapes.
  /// Shares.
  Literal with_shape(const Shape& shape) const;

  /// Run-time sizes of the dimensions; empty where no dimension is dynamic or
  /// all are at their bounds.
  const std::vector<int64_t>& dynamic_sizes() const { return dynamic_sizes_; }

  void set_dynamic_sizes(std::vector<int64_t> sizes);

  /// Same shape but for layouts, and the same bits in every element (NaNs and
  /// zeros included).
  friend bool identical(const Literal& a, const Literal& b);

 private:
  Shape shape_;
  int64_t count_ = 0;
  std::shared_ptr<std::byte[]> bytes_;
  std::vector<Literal> elements_;
  std::vector<int64_t> dynamic_sizes_;
};

bool identical(const Literal& a, const Literal& b);
/// The array leaves (and tokens) of a literal, left to right.
std::vector<const Literal*> leaves(const Literal& literal);

}  // namespace hlo
