#include "backends/cpu/routines/regions/lane_code.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "backends/cpu/routines/regions/comparator.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

using enum ElementType;

struct MapEntry {
  std::string_view name;
  ElementType type;  // of the lanes of the operands and of the result
  Code code;
};

constexpr MapEntry kNamed[] = {
    {"add", kF32, Code::kAddF32},
    {"subtract", kF32, Code::kSubtractF32},
    {"multiply", kF32, Code::kMultiplyF32},
    {"divide", kF32, Code::kDivideF32},
    {"maximum", kF32, Code::kMaximumF32},
    {"minimum", kF32, Code::kMinimumF32},
    {"clamp", kF32, Code::kClampF32},
    {"negate", kF32, Code::kNegateF32},
    {"abs", kF32, Code::kAbsF32},
    {"sqrt", kF32, Code::kSqrtF32},
    {"rsqrt", kF32, Code::kRsqrtF32},
    {"exponential", kF32, Code::kExponentialF32},
    {"exponential-minus-one", kF32, Code::kExponentialMinusOneF32},
    {"log", kF32, Code::kLogF32},
    {"log-plus-one", kF32, Code::kLogPlusOneF32},
    {"sine", kF32, Code::kSineF32},
    {"cosine", kF32, Code::kCosineF32},
    {"erf", kF32, Code::kErfF32},
    {"power", kF32, Code::kPowerF32},
    {"sign", kF32, Code::kSignF32},
    {"tanh", kF32, Code::kTanhF32},
    {"logistic", kF32, Code::kLogisticF32},
    {"floor", kF32, Code::kFloorF32},
    {"ceil", kF32, Code::kCeilF32},
    {"round-nearest-even", kF32, Code::kRoundEvenF32},
    {"add", kF64, Code::kAddF64},
    {"subtract", kF64, Code::kSubtractF64},
    {"multiply", kF64, Code::kMultiplyF64},
    {"divide", kF64, Code::kDivideF64},
    {"maximum", kF64, Code::kMaximumF64},
    {"minimum", kF64, Code::kMinimumF64},
    {"negate", kF64, Code::kNegateF64},
    {"abs", kF64, Code::kAbsF64},
    {"sqrt", kF64, Code::kSqrtF64},
    {"rsqrt", kF64, Code::kRsqrtF64},
    {"exponential", kF64, Code::kExponentialF64},
    {"exponential-minus-one", kF64, Code::kExponentialMinusOneF64},
    {"log", kF64, Code::kLogF64},
    {"log-plus-one", kF64, Code::kLogPlusOneF64},
    {"sign", kF64, Code::kSignF64},
    {"tanh", kF64, Code::kTanhF64},
    {"logistic", kF64, Code::kLogisticF64},
    {"floor", kF64, Code::kFloorF64},
    {"ceil", kF64, Code::kCeilF64},
    {"round-nearest-even", kF64, Code::kRoundEvenF64},
    {"abs", kS32, Code::kAbsS32},
    {"abs", kS64, Code::kAbsS64},
    {"and", kPred, Code::kAnd},
    {"or", kPred, Code::kOr},
    {"xor", kPred, Code::kXor},
    {"not", kPred, Code::kNotPred},
};

struct IntegerEntry {
  std::string_view name;
  Code of_s32;
  Code of_u32;
  Code of_s64;
  Code of_u64;
};

constexpr IntegerEntry kIntegers[] = {
    {"add", Code::kAddS32, Code::kAddS32, Code::kAddS64, Code::kAddS64},
    {"subtract", Code::kSubtractS32, Code::kSubtractS32, Code::kSubtractS64,
     Code::kSubtractS64},
    {"multiply", Code::kMultiplyS32, Code::kMultiplyS32, Code::kMultiplyS64,
     Code::kMultiplyS64},
    {"maximum", Code::kMaximumS32, Code::kMaximumU32, Code::kMaximumS64,
     Code::kMaximumU64},
    {"minimum", Code::kMinimumS32, Code::kMinimumU32, Code::kMinimumS64,
     Code::kMinimumU64},
    {"negate", Code::kNegateS32, Code::kNegateS32, Code::kNegateS64,
     Code::kNegateS64},
    {"and", Code::kAnd, Code::kAnd, Code::kAnd64, Code::kAnd64},
    {"or", Code::kOr, Code::kOr, Code::kOr64, Code::kOr64},
    {"xor", Code::kXor, Code::kXor, Code::kXor64, Code::kXor64},
    {"not", Code::kNotS32, Code::kNotS32, Code::kNot64, Code::kNot64},
};

