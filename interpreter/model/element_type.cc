#include "interpreter/model/element_type.h"

#include <array>
#include <cstddef>

namespace hlo {
namespace {

using enum ElementType;

constexpr std::array<TypeInfo, 36> kTypes = {{
    {kPred, "pred", TypeClass::kPred, 1, 1},
    {kS1, "s1", TypeClass::kSigned, 1, 1},
    {kS2, "s2", TypeClass::kSigned, 2, 1},
    {kS4, "s4", TypeClass::kSigned, 4, 1},
    {kS8, "s8", TypeClass::kSigned, 8, 1},
    {kS16, "s16", TypeClass::kSigned, 16, 2},
    {kS32, "s32", TypeClass::kSigned, 32, 4},
    {kS64, "s64", TypeClass::kSigned, 64, 8},
    {kU1, "u1", TypeClass::kUnsigned, 1, 1},
    {kU2, "u2", TypeClass::kUnsigned, 2, 1},
    {kU4, "u4", TypeClass::kUnsigned, 4, 1},
    {kU8, "u8", TypeClass::kUnsigned, 8, 1},
    {kU16, "u16", TypeClass::kUnsigned, 16, 2},
    {kU32, "u32", TypeClass::kUnsigned, 32, 4},
    {kU64, "u64", TypeClass::kUnsigned, 64, 8},
    {kF16, "f16", TypeClass::kFloat, 16, 2},
    {kBF16, "bf16", TypeClass::kFloat, 16, 2},
    {kF32, "f32", TypeClass::kFloat, 32, 4},
    {kF64, "f64", TypeClass::kFloat, 64, 8},
    {kF8E5M2, "f8e5m2", TypeClass::kFloat, 8, 1},
    {kF8E4M3, "f8e4m3", TypeClass::kFloat, 8, 1},
    {kF8E3M4, "f8e3m4", TypeClass::kFloat, 8, 1},
    {kF8E4M3FN, "f8e4m3fn", TypeClass::kFloat, 8, 1},
    {kF8E4M3B11FNUZ, "f8e4m3b11fnuz", TypeClass::kFloat, 8, 1},
    {kF8E4M3FNUZ, "f8e4m3fnuz", TypeClass::kFloat, 8, 1},
    {kF8E5M2FNUZ, "f8e5m2fnuz", TypeClass::kFloat, 8, 1},
    {kF8E8M0FNU, "f8e8m0fnu", TypeClass::kFloat, 8, 1},
    {kF4E2M1FN, "f4e2m1fn", TypeClass::kFloat, 4, 1},
    {kF6E2M3FN, "f6e2m3fn", TypeClass::kFloat, 6, 1},
    {kF6E3M2FN, "f6e3m2fn", TypeClass::kFloat, 6, 1},
    {kC64, "c64", TypeClass::kComplex, 64, 8},
    {kC128, "c128", TypeClass::kComplex, 128, 16},
    {kToken, "token", TypeClass::kNone, 0, 0},
    {kOpaque, "opaque", TypeClass::kNone, 0, 0},
    {kTuple, "tuple", TypeClass::kNone, 0, 0},
    {kBuffer, "buffer", TypeClass::kNone, 0, 0},
}};

}  // namespace

const TypeInfo& info(ElementType type) {
  return kTypes[static_cast<size_t>(type)];
}

std::span<const TypeInfo> all_types() { return kTypes; }

std::optional<ElementType> find_type(std::string_view name) {
  for (const TypeInfo& row : kTypes) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

ElementType component_type(ElementType type) {
  if (type == kC64) return kF32;
  if (type == kC128) return kF64;
  return type;
}

std::optional<ElementType> complex_type(ElementType type) {
  if (type == kF32) return kC64;
  if (type == kF64) return kC128;
  return std::nullopt;
}

}  // namespace hlo
