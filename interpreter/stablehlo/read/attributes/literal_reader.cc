#include "interpreter/stablehlo/read/attributes/literal_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "interpreter/counted.h"
#include "interpreter/stablehlo/read/attributes/element_reader.h"

namespace hlo::stablehlo {
namespace {

/// Reads nested brackets straight into the storage of a literal.
class ElementReader {
 public:
  ElementReader(Scanner& in, const Shape& shape, std::byte* target)
      : in_(in),
        shape_(shape),
        target_(target),
        width_(storage_bytes(shape.element_type)) {}

  void read(size_t d) {
    if (d == shape_.dims.size()) {
      read_element(in_, shape_.element_type, target_);
      target_ += width_;
      return;
    }
    const Nesting nesting(in_);
    if (!in_.eat('[')) {
      in_.expected("'[' before the elements of dimension " + std::to_string(d),
                   "stablehlo.elements");
    }
    for (int64_t i = 0; i < shape_.dims[d]; ++i) {
      if (in_.peek() == ']' || (i > 0 && !in_.eat(','))) fail_count(d);
      read(d + 1);
    }
    if (!in_.eat(']')) fail_count(d);
  }

 private:
  [[noreturn]] void fail_count(size_t d) const {
    in_.expected(counted(shape_.dims[d], "element") + " of dimension " +
                     std::to_string(d) + " with ',' between and ']' behind",
                 "stablehlo.elements");
  }

  Scanner& in_;
  const Shape& shape_;
  std::byte* target_;
  int64_t width_;
};

/// Refuses what cannot be, before anything is allocated for it. `stated` is
/// the number of elements that the text has.
void check_size(Scanner& in, const Shape& shape, int64_t stated) {
  const int64_t count = shape.element_count();
  const int64_t width = storage_bytes(shape.element_type);
  if (count > Literal::kMaxBytes / width) {
    in.fail("stablehlo.size",
            joined({"a value ", shape, " has ", Count{count, "element"}, " of ",
                    Count{width, "byte"}, ", but it can take at most 16 GiB"}));
  }
  if (stated > static_cast<int64_t>(in.rest().size())) {
    in.fail("stablehlo.elements",
            joined({"the text has ", Count{std::ssize(in.rest()), "character"},
                    " for ", Count{stated, "element"}, " of ", shape,
                    ", but needs one for each at least"}));
  }
  if (stated < count) in.spend(count * width);
}

/// The element that stands in `code` as text has it in a blob, in the form of
/// a literal: narrow signed integers are sign-extended.
std::byte narrow_element(ElementType type, unsigned code) {
  const int unused = 8 - bits(type);
  const auto low = static_cast<uint8_t>(code << unused);
  if (is_signed(type)) {
    return static_cast<std::byte>(static_cast<int8_t>(low) >> unused);
  }
  return static_cast<std::byte>(low >> unused);
}

/// The `"0x..."` form: the bytes of the elements in hexadecimal digits.
class BlobReader {
 public:
  BlobReader(Scanner& in, const Shape& shape) : in_(in), shape_(shape) {
    const size_t start = in.position();
    digits_ = in.raw_string();
    digits_ = digits_.substr(1, digits_.size() - 2);
    if (!digits_.starts_with("0x") || digits_.size() % 2 != 0) {
      in.fail_at(start, "stablehlo.blob",
                 "the elements in quotes are written otherwise: they must be "
                 "0x and pairs of hexadecimal digits");
    }
    digits_.remove_prefix(2);
    start_ = start + 3;
  }

  Literal read() {
    const auto bytes = static_cast<int64_t>(digits_.size() / 2);
    const ElementType type = shape_.element_type;
    const int64_t count = shape_.element_count();
    const int64_t width = storage_bytes(type);
    if (bytes == width && count != 1 && !(is_packable() && count <= 8)) {
      check_size(in_, shape_, 1);
      Literal one = Literal::uninitialized(Shape::scalar(type));
      decode(one.mutable_bytes());
      return Literal::splat(shape_, one.scalar());
    }
    const bool is_packed = is_packable() && bytes == (count + 7) / 8;
    // The product does not overflow: `bytes` bounds the count.
    const bool is_plain = count <= bytes && count * width == bytes;
    if (!is_plain && !(is_packed && count <= 8 * bytes)) fail_length(bytes);
    Literal literal = Literal::uninitialized(shape_);
    is_plain ? decode(literal.mutable_bytes())
             : unpack(literal.mutable_bytes());
    return literal;
  }