/// What reads bits in front of those of a number of 8 or 16 bits, which are
/// copies of its sign, or 0 where the type has none.
struct BitEntry {
  std::string_view name;
  Code of_32;
  Code of_64;
  bool of_short_signed;  // whether such bits may be copies of a sign
  bool of_short_unsigned;
};

constexpr BitEntry kBits[] = {
    {"shift-left", Code::kShiftLeftS32, Code::kShiftLeftS64, true, true},
    {"shift-right-logical", Code::kShiftRightLogicalS32,
     Code::kShiftRightLogicalS64, false, true},
    {"shift-right-arithmetic", Code::kShiftRightArithmeticS32,
     Code::kShiftRightArithmeticS64, true, false},
    {"popcnt", Code::kPopcntS32, Code::kPopcntS64, false, true},
    {"count-leading-zeros", Code::kLeadingZerosS32, Code::kLeadingZerosS64,
     false, false},
};

struct Conversion {
  ElementType from;  // of the lanes
  ElementType to;
  Code code;
};

// Those to shorter types are made for their lanes.
constexpr Conversion kConversions[] = {
    {kF32, kF32, Code::kQuiet},         {kF32, kBF16, Code::kRoundToBf16},
    {kF32, kF16, Code::kRoundToF16},    {kF32, kS32, Code::kF32ToS32},
    {kF32, kPred, Code::kIsNotZeroF32}, {kF32, kF64, Code::kF32ToF64},
    {kS32, kF32, Code::kS32ToF32},      {kS32, kPred, Code::kIsNotZeroS32},
    {kS32, kS32, Code::kCopy},          {kS32, kU32, Code::kCopy},
    {kS32, kF64, Code::kS32ToF64},      {kS32, kS64, Code::kS32ToS64},
    {kS32, kU64, Code::kS32ToS64},      {kU32, kS32, Code::kCopy},
    {kU32, kPred, Code::kIsNotZeroS32}, {kU32, kF64, Code::kU32ToF64},
    {kU32, kS64, Code::kU32ToS64},      {kU32, kU64, Code::kU32ToS64},
    {kPred, kS32, Code::kCopy},         {kPred, kU32, Code::kCopy},
    {kPred, kF32, Code::kS32ToF32},     {kPred, kF64, Code::kS32ToF64},
    {kPred, kS64, Code::kU32ToS64},     {kPred, kU64, Code::kU32ToS64},
    {kF64, kF32, Code::kF64ToF32},      {kF64, kBF16, Code::kF64ToOddF32},
    {kF64, kF16, Code::kF64ToOddF32},   {kF64, kS32, Code::kF64ToS32},
    {kF64, kU32, Code::kF64ToU32},      {kF64, kS64, Code::kF64ToS64},
    {kF64, kPred, Code::kIsNotZeroF64}, {kS64, kF64, Code::kS64ToF64},
    {kS64, kS32, Code::kS64ToS32},      {kS64, kU32, Code::kS64ToS32},
    {kS64, kU64, Code::kCopy64},        {kS64, kPred, Code::kIsNotZeroS64},
    {kU64, kS32, Code::kS64ToS32},      {kU64, kU32, Code::kS64ToS32},
    {kU64, kS64, Code::kCopy64},        {kU64, kPred, Code::kIsNotZeroS64},
};

