#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <utility>

#include "interpreter/definition/elementwise_rule.h"
#include "interpreter/numeric/complex/rounded_complex.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/plans/elementwise/rounded_to_odd.h"
#include "interpreter/rules/op.h"

// The loops that the members of a rule become, one for each type of storage.

namespace hlo {

/// Whether float types of operands and result differ (pred results apart).
bool has_mixed_types(const Instruction& instruction);

}  // namespace hlo

namespace hlo::loops {

using numeric::Parts;

/// A loop whose operands are all arrays. `instruction` tells their types.
using Block = Kernel;

// Staged form of an element: int64_t or uint64_t for integers, uint8_t for
// pred, double for floats, Parts for complex types.

/// Calls `block` where no operand is a splat, and else on pieces with the
/// splats written out.
void run_native(const KernelArguments& arguments, Block block);
/// Calls `block` on pieces in staged form and stores its results in the type
/// of the result.
void run_staged(const KernelArguments& arguments, Block block);
/// n elements of storage to staged form, and back: integers wrap, floats are
/// rounded once.
void load_staged(ElementType type, const std::byte* elements, int64_t n,
                 std::byte* staged);
void store_staged(ElementType type, const std::byte* staged, int64_t n,
                  std::byte* elements);

/// What a loop stores: the byte of pred for a rule that tests.
template <bool tests, typename Otherwise>
using Stored = std::conditional_t<tests, uint8_t, Otherwise>;

template <typename T>
constexpr IntegerType kIntegerType{8 * static_cast<int>(sizeof(T)),
                                   std::is_signed_v<T>};
inline constexpr FloatFormat kF32{ElementType::kF32, 8, 23, 127,
                                  numeric::Specials::kIeee};
inline constexpr FloatFormat kF64{ElementType::kF64, 11, 52, 1023,
                                  numeric::Specials::kIeee};

/// The integer type of 64 bits that rules are called with for T.
template <typename T>
using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;

/// The quiet NaN of sign + for any NaN.
template <std::floating_point T>
T canonical(T value) {
  return std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value;
}

constexpr uint8_t canonical(bool value) { return static_cast<uint8_t>(value); }

/// result[i] = f(operands[i]...). The inner loop has a constant length so that
/// it becomes vector code.
template <typename F, typename R, typename... T>
void each(const F& f, int64_t n, R* __restrict__ result,
          const T* __restrict__... operands) {
  constexpr int64_t kLanes = 16;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      result[i + lane] = f(operands[i + lane]...);
    }
  }
  for (; i < n; ++i) result[i] = f(operands[i]...);
}

/// each() over a kernel's arguments: `arity` operands stored as T.
template <size_t arity, typename R, typename T, typename F>
void over(const KernelArguments& a, const F& f) {
  [&]<size_t... k>(std::index_sequence<k...>) {
    each(f, a.n, reinterpret_cast<R*>(a.result),
         reinterpret_cast<const T*>(a.operands[k])...);
  }
  (std::make_index_sequence<arity>{});
}

inline ElementType operand_type(const KernelArguments& a) {
  return a.instruction->operands[0]->shape.element_type;
}

/// Kernels out of blocks.
template <Block block>
void native(const KernelArguments& arguments) {
  run_native(arguments, block);
}

template <Block block>
void staged(const KernelArguments& arguments) {
  run_staged(arguments, block);
}

template <typename Rule>
void pred_block(const KernelArguments& a) {
  over<arity<Rule>(), uint8_t, uint8_t>(a, [](auto... x) {
    return static_cast<uint8_t>(Rule::pred((x != 0)...));
  });
}

template <typename Rule, typename... T>
constexpr auto call_integer(IntegerType type, T... x) {
  if constexpr (HasFastInteger<Rule>) {
    return Rule::fast_integer(x..., type);
  } else {
    return Rule::integer(x..., type);
  }
}

// T: what the storage is read as.
template <typename Rule, typename T>
void integer_block(const KernelArguments& a) {
  using R = Stored<tests_integers<Rule>(), T>;
  over<arity<Rule>(), R, T>(a, [](auto... x) {
    return static_cast<R>(
        call_integer<Rule>(kIntegerType<T>, static_cast<Wide<T>>(x)...));
  });
}

