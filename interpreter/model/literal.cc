#include "interpreter/model/literal.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "interpreter/error.h"
#include "interpreter/model/array_memory.h"
#include "interpreter/model/storage.h"

namespace hlo {
namespace {

/// Bytes of an array literal of `shape`, checked before anything is allocated.
int64_t checked_bytes(const Shape& shape) {
  require_evaluable(std::ranges::count(shape.dims, kUnbounded) == 0,
                    "literal.unbounded", {"the value has the shape ", shape},
                    "it can have no unbounded dimensions");
  int64_t bytes = 0;
  require_evaluable(!__builtin_mul_overflow(
                        shape.element_count(),
                        int64_t{storage_bytes(shape.element_type)}, &bytes) &&
                        bytes <= Literal::kMaxBytes,
                    "literal.size",
                    {"a value has the shape ", shape, " with ",
                     Count{shape.element_count(), "element"}},
                    "it can take at most 16 GiB");
  return bytes;
}

[[noreturn]] void refuse_memory(const Shape& shape, int64_t bytes, int64_t held,
                                int64_t most) {
  refuse(Phase::kEvaluate, "evaluate.memory",
         {shape, " takes ", Count{bytes, "byte"}, " beside ", held,
          " that are in use"},
         "all arrays together can take at most " + std::to_string(most) +
             " (--max-memory)");
}

/// The elements of an array of that shape.
std::shared_ptr<std::byte[]> allocate(const Shape& shape, bool zero) {
  const int64_t bytes = checked_bytes(shape);
  const std::shared_ptr<ArrayAllowance> allowance = array_allowance();
  if (allowance != nullptr && !allowance->take(bytes)) {
    refuse_memory(shape, bytes, allowance->held(), allowance->most());
  }
  void* memory = allocate_array(bytes, zero);
  if (memory == nullptr) {  // the text would take as long as the elements
    if (allowance != nullptr) allowance->give_back(bytes);
    refuse_memory(shape, bytes, held_memory(), most_memory());
  }
  if (allowance == nullptr) {
    return {static_cast<std::byte*>(memory),
            [bytes](std::byte* elements) { release_array(elements, bytes); }};
  }
  return {static_cast<std::byte*>(memory),
          [bytes, allowance](std::byte* elements) {
            release_array(elements, bytes);
            allowance->give_back(bytes);
          }};
}

void collect_leaves(const Literal& literal,
                    std::vector<const Literal*>& result) {
  if (!literal.shape().is_tuple()) {
    result.push_back(&literal);
    return;
  }
  for (const Literal& element : literal.elements()) {
    collect_leaves(element, result);
  }
}

}  // namespace

Literal::Literal() : shape_(Shape::tuple({})) {}

Literal::Literal(const Literal& other) = default;
Literal::Literal(Literal&& other) noexcept = default;
Literal& Literal::operator=(const Literal& other) = default;
Literal& Literal::operator=(Literal&& other) noexcept = default;
Literal::~Literal() = default;

Literal Literal::uninitialized(const Shape& shape) {
  Literal literal;
  literal.shape_ = shape;
  if (shape.is_tuple()) {
    for (const Shape& element : shape.tuple_shapes) {
      literal.elements_.push_back(uninitialized(element));
    }
  } else if (shape.is_array()) {
    literal.bytes_ = allocate(shape, /*zero=*/false);
    literal.count_ = shape.element_count();
  }
  return literal;
}

Literal::Literal(const Shape& shape) : shape_(shape) {
  if (shape.is_tuple()) {
    for (const Shape& element : shape.tuple_shapes) {
      elements_.emplace_back(element);
    }
  } else if (shape.is_array()) {
    bytes_ = allocate(shape, /*zero=*/true);
    count_ = shape.element_count();
  }
}

Literal Literal::tuple(std::vector<Literal> elements) {
  Literal literal;
  for (const Literal& element : elements) {
    literal.shape_.tuple_shapes.push_back(element.shape());
  }
  literal.elements_ = std::move(elements);
  return literal;
}

Literal Literal::of(const Scalar& value) {
  return splat(Shape::scalar(value.type), value);
}

Literal Literal::splat(const Shape& shape, const Scalar& value) {
  Literal literal = uninitialized(shape);
  if (literal.count_ == 0) return literal;
  literal.set(0, value);
  const auto width = static_cast<size_t>(storage_bytes(shape.element_type));
  const auto total = static_cast<size_t>(literal.count_) * width;
  std::byte* data = literal.bytes_.get();
  for (size_t filled = width; filled < total; filled *= 2) {
    std::memcpy(data + filled, data, std::min(filled, total - filled));
  }
  return literal;
}

std::span<const std::byte> Literal::bytes() const {
  return {bytes_.get(),
          static_cast<size_t>(count_ * storage_bytes(shape_.element_type))};
}

std::span<std::byte> Literal::mutable_bytes() {
  const auto size =
      static_cast<size_t>(count_ * storage_bytes(shape_.element_type));
  if (bytes_ != nullptr && bytes_.use_count() > 1) {
    auto own = allocate(shape_, /*zero=*/false);
    std::memcpy(own.get(), bytes_.get(), size);
    bytes_ = std::move(own);
  }
  return {bytes_.get(), size};
}

Scalar Literal::at(int64_t linear) const {
  if (linear < 0 || linear >= count_) {
    throw std::logic_error("element position outside of the literal");
  }
  const ElementType type = shape_.element_type;
  return {type, load(type, bytes_.get() + linear * storage_bytes(type))};
}

Scalar Literal::at(std::span<const int64_t> index) const {
  return at(linearize(index, shape_.dims));
}

void Literal::set(int64_t linear, const Scalar& value) {
  if (linear < 0 || linear >= count_ || value.type != shape_.element_type) {
    throw std::logic_error("element does not fit into the literal");
  }
  store(value.type, value.bits,
        mutable_bytes().data() + linear * storage_bytes(value.type));
}

int64_t Literal::integer(int64_t linear) const {
  const uint64_t value = at(linear).bits[0];
  const int width = bits(type());
  if (is_signed(type())) {
    const int shift = 64 - width;
    return static_cast<int64_t>(value << shift) >> shift;
  }
  constexpr auto kMax =
      static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return static_cast<int64_t>(std::min(value, kMax));
}

Literal Literal::with_shape(const Shape& shape) const {
  Literal literal = *this;
  literal.shape_ = shape;
  if (shape.is_tuple()) {
    for (size_t i = 0; i < elements_.size(); ++i) {
      literal.elements_[i] = elements_[i].with_shape(shape.tuple_shapes.at(i));
    }
    return literal;
  }
  if (shape.is_array() && (shape.element_count() != count_ ||
                           storage_bytes(shape.element_type) !=
                               storage_bytes(shape_.element_type))) {
    throw std::logic_error("a literal cannot be seen under that shape");
  }
  if (shape.dims != shape_.dims) literal.dynamic_sizes_.clear();
  return literal;
}

void Literal::set_dynamic_sizes(std::vector<int64_t> sizes) {
  dynamic_sizes_ =
      sizes == shape_.dims ? std::vector<int64_t>{} : std::move(sizes);
}

bool identical(const Literal& a, const Literal& b) {
  if (!compatible(a.shape_, b.shape_, /*ignore_dynamic=*/true) ||
      a.dynamic_sizes_ != b.dynamic_sizes_) {
    return false;
  }
  if (a.shape_.is_tuple()) {
    return std::ranges::equal(
        a.elements_, b.elements_,
        [](const Literal& x, const Literal& y) { return identical(x, y); });
  }
  return std::ranges::equal(a.bytes(), b.bytes());
}

std::vector<const Literal*> leaves(const Literal& literal) {
  std::vector<const Literal*> result;
  collect_leaves(literal, result);
  return result;
}

}  // namespace hlo
