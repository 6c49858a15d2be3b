#include "backends/cpu/routines/regions/comparator.h"

#include <cstring>
#include <string_view>

#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

using enum ElementType;

/// An element of one of the rows, as it is compared.
struct Compared {
  int64_t parameter = 0;
  bool one_zero = false;
  bool one_nan = false;
  uint64_t nan = 0;

  bool is_like(const Compared& other) const {
    return one_zero == other.one_zero && one_nan == other.one_nan &&
           nan == other.nan;
  }
};

bool is(const Instruction& instruction, std::string_view name) {
  return instruction.op->name == name;
}

bool compares(const Instruction& instruction, std::string_view direction) {
  return is(instruction, "compare") &&
         instruction.get<Word>("direction").value == direction;
}

/// The bits of a constant.
std::optional<uint64_t> constant_bits(const Instruction& constant) {
  if (!is(constant, "constant") || constant.literal == nullptr ||
      constant.literal->bytes().size() > sizeof(uint64_t)) {
    return std::nullopt;
  }
  uint64_t found = 0;
  std::memcpy(&found, constant.literal->bytes().data(),
              constant.literal->bytes().size());
  return found;
}

std::optional<uint64_t> infinity_of(ElementType type) {
  switch (type) {
    case kF16:
      return 0x7c00;
    case kBF16:
      return 0x7f80;
    case kF32:
      return 0x7f800000;
    case kF64:
      return 0x7ff0000000000000;
    default:
      return std::nullopt;
  }
}

bool is_zero(uint64_t code, ElementType type) {
  const uint64_t sign = uint64_t{1} << (bits(type) - 1);
  return (code & (sign - 1)) == 0;
}

bool is_nan(uint64_t code, ElementType type) {
  const uint64_t sign = uint64_t{1} << (bits(type) - 1);
  return (code & (sign - 1)) > infinity_of(type);
}

/// Selects in each other that are looked through.
constexpr size_t kMostSelects = 3;

std::optional<Compared> compared(const Instruction& value, ElementType type,
                                 size_t most = kMostSelects);

/// Whether it is x == 0.
bool asks_for_zero(const Instruction& condition, ElementType type) {
  const auto zero = constant_bits(*condition.operands[1]);
  return compares(condition, "EQ") && zero && is_zero(*zero, type);
}

/// Whether it is x != x.
bool asks_for_nan(const Instruction& condition) {
  return compares(condition, "NE") &&
         condition.operands[0] == condition.operands[1];
}

/// select(x == 0, 0, y) or select(x != x, nan, y), where y is x too.
std::optional<Compared> selected(const Instruction& select, ElementType type,
                                 size_t most) {
  const Instruction& condition = *select.operands[0];
  const std::optional<uint64_t> chosen = constant_bits(*select.operands[1]);
  std::optional<Compared> other = compared(*select.operands[2], type, most - 1);
  if (!chosen || !other || !infinity_of(type) || !is(condition, "compare") ||
      by_total_order(condition) ||
      select.operand_shape(1).element_type != type) {
    return std::nullopt;
  }
  const auto asked = compared(*condition.operands[0], type, most - 1);
  if (!asked || asked->parameter != other->parameter) return std::nullopt;
  if (is_zero(*chosen, type) && asks_for_zero(condition, type)) {
    other->one_zero = true;
    return other;
  }
  if (!is_nan(*chosen, type) || !asks_for_nan(condition)) return std::nullopt;
  other->one_nan = true;
  other->nan = *chosen;
  return other;
}

/// `type` is that of the elements.
std::optional<Compared> compared(const Instruction& value, ElementType type,
                                 size_t most) {
  if (value.shape.element_type != type) return std::nullopt;
  if (value.parameter_number >= 0) return Compared{value.parameter_number};
  return most > 0 && is(value, "select") ? selected(value, type, most)
                                         : std::nullopt;
}

bool is_plain_integer(ElementType type) {
  return type == kPred || (is_integer(type) && bits(type) >= 8);
}

/// The key of LT of two elements, or of GT.
std::optional<ComparedKey> key_of(const Instruction& compare) {
  const bool less = compares(compare, "LT");
  if (!less && !compares(compare, "GT")) return std::nullopt;
  const ElementType type = compare.operand_shape(0).element_type;
  const auto a = compared(*compare.operands[0], type);
  const auto b = compared(*compare.operands[1], type);
  const auto key = key_of_type(type);
  if (!a || !b || !key || !a->is_like(*b) ||
      (a->parameter ^ 1) != b->parameter) {
    return std::nullopt;
  }
  ComparedKey found{static_cast<size_t>(a->parameter / 2), *key};
  found.key.by_value = key->kind == KeyKind::kFloat && !by_total_order(compare);
  found.key.one_zero = a->one_zero || found.key.by_value;
  found.key.one_nan = a->one_nan;
  found.key.nan = a->nan;
  found.key.descends = less != (a->parameter % 2 == 0);
  return found;
}

/// Whether it compares what the other does, by the same order.
bool is_equality(const Instruction& equal, const Instruction& compare) {
  return compares(equal, "EQ") &&
         by_total_order(equal) == by_total_order(compare) &&
         ((equal.operands[0] == compare.operands[0] &&
           equal.operands[1] == compare.operands[1]) ||
          (equal.operands[0] == compare.operands[1] &&
           equal.operands[1] == compare.operands[0]));
}

using Keys = std::vector<ComparedKey>;

std::optional<Keys> keys_of(const Instruction& before, size_t most);

/// The keys of first | (equality & rest).
std::optional<Keys> joined_keys(const Instruction& first,
                                const Instruction& both, size_t most) {
  if (!is(both, "and")) return std::nullopt;
  const auto key = key_of(first);
  if (!key) return std::nullopt;
  for (const size_t k : {size_t{0}, size_t{1}}) {
    if (!is_equality(*both.operands[k], first)) continue;
    std::optional<Keys> rest = keys_of(*both.operands[1 - k], most - 1);
    if (!rest) return std::nullopt;
    rest->insert(rest->begin(), *key);
    return rest;
  }
  return std::nullopt;
}

std::optional<Keys> keys_of(const Instruction& before, size_t most) {
  if (most == 0) return std::nullopt;
  if (const auto key = key_of(before)) return Keys{*key};
  if (!is(before, "or")) return std::nullopt;
  const Instruction& a = *before.operands[0];
  const Instruction& b = *before.operands[1];
  std::optional<Keys> keys = joined_keys(a, b, most);
  return keys ? keys : joined_keys(b, a, most);
}

}  // namespace

bool by_total_order(const Instruction& compare) {
  const auto* type = compare.find("type");
  return type != nullptr && std::get<Word>(*type).value == "TOTALORDER";
}

std::optional<SortKey> key_of_type(ElementType type) {
  const std::optional<uint64_t> infinity = infinity_of(type);
  if (!infinity && !is_plain_integer(type)) return std::nullopt;
  SortKey key;
  key.width = static_cast<size_t>(storage_bytes(type));
  key.infinity = infinity.value_or(0);
  key.kind = infinity          ? KeyKind::kFloat
             : is_signed(type) ? KeyKind::kSigned
                               : KeyKind::kUnsigned;
  return key;
}

std::optional<std::vector<ComparedKey>> compared_keys(
    const Computation& comparator) {
  constexpr size_t kMostKeys = 16;
  return keys_of(*comparator.root, kMostKeys);
}

}  // namespace hlo::cpu
