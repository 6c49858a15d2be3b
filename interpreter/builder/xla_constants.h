#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "interpreter/builder/builder.h"
#include "interpreter/error.h"

// Where values come from: parameters, constants, iota, random numbers.

namespace hlo::builder {

/// The argument of that number. Error "builder.C4" where there is one already.
XlaOp Parameter(XlaBuilder* builder, int64_t number, const Shape& shape,
                std::string_view name);
XlaOp ConstantLiteral(XlaBuilder* builder, Literal value);

/// The element type of a C++ type.
template <typename T>
inline constexpr ElementType kTypeOf = ElementType::kTuple;
template <>
inline constexpr ElementType kTypeOf<bool> = ElementType::kPred;
template <>
inline constexpr ElementType kTypeOf<int8_t> = ElementType::kS8;
template <>
inline constexpr ElementType kTypeOf<int16_t> = ElementType::kS16;
template <>
inline constexpr ElementType kTypeOf<int32_t> = ElementType::kS32;
template <>
inline constexpr ElementType kTypeOf<int64_t> = ElementType::kS64;
template <>
inline constexpr ElementType kTypeOf<uint8_t> = ElementType::kU8;
template <>
inline constexpr ElementType kTypeOf<uint16_t> = ElementType::kU16;
template <>
inline constexpr ElementType kTypeOf<uint32_t> = ElementType::kU32;
template <>
inline constexpr ElementType kTypeOf<uint64_t> = ElementType::kU64;
template <>
inline constexpr ElementType kTypeOf<float> = ElementType::kF32;
template <>
inline constexpr ElementType kTypeOf<double> = ElementType::kF64;
template <>
inline constexpr ElementType kTypeOf<std::complex<float>> = ElementType::kC64;
template <>
inline constexpr ElementType kTypeOf<std::complex<double>> = ElementType::kC128;

// A scalar, a vector and a matrix of the C++ type's element type.
template <typename T>
XlaOp ConstantR0(XlaBuilder* builder, T value) {
  Literal literal(Shape::scalar(kTypeOf<T>));
  literal.mutable_data<T>()[0] = value;
  return ConstantLiteral(builder, std::move(literal));
}

template <typename T>
XlaOp ConstantR1(XlaBuilder* builder, std::initializer_list<T> values) {
  const auto size = static_cast<int64_t>(values.size());
  Literal literal(Shape::array(kTypeOf<T>, {size}));
  std::copy(values.begin(), values.end(), literal.mutable_data<T>().begin());
  return ConstantLiteral(builder, std::move(literal));
}

/// Error "builder.C5" where the rows differ in length.
template <typename T>
XlaOp ConstantR2(XlaBuilder* builder,
                 std::initializer_list<std::initializer_list<T>> rows) {
  const size_t width = rows.size() == 0 ? 0 : rows.begin()->size();
  Literal literal(Shape::array(kTypeOf<T>, {static_cast<int64_t>(rows.size()),
                                            static_cast<int64_t>(width)}));
  auto target = literal.mutable_data<T>().begin();
  for (const std::initializer_list<T>& row : rows) {
    require(row.size() == width, "builder.C5",
            {"a row has ", Count{std::ssize(row), "element"}, " and the first ",
             width},
            "lists that go together must have one length");
    target = std::copy(row.begin(), row.end(), target);
  }
  return ConstantLiteral(builder, std::move(literal));
}

// Scalars of any array type. The least and the greatest value are the
// infinities where the type has them. Error "builder.C3" for other types.
XlaOp Zero(XlaBuilder* builder, ElementType type);
XlaOp One(XlaBuilder* builder, ElementType type);
XlaOp MinValue(XlaBuilder* builder, ElementType type);
XlaOp MaxValue(XlaBuilder* builder, ElementType type);

/// 0, 1, 2, ... along the dimension, the same along all others.
XlaOp Iota(XlaBuilder* builder, const Shape& shape, int64_t iota_dimension);
XlaOp Iota(XlaBuilder* builder, ElementType type, int64_t size);

// Random numbers of the shape: from a normal distribution with mean `mu` and
// standard deviation `sigma`, and evenly from [a, b).
XlaOp RngNormal(XlaOp mu, XlaOp sigma, const Shape& shape);
XlaOp RngUniform(XlaOp a, XlaOp b, const Shape& shape);

enum class RandomAlgorithm : uint8_t { kDefault, kThreeFry, kPhilox };

/// The new state and the bits, as unsigned integers of the width of the
/// shape's element type.
XlaOp RngBitGenerator(RandomAlgorithm algorithm, XlaOp initial_state,
                      const Shape& shape);

}  // namespace hlo::builder
