// spec/ops/compare.md
#include <compare>

#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"direction", AttributeKind::kWord, true, "EQ NE GE GT LE LT"},
    {"type", AttributeKind::kWord, false, "FLOAT TOTALORDER SIGNED UNSIGNED"}};

constexpr Signature kSignature{.classes = {.pred = true,
                                           .is_signed = true,
                                           .is_unsigned = true,
                                           .real = true,
                                           .complex = true},
                               .to_pred = {.pred = true,
                                           .is_signed = true,
                                           .is_unsigned = true,
                                           .real = true,
                                           .complex = true}};

bool type_fits(const Instruction& compare, ElementType type) {
  const AttributeValue* word = compare.find("type");
  if (word == nullptr) return true;
  const std::string& order = std::get<Word>(*word).value;
  if (is_float(type)) return order == "FLOAT" || order == "TOTALORDER";
  if (is_complex(type)) return order == "FLOAT";
  return order == (is_signed(type) ? "SIGNED" : "UNSIGNED");
}

bool is_total(const Instruction& compare) {
  const AttributeValue* word = compare.find("type");
  return word != nullptr && std::get<Word>(*word).value == "TOTALORDER";
}

Shape infer(const Instruction& compare) {
  Shape result = same_shape(compare, kSignature);
  const ElementType type = compare.operand_shape(0).element_type;
  const std::string& direction = compare.get<Word>("direction").value;
  require(!is_complex(type) || direction == "EQ" || direction == "NE",
          "compare.C3",
          {"values of type ", type, " are compared by ", direction},
          "complex values can be compared by EQ or NE only");
  require(
      type_fits(compare, type), "compare.C4",
      {"type is ", compare.get_or<Word>("type", {}).value,
       " for operands of type ", type},
      "it must be FLOAT or TOTALORDER for floats, FLOAT for complex, SIGNED "
      "for signed integers, UNSIGNED for unsigned integers and pred");
  const ElementType other = compare.operand_shape(1).element_type;
  require(!is_total(compare) || type == other, "compare.C5",
          {"type is TOTALORDER for operands of types ", type, " and ", other},
          "they must have one type, as only its codes have a total order");
  return result;
}

/// How a and b stand to each other. By value NaN is unordered, and -0 equals
/// +0; complex numbers are equal or not.
std::partial_ordering order(const Scalar& a, const Scalar& b, bool is_total) {
  using definition::integer_of, definition::real_of, definition::part_of;
  if (is_total) {
    return numeric::total_order(a.bits[0], numeric::format(a.type)) <=>
           numeric::total_order(b.bits[0], numeric::format(b.type));
  }
  if (is_float(a.type)) return real_of(a) <=> real_of(b);
  if (is_complex(a.type)) {
    const bool equal = real_of(part_of(a, 0)) == real_of(part_of(b, 0)) &&
                       real_of(part_of(a, 1)) == real_of(part_of(b, 1));
    return equal ? std::partial_ordering::equivalent
                 : std::partial_ordering::unordered;
  }
  return integer_of(a, is_signed(a.type)) <=> integer_of(b, is_signed(b.type));
}

bool holds(std::partial_ordering order, std::string_view direction) {
  if (direction == "EQ") return std::is_eq(order);
  if (direction == "NE") return std::is_neq(order);
  if (direction == "LT") return std::is_lt(order);
  if (direction == "LE") return std::is_lteq(order);
  return direction == "GT" ? std::is_gt(order) : std::is_gteq(order);
}

Scalar element(const Instruction& compare, std::span<const Scalar> x) {
  const auto& direction = compare.get<Word>("direction").value;
  return definition::as_scalar(
      holds(order(x[0], x[1], is_total(compare)), direction),
      ElementType::kPred);
}

}  // namespace

extern constinit const Op op_compare{
    .name = "compare",
    .min_operands = 2,
    .max_operands = 2,
    .attributes = kAttributes,
    .infer = infer,
    .element = element,
    .facts = {.formula = "whether {0} and {1} stand in the relation",
              .behaviour = {Behaviour::Kind::kCompare}}};

}  // namespace hlo