// Staged: integers of less than a byte, read as the signed or unsigned W.
template <typename Rule, typename W>
void narrow_integer_block(const KernelArguments& a) {
  using R = Stored<tests_integers<Rule>(), W>;
  const IntegerType type{bits(operand_type(a)), std::is_signed_v<W>};
  const int unused = 64 - type.bits;
  over<arity<Rule>(), R, W>(a, [type, unused](auto... x) {
    return static_cast<R>(call_integer<Rule>(type, (x << unused >> unused)...));
  });
}

// T: float, or double, which is also the staged form of all floats.
template <typename Rule, typename T>
void real_block(const KernelArguments& a) {
  constexpr bool kTests = tests_floats<Rule>();
  using R = Stored<kTests, T>;
  over<arity<Rule>(), R, T>(a, [](auto... x) {
    return static_cast<R>(
        canonical(static_cast<std::conditional_t<kTests, bool, T>>(
            Rule::real(static_cast<double>(x)...))));
  });
}

/// Whether the rule is one of + - * /, whose exact result double may not hold.
template <typename Rule>
constexpr bool is_rounded_operation() {
  if constexpr (requires { Rule::kArithmetic; }) {
    return Rule::kArithmetic == Arithmetic::kSum ||
           Rule::kArithmetic == Arithmetic::kDifference ||
           Rule::kArithmetic == Arithmetic::kProduct ||
           Rule::kArithmetic == Arithmetic::kQuotient;
  } else {
    return false;
  }
}

// Staged, to a result narrower than f64: operands that have more digits than
// that do not let the nearest double be rounded once more.
template <typename Rule>
void mixed_real_block(const KernelArguments& a) {
  over<2, double, double>(a, [](double x, double y) {
    return canonical(rounded_to_odd<Rule::kArithmetic>(Rule::real(x, y), x, y));
  });
}

template <typename Rule, typename T>
void bits_block(const KernelArguments& a) {
  using R = Stored<tests_floats<Rule>(), T>;
  constexpr size_t kArity = arity<Rule>();
  if constexpr (sizeof(T) < 4) {
    const FloatFormat& format = numeric::format(operand_type(a));
    over<kArity, R, T>(a, [&format](auto... x) {
      return static_cast<R>(Rule::bits(uint64_t{x}..., format));
    });
  } else {
    over<kArity, R, T>(a, [](auto... x) {
      constexpr const FloatFormat& kFormat = sizeof(T) == 4 ? kF32 : kF64;
      return static_cast<R>(Rule::bits(uint64_t{x}..., kFormat));
    });
  }
}

template <typename Rule>
void function_block(const KernelArguments& a) {
  numeric::round_function_array(Rule::kFunction, a.operands[0], a.result, a.n,
                                numeric::format(operand_type(a)));
}

template <typename Rule>
void function2_block(const KernelArguments& a) {
  numeric::round_function2_array(Rule::kFunction2, a.operands[0], a.operands[1],
                                 a.result, a.n,
                                 numeric::format(operand_type(a)));
}

/// A block on components: complex numbers as twice as many parts.
template <Block block>
void on_parts(const KernelArguments& a) {
  KernelArguments parts = a;
  parts.n *= 2;
  block(parts);
}

// Staged.
template <typename Rule>
void every_part_block(const KernelArguments& a) {
  over<arity<Rule>(), uint8_t, Parts>(a, [](auto... z) {
    return canonical(Rule::real(z.re...) && Rule::real(z.im...));
  });
}

/// The loop for the native type T, or the unsigned or signed one as wide.
template <typename Rule, typename T>
Kernel native_integer_kernel() {
  if constexpr (reads_signed<Rule>(std::is_signed_v<T>)) {
    return native<integer_block<Rule, std::make_signed_t<T>>>;
  } else {
    return native<integer_block<Rule, std::make_unsigned_t<T>>>;
  }
}

