#include "backends/cpu/routines/lane_code.h"

#include <algorithm>
#include <string_view>

#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

using enum ElementType;

struct MapEntry {
  std::string_view name;
  ElementType type;  // of the lanes of the operands and of the result
  Code code;
};

constexpr MapEntry kEntries[] = {
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
    {"add", kS32, Code::kAddS32},
    {"subtract", kS32, Code::kSubtractS32},
    {"multiply", kS32, Code::kMultiplyS32},
    {"maximum", kS32, Code::kMaximumS32},
    {"minimum", kS32, Code::kMinimumS32},
    {"negate", kS32, Code::kNegateS32},
    {"and", kS32, Code::kAnd},
    {"or", kS32, Code::kOr},
    {"xor", kS32, Code::kXor},
    {"not", kS32, Code::kNotS32},
    {"and", kPred, Code::kAnd},
    {"or", kPred, Code::kOr},
    {"xor", kPred, Code::kXor},
    {"not", kPred, Code::kNotPred},
};

struct Conversion {
  ElementType from;  // of the lanes
  ElementType to;
  Code code;
};

constexpr Conversion kConversions[] = {
    {kF32, kF32, Code::kQuiet},         {kF32, kBF16, Code::kRoundToBf16},
    {kF32, kF16, Code::kRoundToF16},    {kF32, kS32, Code::kF32ToS32},
    {kF32, kPred, Code::kIsNotZeroF32}, {kS32, kF32, Code::kS32ToF32},
    {kS32, kPred, Code::kIsNotZeroS32}, {kPred, kS32, Code::kCopy},
    {kPred, kF32, Code::kS32ToF32},     {kPred, kBF16, Code::kS32ToF32},
    {kPred, kF16, Code::kS32ToF32},
};

struct Comparison {
  std::string_view direction;
  Code of_f32;
  Code of_s32;
  bool exchanged;
};

constexpr Comparison kComparisons[] = {
    {"EQ", Code::kEqualF32, Code::kEqualS32, false},
    {"NE", Code::kNotEqualF32, Code::kNotEqualS32, false},
    {"LT", Code::kLessF32, Code::kLessS32, false},
    {"LE", Code::kLessEqualF32, Code::kLessEqualS32, false},
    {"GT", Code::kLessF32, Code::kLessS32, true},
    {"GE", Code::kLessEqualF32, Code::kLessEqualS32, true},
};

std::optional<LaneCode> chosen_comparison(const Instruction& compare,
                                          std::span<const ElementType> types) {
  const auto* type = compare.find("type");
  const bool total =
      type != nullptr && std::get<Word>(*type).value == "TOTALORDER";
  const bool floats = types[0] == types[1] && lane_type(types[0]) == kF32;
  const bool ints =
      types[0] == types[1] && (types[0] == kS32 || types[0] == kPred);
  if (compare.shape.element_type != kPred || (!floats && !ints) ||
      (floats && total)) {
    return std::nullopt;
  }
  const std::string& direction = compare.get<Word>("direction").value;
  for (const Comparison& one : kComparisons) {
    if (one.direction != direction) continue;
    return LaneCode{floats ? one.of_f32 : one.of_s32, one.exchanged};
  }
  return std::nullopt;
}

std::optional<LaneCode> chosen_conversion(ElementType from, ElementType to) {
  if (from == to && lane_type(from) == kF32) return LaneCode{Code::kCopy};
  for (const Conversion& one : kConversions) {
    if (one.from == lane_type(from) && one.to == to) return LaneCode{one.code};
  }
  return std::nullopt;
}

}  // namespace

ElementType lane_type(ElementType type) {
  return type == kBF16 || type == kF16 ? kF32 : type;
}

Stored stored_of(ElementType type) {
  switch (type) {
    case kPred:
      return Stored::kPred;
    case kBF16:
      return Stored::kBf16;
    case kF16:
      return Stored::kF16;
    default:
      return Stored::kWord;
  }
}

std::optional<LaneCode> lane_code(const Instruction& instruction,
                                  std::span<const ElementType> types) {
  const std::string_view name = instruction.op->name;
  const ElementType result = instruction.shape.element_type;
  if (name == "convert") return chosen_conversion(types[0], result);
  if (name == "compare") return chosen_comparison(instruction, types);
  if (name == "select") {
    const bool fits =
        types[0] == kPred && types[1] == result && types[2] == result &&
        (lane_type(result) == kF32 || result == kS32 || result == kPred);
    return fits ? std::optional(LaneCode{Code::kSelect}) : std::nullopt;
  }
  for (const MapEntry& entry : kEntries) {
    const auto fits = [&](ElementType type) { return type == result; };
    if (entry.name == name && entry.type == lane_type(result) &&
        std::ranges::all_of(types, fits)) {
      return LaneCode{entry.code};
    }
  }
  return std::nullopt;
}

}  // namespace hlo::cpu