  /// The elements behind the bytes that say a power of 2, the alignment: a byte
  /// for each truth value, and never one element for all.
  Literal read_aligned() {
    constexpr size_t kBytes = 4;
    unsigned ones = 0;
    for (size_t i = 0; i < kBytes && 2 * i < digits_.size(); ++i) {
      ones += static_cast<unsigned>(std::popcount(byte_at(i)));
    }
    const auto bytes =
        static_cast<int64_t>(digits_.size() / 2) - static_cast<int64_t>(kBytes);
    if (bytes < 0 || ones > 1) {
      in_.fail_at(start_, "stablehlo.blob",
                  "the resource has another beginning: it must be four bytes, "
                  "a power of 2");
    }
    digits_.remove_prefix(2 * kBytes);
    start_ += 2 * kBytes;
    const int64_t count = shape_.element_count();
    const int64_t width = storage_bytes(shape_.element_type);
    if (count > bytes || count * width != bytes) fail_length(bytes);
    Literal literal = Literal::uninitialized(shape_);
    decode(literal.mutable_bytes());
    return literal;
  }

 private:
  bool is_packable() const { return shape_.element_type == ElementType::kPred; }

  [[noreturn]] void fail_length(int64_t bytes) const {
    in_.fail_at(start_ - 3, "stablehlo.blob",
                "the " + counted(bytes, "byte is", "bytes are") + " not the " +
                    counted(shape_.element_count(), "element") + " of " +
                    to_string(shape_));
  }

  unsigned byte_at(size_t i) const {
    const int high = hex_digit(digits_[2 * i]);
    const int low = hex_digit(digits_[2 * i + 1]);
    if ((high | low) < 0) fail_digit(i);
    return static_cast<unsigned>(16 * high + low);
  }

  [[noreturn]] void fail_digit(size_t i) const {
    in_.fail_at(start_ + 2 * i, "stablehlo.blob",
                "this is no hexadecimal digit, but elements in quotes must be "
                "pairs of them");
  }

  void decode(std::span<std::byte> target) const {
    const ElementType type = shape_.element_type;
    if (type == ElementType::kPred) {
      for (size_t i = 0; i < target.size(); ++i) {
        target[i] = std::byte{byte_at(i) != 0};
      }
    } else if (bits(type) < 8) {
      for (size_t i = 0; i < target.size(); ++i) {
        target[i] = narrow_element(type, byte_at(i));
      }
    } else {
      for (size_t i = 0; i < target.size(); ++i) {
        target[i] = static_cast<std::byte>(byte_at(i));
      }
    }
  }

  /// Eight elements in a byte, the lowest bit first.
  void unpack(std::span<std::byte> target) const {
    for (size_t i = 0; i < target.size(); ++i) {
      target[i] = static_cast<std::byte>((byte_at(i / 8) >> (i % 8)) & 1);
    }
  }

  Scanner& in_;
  const Shape& shape_;
  size_t start_ = 0;  // of the digits
  std::string_view digits_;
};

/// One element for all, where no bracket opens.
Literal read_splat(Scanner& in, const Shape& shape) {
  check_size(in, shape, 1);
  Literal element = Literal::uninitialized(Shape::scalar(shape.element_type));
  read_element(in, shape.element_type, element.mutable_bytes().data());
  return Literal::splat(shape, element.scalar());
}

}  // namespace

Literal read_resource(Scanner& in, const Shape& shape) {
  return BlobReader(in, shape).read_aligned();
}

Literal read_dense(Scanner& in, const Shape& shape, size_t end) {
  if (in.peek() == '"') return BlobReader(in, shape).read();
  if (in.position() == end) {
    if (shape.element_count() != 0) {
      in.expected("elements: the type has some", "stablehlo.elements");
    }
    return Literal(shape);
  }
  if (in.peek() != '[' || shape.dims.empty()) return read_splat(in, shape);
  check_size(in, shape, shape.element_count());
  Literal literal = Literal::uninitialized(shape);
  ElementReader(in, shape, literal.mutable_bytes().data()).read(0);
  return literal;
}

}  // namespace hlo::stablehlo
