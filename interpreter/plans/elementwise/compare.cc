#include <array>
#include <functional>
#include <type_traits>
#include <utility>

#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

/// By value: NaN is unordered, -0 equals +0.
template <typename Test>
struct ByValue {
  static bool pred(bool a, bool b) { return Test()(a, b); }

  static bool integer(auto a, auto b, IntegerType) { return Test()(a, b); }

  static bool real(auto a, auto b) { return Test()(a, b); }

  static constexpr bool kEveryPart = std::is_same_v<Test, std::equal_to<>>;
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
  const auto run = [&](const Instruction& compare) {
    pick_kernel<Rule>(compare)(
        {&compare, operands.data(), is_splat.data(), a.result, a.n});
  };
  if (!has_mixed_types(*a.instruction)) return run(*a.instruction);
  // The loop takes the types of its operands from the instruction.
  Instruction swapped = *a.instruction;
  std::swap(swapped.operands[0], swapped.operands[1]);
  run(swapped);
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

extern constinit const Plan plan_compare{.kernel = kernel};

}  // namespace hlo
