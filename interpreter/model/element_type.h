#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hlo {

/// Every element type of spec/types.md, and the kinds of shapes that are not
/// arrays (token, opaque, tuple, buffer).
enum class ElementType : uint8_t {
  kPred,
  kS1,
  kS2,
  kS4,
  kS8,
  kS16,
  kS32,
  kS64,
  kU1,
  kU2,
  kU4,
  kU8,
  kU16,
  kU32,
  kU64,
  kF16,
  kBF16,
  kF32,
  kF64,
  kF8E5M2,
  kF8E4M3,
  kF8E3M4,
  kF8E4M3FN,
  kF8E4M3B11FNUZ,
  kF8E4M3FNUZ,
  kF8E5M2FNUZ,
  kF8E8M0FNU,
  kF4E2M1FN,
  kF6E2M3FN,
  kF6E3M2FN,
  kC64,
  kC128,
  kToken,
  kOpaque,
  kTuple,
  kBuffer,
};

/// What kind of values a type holds: scalar rules are written per class.
enum class TypeClass : uint8_t {
  kPred,
  kSigned,
  kUnsigned,
  kFloat,
  kComplex,
  kNone,  // not an array element
};

/// One row of the table of element types.
struct TypeInfo {
  ElementType type;
  std::string_view name;  // as in HLO text: "f8e4m3fn"
  TypeClass type_class;
  int bits;           // of the value: 1 for pred, 4 for s4, 64 for c64
  int storage_bytes;  // of one element in a literal: 1 for sub-byte types
};

/// The row of `type`.
const TypeInfo& info(ElementType type);
/// All rows, in the order of the enumeration.
std::span<const TypeInfo> all_types();
/// The type of that name (lower case), if there is one.
std::optional<ElementType> find_type(std::string_view name);

inline std::string_view name(ElementType type) { return info(type).name; }

/// Appends the name of a type, as a part of a message.
inline void append_words(std::string& text, ElementType type) {
  text += name(type);
}

inline TypeClass type_class(ElementType type) { return info(type).type_class; }

inline int bits(ElementType type) { return info(type).bits; }

inline int storage_bytes(ElementType type) { return info(type).storage_bytes; }

inline bool is_array_type(ElementType type) {
  return type_class(type) != TypeClass::kNone;
}

inline bool is_signed(ElementType type) {
  return type_class(type) == TypeClass::kSigned;
}

inline bool is_unsigned(ElementType type) {
  return type_class(type) == TypeClass::kUnsigned;
}

inline bool is_integer(ElementType type) {
  return is_signed(type) || is_unsigned(type);
}

inline bool is_float(ElementType type) {
  return type_class(type) == TypeClass::kFloat;
}

inline bool is_complex(ElementType type) {
  return type_class(type) == TypeClass::kComplex;
}

/// c64 -> f32, c128 -> f64, any other type -> itself.
ElementType component_type(ElementType type);
/// f32 -> c64, f64 -> c128; no other type has a complex type.
std::optional<ElementType> complex_type(ElementType type);

}  // namespace hlo
