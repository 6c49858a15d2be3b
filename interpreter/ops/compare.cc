// spec/ops/compare.md
#include <functional>

#include "interpreter/elementwise.h"
#include "interpreter/error.h"

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

Shape infer(const Instruction& compare) {
  const Shape result = same_shape(compare, kSignature);
  const ElementType type = compare.operand_shape(0).element_type;
  const std::string& direction = compare.get<Word>("direction").value;
  require(!is_complex(type) || direction == "EQ" || direction == "NE",
          "compare.C3", "complex values are compared with EQ or NE only");
  require(type_fits(compare, type), "compare.C4",
          "type is FLOAT or TOTALORDER for floats, FLOAT for complex, SIGNED "
          "for signed integers, UNSIGNED for unsigned integers and pred");
  return result;
}

/// By value: NaN is unordered, -0 equals +0.
template <typename Test>
struct ByValue {
  static constexpr bool kEquality = std::is_same_v<Test, std::equal_to<>> ||
                                    std::is_same_v<Test, std::not_equal_to<>>;

  static bool pred(bool a, bool b) { return Test()(a, b); }

  static bool integer(uint64_t a, uint64_t b, IntegerType type) {
    return type.is_signed
               ? Test()(static_cast<int64_t>(a), static_cast<int64_t>(b))
               : Test()(a, b);
  }

  static bool real(double a, double b) { return Test()(a, b); }

  static bool complex(Complex a, Complex b,
                      const FloatFormat&) requires kEquality {
    return Test()(a, b);
  }
};

template <typename Test>
struct ByTotalOrder {
  static bool bits(uint64_t a, uint64_t b, const FloatFormat& format) {
    return Test()(numeric::total_order(a, format),
                  numeric::total_order(b, format));
  }
};

template <template <typename> typename Order>
Kernel pick(const Instruction& compare) {
  const std::string& direction = compare.get<Word>("direction").value;
  if (direction == "EQ") return pick_kernel<Order<std::equal_to<>>>(compare);
  if (direction == "NE") {
    return pick_kernel<Order<std::not_equal_to<>>>(compare);
  }
  if (direction == "LT") return pick_kernel<Order<std::less<>>>(compare);
  if (direction == "LE") return pick_kernel<Order<std::less_equal<>>>(compare);
  if (direction == "GT") return pick_kernel<Order<std::greater<>>>(compare);
  return pick_kernel<Order<std::greater_equal<>>>(compare);
}

Kernel kernel(const Instruction& compare) {
  const AttributeValue* word = compare.find("type");
  const bool total =
      word != nullptr && std::get<Word>(*word).value == "TOTALORDER";
  return total ? pick<ByTotalOrder>(compare) : pick<ByValue>(compare);
}

}  // namespace

extern constinit const Op op_compare{.name = "compare",
                                     .min_operands = 2,
                                     .max_operands = 2,
                                     .attributes = kAttributes,
                                     .infer = infer,
                                     .kernel = kernel};

}  // namespace hlo