template <typename Rule>
Kernel narrow_integer_kernel([[maybe_unused]] ElementType type) {
  if constexpr (HasReadAs<Rule>) {
    using W = std::conditional_t<reads_signed<Rule>(false), int64_t, uint64_t>;
    return staged<narrow_integer_block<Rule, W>>;
  } else {
    return is_signed(type) ? staged<narrow_integer_block<Rule, int64_t>>
                           : staged<narrow_integer_block<Rule, uint64_t>>;
  }
}

template <typename Rule>
Kernel integer_kernel(ElementType type) {
  switch (type) {
    case ElementType::kS8:
      return native_integer_kernel<Rule, int8_t>();
    case ElementType::kS16:
      return native_integer_kernel<Rule, int16_t>();
    case ElementType::kS32:
      return native_integer_kernel<Rule, int32_t>();
    case ElementType::kS64:
      return native_integer_kernel<Rule, int64_t>();
    case ElementType::kU8:
      return native_integer_kernel<Rule, uint8_t>();
    case ElementType::kU16:
      return native_integer_kernel<Rule, uint16_t>();
    case ElementType::kU32:
      return native_integer_kernel<Rule, uint32_t>();
    case ElementType::kU64:
      return native_integer_kernel<Rule, uint64_t>();
    default:
      return narrow_integer_kernel<Rule>(type);
  }
}

template <typename Rule>
Kernel bits_kernel(ElementType type) {
  switch (storage_bytes(type)) {
    case 1:
      return native<bits_block<Rule, uint8_t>>;
    case 2:
      return native<bits_block<Rule, uint16_t>>;
    case 4:
      return native<bits_block<Rule, uint32_t>>;
    default:
      return native<bits_block<Rule, uint64_t>>;
  }
}

template <typename Rule>
Kernel real_kernel(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return native<real_block<Rule, float>>;
    case ElementType::kF64:
      return native<real_block<Rule, double>>;
    default:
      return staged<real_block<Rule, double>>;
  }
}

template <typename Rule>
Kernel mixed_real_kernel([[maybe_unused]] const Instruction& instruction) {
  if constexpr (is_rounded_operation<Rule>()) {
    if (instruction.shape.element_type != ElementType::kF64) {
      return staged<mixed_real_block<Rule>>;
    }
  }
  return staged<real_block<Rule, double>>;
}

/// The loop for floats, or null.
template <typename Rule>
Kernel float_kernel(const Instruction& instruction, ElementType type) {
  const bool mixed = has_mixed_types(instruction);
  if constexpr (HasReal<Rule>) {
    return mixed ? mixed_real_kernel<Rule>(instruction)
                 : real_kernel<Rule>(type);
  } else if constexpr (HasFunction<Rule>) {
    return native<function_block<Rule>>;
  } else if constexpr (HasFunction2<Rule>) {
    return mixed ? nullptr : native<function2_block<Rule>>;
  } else {
    return bits_kernel<Rule>(type);
  }
}

template <typename Rule>
void complex_function_block(const KernelArguments& a) {
  const FloatFormat& format = numeric::format(component_type(operand_type(a)));
  if constexpr (HasComplexFunction<Rule>) {
    numeric::round_complex_array(Rule::kComplexFunction, a.operands[0],
                                 a.result, a.n, format);
  } else if constexpr (HasComplexFunction2<Rule>) {
    numeric::round_complex_array2(Rule::kComplexFunction2, a.operands[0],
                                  a.operands[1], a.result, a.n, format);
  } else {
    numeric::round_complex_abs_array(a.operands[0], a.result, a.n, format);
  }
}

template <typename Rule>
Kernel complex_kernel([[maybe_unused]] ElementType type) {
  if constexpr (HasEveryPart<Rule>) {
    return staged<every_part_block<Rule>>;
  } else if constexpr (!IsComponentwise<Rule>) {
    return native<complex_function_block<Rule>>;
  } else if constexpr (HasReal<Rule>) {
    return type == ElementType::kC64
               ? native<on_parts<real_block<Rule, float>>>
               : native<on_parts<real_block<Rule, double>>>;
  } else {
    return type == ElementType::kC64
               ? native<on_parts<bits_block<Rule, uint32_t>>>
               : native<on_parts<bits_block<Rule, uint64_t>>>;
  }
}

}  // namespace hlo::loops
