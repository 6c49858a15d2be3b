#include "backends/cpu/arrays/converted.h"

#include <cmath>
#include <complex>
#include <functional>

#include "backends/cpu/arrays/map_elements.h"

namespace hlo::cpu {
namespace {

/// An integer as a double whose last bit is set where bits were lost, so that
/// rounding it again to fewer bits is right.
double sticky_double(uint64_t magnitude) {
  if (magnitude < (uint64_t{1} << 53)) return static_cast<double>(magnitude);
  const bool lost = (magnitude & 0x7ff) != 0;
  return static_cast<double>((magnitude >> 11) | (lost ? 1 : 0)) * 2048.0;
}

template <typename From>
double narrowing(From x) {
  if constexpr (std::is_same_v<From, uint64_t>) {
    return sticky_double(x);
  } else if constexpr (std::is_same_v<From, int64_t>) {
    const double magnitude =
        sticky_double(x < 0 ? uint64_t{0} - static_cast<uint64_t>(x)
                            : static_cast<uint64_t>(x));
    return x < 0 ? -magnitude : magnitude;
  } else {
    return static_cast<double>(x);
  }
}

template <typename From>
uint64_t to_integer(From x, ElementType type) {
  const int width = bits(type) - (is_signed(type) ? 1 : 0);
  const double high = std::ldexp(1.0, width);
  const auto value = static_cast<double>(x);
  if (std::isnan(value)) return 0;
  if (is_signed(type)) {
    if (value >= high) return (uint64_t{1} << width) - 1;
    if (value <= -high) return static_cast<uint64_t>(-1) << width;
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  if (value >= high)
    return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  return value <= 0 ? 0 : static_cast<uint64_t>(value);
}

template <typename From>
uint64_t to_integer_or_pred(From x, ElementType type) {
  if constexpr (kIsFloat<From>) {
    return type == ElementType::kPred ? static_cast<uint64_t>(x != 0)
                                      : to_integer(x, type);
  } else {
    return static_cast<uint64_t>(x);
  }
}

template <typename From>
Array convert_to_integers(const Shape& shape, const Array& operand) {
  const ElementType type = shape.element_type;
  const auto integer = [type](From x) { return to_integer_or_pred(x, type); };
  return is_signed(type) ? filled_from<int64_t, From>(shape, operand, integer)
                         : filled_from<uint64_t, From>(shape, operand, integer);
}

template <typename From>
Array convert_real(const Shape& shape, const Array& operand) {
  const ElementType type = shape.element_type;
  if (is_integer(type) || type == ElementType::kPred) {
    return convert_to_integers<From>(shape, operand);
  }
  if (type == ElementType::kF32) {
    return filled_from<float, From>(shape, operand, std::identity());
  }
  if (type == ElementType::kF64) {
    return filled_from<double, From>(shape, operand, std::identity());
  }
  return filled_from<double, From>(shape, operand,
                                   [](From x) { return narrowing(x); });
}

template <typename Part, typename From>
Array convert_to_complex(const Shape& shape, const Array& operand) {
  using To = std::complex<Part>;
  return filled_from<To, From>(shape, operand, [](From x) {
    if constexpr (kIsFloat<From> || kIsInteger<From>) {
      return To(quiet(static_cast<Part>(x)), Part{0});
    } else {
      return To(static_cast<Part>(x.real()), static_cast<Part>(x.imag()));
    }
  });
}

Array convert_to(const Shape& shape, const Array& operand) {
  if (operand.shape.element_type == shape.element_type) return operand;
  return with_host_type(operand.shape.element_type, [&](auto tag) {
    using From = decltype(tag);
    if (shape.element_type == ElementType::kC64) {
      return convert_to_complex<float, From>(shape, operand);
    }
    if (shape.element_type == ElementType::kC128) {
      return convert_to_complex<double, From>(shape, operand);
    }
    if constexpr (kIsFloat<From> || kIsInteger<From>) {
      return convert_real<From>(shape, operand);
    } else {
      throw Unsupported("complex numbers as real ones");
      return Array();
    }
  });
}

}  // namespace

Array converted(const Array& array, ElementType type) {
  Shape shape = array.shape;
  shape.element_type = type;
  Array result = convert_to(shape, array);
  result.sizes = array.sizes;
  return result;
}

Array with_float_types(Array value, const Shape& shape) {
  for (size_t i = 0; i < value.elements.size(); ++i) {
    value.elements[i] =
        with_float_types(std::move(value.elements[i]), shape.tuple_shapes[i]);
  }
  const ElementType type = value.shape.element_type;
  const bool differs = value.shape.is_array() && type != shape.element_type;
  return differs && is_float(type) && is_float(shape.element_type)
             ? converted(value, shape.element_type)
             : value;
}

}  // namespace hlo::cpu
