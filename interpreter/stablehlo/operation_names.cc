#include "interpreter/stablehlo/operation_names.h"

#include <algorithm>
#include <array>

namespace hlo::stablehlo {
namespace {

// Classes of operand types that StableHLO allows.
constexpr int kPred = 1;
constexpr int kSigned = 2;
constexpr int kUnsigned = 4;
constexpr int kReal = 8;
constexpr int kComplex = 16;
constexpr int kInteger = kSigned | kUnsigned;
constexpr int kFloats = kReal | kComplex;
constexpr int kNumber = kInteger | kFloats;
constexpr int kAny = kNumber | kPred;

int class_of(ElementType type) {
  switch (type_class(type)) {
    case TypeClass::kPred:
      return kPred;
    case TypeClass::kSigned:
      return kSigned;
    case TypeClass::kUnsigned:
      return kUnsigned;
    case TypeClass::kFloat:
      return kReal;
    case TypeClass::kComplex:
      return kComplex;
    case TypeClass::kNone:
      break;
  }
  return 0;
}

constexpr OperationName kNames[] = {
    {"stablehlo.abs", "abs", kSigned | kFloats},
    {"stablehlo.add", "add", kAny},
    {"stablehlo.and", "and", kInteger | kPred},
    {"stablehlo.atan2", "atan2", kFloats},
    {"stablehlo.cbrt", "cbrt", kReal},
    {"stablehlo.ceil", "ceil", kReal},
    {"stablehlo.clamp", "clamp", kAny},
    {"stablehlo.complex", "complex", kReal},
    {"stablehlo.cosine", "cosine", kFloats},
    {"stablehlo.count_leading_zeros", "count-leading-zeros", kInteger},
    {"stablehlo.divide", "divide", kNumber},
    {"stablehlo.exponential", "exponential", kFloats},
    {"stablehlo.exponential_minus_one", "exponential-minus-one", kFloats},
    {"stablehlo.floor", "floor", kReal},
    {"stablehlo.imag", "imag", kFloats},
    {"stablehlo.is_finite", "is-finite", kReal},
    {"stablehlo.log", "log", kFloats},
    {"stablehlo.log_plus_one", "log-plus-one", kFloats},
    {"stablehlo.logistic", "logistic", kFloats},
    {"stablehlo.maximum", "maximum", kAny},
    {"stablehlo.minimum", "minimum", kAny},
    {"stablehlo.multiply", "multiply", kAny},
    {"stablehlo.negate", "negate", kNumber},
    {"stablehlo.not", "not", kInteger | kPred},
    {"stablehlo.or", "or", kInteger | kPred},
    {"stablehlo.popcnt", "popcnt", kInteger},
    {"stablehlo.power", "power", kNumber},
    {"stablehlo.real", "real", kFloats},
    {"stablehlo.remainder", "remainder", kNumber},
    {"stablehlo.round_nearest_afz", "round-nearest-afz", kReal},
    {"stablehlo.round_nearest_even", "round-nearest-even", kReal},
    {"stablehlo.rsqrt", "rsqrt", kFloats},
    {"stablehlo.shift_left", "shift-left", kInteger},
    {"stablehlo.shift_right_arithmetic", "shift-right-arithmetic", kInteger},
    {"stablehlo.shift_right_logical", "shift-right-logical", kInteger},
    {"stablehlo.sign", "sign", kSigned | kFloats},
    {"stablehlo.sine", "sine", kFloats},
    {"stablehlo.sqrt", "sqrt", kFloats},
    {"stablehlo.subtract", "subtract", kNumber},
    {"stablehlo.tan", "tan", kFloats},
    {"stablehlo.tanh", "tanh", kFloats},
    {"stablehlo.xor", "xor", kInteger | kPred},
    {"chlo.acos", "acos", kFloats},
    {"chlo.acosh", "acosh", kFloats},
    {"chlo.asin", "asin", kFloats},
    {"chlo.asinh", "asinh", kFloats},
    {"chlo.atanh", "atanh", kFloats},
    {"chlo.cosh", "cosh", kFloats},
    {"chlo.erf", "erf", kReal},
    {"chlo.mulhi", "mulhi", kAny},
    {"chlo.sinh", "sinh", kFloats},
    {"chlo.tan", "tan", kFloats},
};

constexpr auto kTargets = std::to_array<std::string_view>(
    {"chlo._asin_acos_kernel", "chlo.atan", "chlo.bessel_i1e", "chlo.digamma",
     "chlo.erf_inv", "chlo.erfc", "chlo.is_inf", "chlo.is_neg_inf",
     "chlo.is_pos_inf", "chlo.lgamma", "chlo.next_after", "chlo.polygamma",
     "chlo.zeta"});

constexpr auto kBroadcasting =
    std::to_array<std::pair<std::string_view, std::string_view>>({
        {"chlo.broadcast_add", "stablehlo.add"},
        {"chlo.broadcast_and", "stablehlo.and"},
        {"chlo.broadcast_atan2", "stablehlo.atan2"},
        {"chlo.broadcast_compare", "stablehlo.compare"},
        {"chlo.broadcast_complex", "stablehlo.complex"},
        {"chlo.broadcast_divide", "stablehlo.divide"},
        {"chlo.broadcast_maximum", "stablehlo.maximum"},
        {"chlo.broadcast_minimum", "stablehlo.minimum"},
        {"chlo.broadcast_multiply", "stablehlo.multiply"},
        {"chlo.broadcast_next_after", "chlo.next_after"},
        {"chlo.broadcast_or", "stablehlo.or"},
        {"chlo.broadcast_polygamma", "chlo.polygamma"},
        {"chlo.broadcast_power", "stablehlo.power"},
        {"chlo.broadcast_remainder", "stablehlo.remainder"},
        {"chlo.broadcast_select", "stablehlo.select"},
        {"chlo.broadcast_shift_left", "stablehlo.shift_left"},
        {"chlo.broadcast_shift_right_arithmetic",
         "stablehlo.shift_right_arithmetic"},
        {"chlo.broadcast_shift_right_logical", "stablehlo.shift_right_logical"},
        {"chlo.broadcast_subtract", "stablehlo.subtract"},
        {"chlo.broadcast_xor", "stablehlo.xor"},
        {"chlo.broadcast_zeta", "chlo.zeta"},
    });

const OperationName* find(std::string_view key,
                          std::string_view OperationName::*field) {
  const auto* found = std::ranges::find(kNames, key, field);
  return found == std::ranges::end(kNames) ? nullptr : found;
}

}  // namespace

bool OperationName::takes(ElementType type) const {
  return (classes & class_of(type)) != 0;
}

std::span<const OperationName> operation_names() { return kNames; }

const OperationName* find_name(std::string_view name) {
  return find(name, &OperationName::name);
}

const OperationName* find_opcode(std::string_view opcode) {
  return find(opcode, &OperationName::opcode);
}

std::span<const std::string_view> target_names() { return kTargets; }

std::span<const std::pair<std::string_view, std::string_view>>
broadcasting_names() {
  return kBroadcasting;
}

}  // namespace hlo::stablehlo