// What makes f64 of all numbers without loss, or with a last bit that says so.
constexpr Conversion kToWide[] = {
    {kF32, kF64, Code::kF32ToF64},
    {kS32, kF64, Code::kS32ToF64},
    {kU32, kF64, Code::kU32ToF64},
    {kS64, kF64, Code::kS64ToOddF64},
};

struct Comparison {
  std::string_view direction;
  Code of_f32;
  Code of_f64;
  IntegerEntry of_integers;
  bool exchanged;
};

constexpr IntegerEntry kEqual = {"EQ", Code::kEqualS32, Code::kEqualS32,
                                 Code::kEqualS64, Code::kEqualS64};
constexpr IntegerEntry kNotEqual = {"NE", Code::kNotEqualS32,
                                    Code::kNotEqualS32, Code::kNotEqualS64,
                                    Code::kNotEqualS64};
constexpr IntegerEntry kLess = {"LT", Code::kLessS32, Code::kLessU32,
                                Code::kLessS64, Code::kLessU64};
constexpr IntegerEntry kLessEqual = {"LE", Code::kLessEqualS32,
                                     Code::kLessEqualU32, Code::kLessEqualS64,
                                     Code::kLessEqualU64};

constexpr Comparison kComparisons[] = {
    {"EQ", Code::kEqualF32, Code::kEqualF64, kEqual, false},
    {"NE", Code::kNotEqualF32, Code::kNotEqualF64, kNotEqual, false},
    {"LT", Code::kLessF32, Code::kLessF64, kLess, false},
    {"LE", Code::kLessEqualF32, Code::kLessEqualF64, kLessEqual, false},
    {"GT", Code::kLessF32, Code::kLessF64, kLess, true},
    {"GE", Code::kLessEqualF32, Code::kLessEqualF64, kLessEqual, true},
};

std::optional<Code> of_integers(const IntegerEntry& entry, ElementType lanes) {
  switch (lanes) {
    case kS32:
      return entry.of_s32;
    case kU32:
      return entry.of_u32;
    case kS64:
      return entry.of_s64;
    case kU64:
      return entry.of_u64;
    default:
      return std::nullopt;
  }
}

std::optional<Code> code_of(const Comparison& comparison, ElementType lanes) {
  switch (lanes) {
    case kF32:
      return comparison.of_f32;
    case kF64:
      return comparison.of_f64;
    case kPred:
      return comparison.of_integers.of_s32;
    default:
      return of_integers(comparison.of_integers, lanes);
  }
}

std::optional<LaneCode> chosen_comparison(const Instruction& compare,
                                          std::span<const ElementType> types) {
  const ElementType lanes = lane_type(types[0]);
  const bool floats = lanes == kF32 || lanes == kF64;
  if (compare.shape.element_type != kPred || types[0] != types[1] ||
      (floats && by_total_order(compare))) {
    return std::nullopt;
  }
  const std::string& direction = compare.get<Word>("direction").value;
  for (const Comparison& one : kComparisons) {
    if (one.direction != direction) continue;
    const std::optional<Code> code = code_of(one, lanes);
    if (code) return LaneCode{*code, one.exchanged};
  }
  return std::nullopt;
}

std::optional<Code> of_bits(const BitEntry& entry, ElementType type) {
  switch (type) {
    case kS8:
    case kS16:
      return entry.of_short_signed ? std::optional(entry.of_32) : std::nullopt;
    case kU8:
    case kU16:
      return entry.of_short_unsigned ? std::optional(entry.of_32)
                                     : std::nullopt;
    case kS32:
    case kU32:
      return entry.of_32;
    case kS64:
    case kU64:
      return entry.of_64;
    default:
      return std::nullopt;
  }
}

/// The type of which a conversion to such a type is one, but for what makes
/// its lanes numbers of the type.
ElementType converted_type(ElementType from, ElementType to) {
  const bool is_short = lane_type(to) == kS32;
  const bool is_exact = lane_type(to) == kF32 && from != kS32 &&
                        (lane_type(from) == kS32 || from == kPred);
  return is_short || is_exact ? lane_type(to) : to;
}

