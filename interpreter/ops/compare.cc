// spec/ops/compare.md
#include <array>
#include <functional>
#include <type_traits>

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
  return result;
}

/// By value: NaN is unordered, -0 equals +0.
template <typename Test>
struct ByValue {
  static bool pred(bool a, bool b) { return Test()(a, b); }

  static bool integer(uint64_t a, uint64_t b, IntegerType type) {
    return type.is_signed
               ? Test()(static_cast<int64_t>(a), static_cast<int64_t>(b))
               : Test()(a, b);
  }

  static bool real(double a, double b) { return Test()(a, b); }

  static bool complex(Complex a, Complex b, const FloatFormat&) requires
      std::is_same_v<Test, std::equal_to<>> {
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

// Greater is less with the operands exchanged, and not equal is the opposite of
// equal, NaN included.
template <typename Rule>
void with_swapped_operands(const KernelArguments& a) {
  const std::array<const std::byte*, 2> operands = {a.operands[1],
                                                    a.operands[0]};
  const std::array<bool, 2> is_splat = {a.is_splat[1], a.is_splat[0]};
  pick_kernel<Rule> (*a.instruction)(
      {a.instruction, operands.data(), is_splat.data(), a.result, a.n});
}

template <typename Rule>
void with_opposite_result(const KernelArguments& a) {
  pick_kernel<Rule> (*a.instruction)(a);
  for (int64_t i = 0; i < a.n; ++i) a.result[i] ^= std::byte{1};
}

template <template <typename> typename Order>
Kernel pick(const Instruction& compare) {
  using Less = Order<std::less<>>;
  using LessEqual = Order<std::less_equal<>>;
  using Equal = Order<std::equal_to<>>;
  const std::string& direction = compare.get<Word>("direction").value;
  if (direction == "EQ") return pick_kernel<Equal>(compare);
  if (direction == "NE") return with_opposite_result<Equal>;
  if (direction == "LT") return pick_kernel<Less>(compare);
  if (direction == "LE") return pick_kernel<LessEqual>(compare);
  if (direction == "GT") return with_swapped_operands<Less>;
  return with_swapped_operands<LessEqual>;
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