std::optional<Code> in(std::span<const Conversion> conversions,
                       ElementType from, ElementType to) {
  for (const Conversion& one : conversions) {
    if (one.from == from && one.to == to) return one.code;
  }
  return std::nullopt;
}

/// A copy of the bits, where lanes have the type.
std::optional<Code> copying(ElementType type) {
  switch (lane_type(type)) {
    case kF32:
    case kS32:
    case kU32:
    case kPred:
      return Code::kCopy;
    case kF64:
    case kS64:
    case kU64:
      return Code::kCopy64;
    default:
      return std::nullopt;
  }
}

std::optional<LaneCode> chosen_conversion(ElementType from, ElementType to) {
  if (from == to) {
    const std::optional<Code> code = copying(from);
    return code ? std::optional(LaneCode{*code}) : std::nullopt;
  }
  const ElementType wanted = converted_type(from, to);
  const ElementType lanes = lane_type(from);
  if (const auto code = in(kConversions, lanes, wanted)) return LaneCode{*code};
  const auto before = in(kToWide, lanes, kF64);
  const auto code = in(kConversions, kF64, wanted);
  if (!before || !code) return std::nullopt;
  return LaneCode{*code, false, before};
}

std::optional<LaneCode> chosen_finite(ElementType type) {
  if (lane_type(type) == kF32) return LaneCode{Code::kIsFiniteF32};
  if (type == kF64) return LaneCode{Code::kIsFiniteF64};
  return std::nullopt;
}

std::optional<LaneCode> chosen_select(const Instruction& select,
                                      std::span<const ElementType> types) {
  const ElementType result = select.shape.element_type;
  if (types[0] != kPred || types[1] != result || types[2] != result) {
    return std::nullopt;
  }
  const std::optional<Code> copy = copying(result);
  if (!copy) return std::nullopt;
  return LaneCode{*copy == Code::kCopy ? Code::kSelect : Code::kSelect64};
}

}  // namespace

ElementType lane_type(ElementType type) {
  switch (type) {
    case kBF16:
    case kF16:
      return kF32;
    case kS8:
    case kU8:
    case kS16:
    case kU16:
      return kS32;
    default:
      return type;
  }
}

Stored stored_of(ElementType type) {
  switch (type) {
    case kPred:
      return Stored::kPred;
    case kBF16:
      return Stored::kBf16;
    case kF16:
      return Stored::kF16;
    case kS8:
      return Stored::kS8;
    case kU8:
      return Stored::kU8;
    case kS16:
      return Stored::kS16;
    case kU16:
      return Stored::kU16;
    case kF64:
    case kS64:
    case kU64:
      return Stored::kWide;
    default:
      return Stored::kWord;
  }
}

std::optional<Code> named_lane_code(std::string_view name, ElementType type) {
  const ElementType lanes = lane_type(type);
  for (const MapEntry& entry : kNamed) {
    if (entry.name == name && entry.type == lanes) return entry.code;
  }
  for (const IntegerEntry& entry : kIntegers) {
    if (entry.name == name) return of_integers(entry, lanes);
  }
  for (const BitEntry& entry : kBits) {
    if (entry.name == name) return of_bits(entry, type);
  }
  return std::nullopt;
}

std::optional<LaneCode> lane_code(const Instruction& instruction,
                                  std::span<const ElementType> types) {
  const std::string_view name = instruction.op->name;
  const ElementType result = instruction.shape.element_type;
  if (name == "convert") return chosen_conversion(types[0], result);
  if (name == "compare") return chosen_comparison(instruction, types);
  if (name == "select") return chosen_select(instruction, types);
  if (name == "is-finite") return chosen_finite(types[0]);
  const auto fits = [&](ElementType type) { return type == result; };
  if (!std::ranges::all_of(types, fits)) return std::nullopt;
  const std::optional<Code> code = named_lane_code(name, result);
  return code ? std::optional(LaneCode{*code}) : std::nullopt;
}

}  // namespace hlo::cpu
