#pragma once

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "interpreter/numeric/complex.h"
#include "interpreter/numeric/float_format.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/op.h"

namespace hlo {

using Complex = std::complex<double>;
using numeric::FloatFormat;

/// What a rule for integers gets to know of their type.
struct IntegerType {
  int bits;
  bool is_signed;
};

// A rule is a struct with static functions, one for each class of types that
// the operation takes. Absent members mean that the class is not allowed.
//
//   struct Add {
//     static bool pred(bool a, bool b) { return a || b; }
//     static uint64_t integer(uint64_t a, uint64_t b, IntegerType) {
//       return a + b;  // wraps when it is stored
//     }
//     static double real(double a, double b) { return a + b; }
//     static constexpr bool componentwise = true;  // of complex values
//   };
//   constinit const Op op_add = elementwise<Add>("add");
//
// The functions have as many operands as the operation.
// integer: operands are sign- or zero-extended to 64 bits; the result is
// truncated to the type. real: operands are exact; the result is rounded once
// to the type, so it must be exact in double or a single IEEE operation
// (+ - * / sqrt), which is innocuous for formats of at most 24 bits and exact
// for f64 itself; a NaN becomes the canonical one. bits(uint64_t.., const
// FloatFormat&): in place of real, a rule on codes, for what is not a function
// of values (sign bits, NaN payloads). complex: in double; the last parameter
// is the format of the components, to which each component is rounded.
// A function that returns bool gives pred, a complex one that returns double
// gives the component type.
// static constexpr numeric::Function function (or Function2 function2): in
// place of real, a correctly rounded function. static constexpr bool
// signed_only = true: no unsigned types. static constexpr bool componentwise =
// true: bits holds for each component of complex values. static constexpr bool
// complex_declared = true: complex types are accepted, but not evaluated.

/// The classes of element types that an operation takes.
struct Classes {
  bool pred = false;
  bool is_signed = false;
  bool is_unsigned = false;
  bool real = false;
  bool complex = false;

  bool contains(ElementType type) const;
};

/// What an element-wise operation accepts and returns. A class is `to_pred`
/// where its results are pred.
struct Signature {
  Classes classes = {};
  Classes to_pred = {};
  bool to_component = false;  // of complex operands
};

inline constexpr Signature kFloats{.classes = {.real = true}};
inline constexpr Signature kFloatsAndComplex{
    .classes = {.real = true, .complex = true}};
inline constexpr Signature kIntegers{
    .classes = {.is_signed = true, .is_unsigned = true}};

/// The shape of an operation on one operand. Violations: "<op>.C1", the
/// element type is not one of the signature's.
Shape unary_shape(const Instruction& instruction, const Signature& signature);
/// The shape of an operation on operands that agree: "<op>.C1", they have not
/// the same dimensions and element type; "<op>.C2", the type is none of the
/// signature's. Two float types may differ; the result then has the type that
/// the text gives, or else the one that holds more.
Shape same_shape(const Instruction& instruction, const Signature& signature);
/// Whether float types of operands and result differ (pred results apart).
bool has_mixed_types(const Instruction& instruction);
/// Which of the operation's labels a violation of rule `number` has: "add.C1".
std::string rule_label(const Instruction& instruction, int number);
/// "the element type is pred, an integer or a float".
std::string describe(const Classes& classes);
/// `result` with the dynamic marks of the operand's dimensions added.
void add_dynamic_marks(Shape& result, const Shape& operand);
/// Of two float types the one that holds more: more bits, else more exponents.
ElementType wider_float(ElementType a, ElementType b);

/// The array of instruction.shape that the operation's kernel computes,
/// operands of other dimensions than the result's being scalars.
Literal apply_elementwise(const Instruction& instruction, Operands operands,
                          const Evaluator& evaluator);

namespace loops {

/// A loop whose operands are all arrays. `instruction` tells their types.
using Block = Kernel;

// Staged form of an element: int64_t or uint64_t for integers, uint8_t for
// pred, double for floats, Complex for complex types.

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

}  // namespace loops

template <typename Rule>
concept HasPred = requires {
  &Rule::pred;
};
template <typename Rule>
concept HasInteger = requires {
  &Rule::integer;
};
template <typename Rule>
concept HasReal = requires {
  &Rule::real;
};
template <typename Rule>
concept HasBits = requires {
  &Rule::bits;
};
template <typename Rule>
concept HasFunction = requires {
  Rule::function;
};

template <typename Rule>
concept HasComplex = requires(Complex z, const FloatFormat& format) {
  Rule::complex(z, format);
}

|| requires(Complex z, const FloatFormat& format) {
  Rule::complex(z, z, format);
};

template <typename Rule>
concept HasFunction2 = requires {
  Rule::function2;
};
template <typename Rule>
concept HasComplexFunction = requires {
  Rule::complex_function;
};
template <typename Rule>
concept HasComplexFunction2 = requires {
  Rule::complex_function2;
};
template <typename Rule>
concept IsComplexDeclared = requires {
  Rule::complex_declared;
};
template <typename Rule>
concept IsComponentwise = requires {
  Rule::componentwise;
};
template <typename Rule>
concept IsSignedOnly = requires {
  Rule::signed_only;
};
template <typename Rule>
concept TakesComplex =
    HasComplex<Rule> || HasComplexFunction<Rule> || HasComplexFunction2<Rule> ||
    IsComponentwise<Rule> || IsComplexDeclared<Rule>;

namespace loops {

template <typename F>
struct Traits;

template <typename R, typename... T>
struct Traits<R(T...)> {
  using Result = R;
  static constexpr size_t kParameters = sizeof...(T);
};

/// What a loop stores for a rule's result: bool becomes the byte of pred.
template <typename F, typename Otherwise>
using Stored =
    std::conditional_t<std::is_same_v<typename Traits<F>::Result, bool>,
                       uint8_t, Otherwise>;

template <typename T>
constexpr IntegerType kIntegerType{8 * static_cast<int>(sizeof(T)),
                                   std::is_signed_v<T>};
inline constexpr FloatFormat kF32{ElementType::kF32, 8, 23, 127,
                                  numeric::Specials::kIeee};
inline constexpr FloatFormat kF64{ElementType::kF64, 11, 52, 1023,
                                  numeric::Specials::kIeee};

template <typename T>
constexpr uint64_t widen(T value) {
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

/// The quiet NaN of sign + for any NaN.
template <std::floating_point T>
constexpr T canonical(T value) {
  return value == value ? value : std::numeric_limits<T>::quiet_NaN();
}

inline Complex canonical(Complex value) {
  return {canonical(value.real()), canonical(value.imag())};
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
  using F = decltype(Rule::pred);
  over<Traits<F>::kParameters, uint8_t, uint8_t>(a, [](auto... x) {
    return static_cast<uint8_t>(Rule::pred((x != 0)...));
  });
}

template <typename Rule, typename T>
void integer_block(const KernelArguments& a) {
  using F = decltype(Rule::integer);
  using R = Stored<F, T>;
  over<Traits<F>::kParameters - 1, R, T>(a, [](auto... x) {
    return static_cast<R>(Rule::integer(widen(x)..., kIntegerType<T>));
  });
}

// Staged: integers of less than a byte.
template <typename Rule>
void narrow_integer_block(const KernelArguments& a) {
  using F = decltype(Rule::integer);
  const TypeInfo& row = info(operand_type(a));
  const IntegerType type{row.bits, row.type_class == TypeClass::kSigned};
  over<Traits<F>::kParameters - 1, Stored<F, uint64_t>, uint64_t>(
      a, [type](auto... x) { return Rule::integer(x..., type); });
}

// T: float, or double, which is also the staged form of all floats.
template <typename Rule, typename T>
void real_block(const KernelArguments& a) {
  using F = decltype(Rule::real);
  using R = Stored<F, T>;
  over<Traits<F>::kParameters, R, T>(a, [](auto... x) {
    return static_cast<R>(canonical(
        static_cast<std::conditional_t<std::is_same_v<R, uint8_t>, bool, T>>(
            Rule::real(static_cast<double>(x)...))));
  });
}

template <typename Rule, typename T>
void bits_block(const KernelArguments& a) {
  using F = decltype(Rule::bits);
  using R = Stored<F, T>;
  constexpr size_t arity = Traits<F>::kParameters - 1;
  if constexpr (sizeof(T) < 4) {
    const FloatFormat& format = numeric::format(operand_type(a));
    over<arity, R, T>(a, [&format](auto... x) {
      return static_cast<R>(Rule::bits(uint64_t{x}..., format));
    });
  } else {
    over<arity, R, T>(a, [](auto... x) {
      constexpr const FloatFormat& kFormat = sizeof(T) == 4 ? kF32 : kF64;
      return static_cast<R>(Rule::bits(uint64_t{x}..., kFormat));
    });
  }
}

template <typename Rule>
void function_block(const KernelArguments& a) {
  numeric::round_function_array(Rule::function, a.operands[0], a.result, a.n,
                                numeric::format(operand_type(a)));
}

template <typename Rule, typename T>
void function2_block(const KernelArguments& a) {
  const FloatFormat& format = numeric::format(operand_type(a));
  over<2, T, T>(a, [&format](T x, T y) {
    return static_cast<T>(
        numeric::round_function2(Rule::function2, x, y, format).bits);
  });
}

template <typename Rule>
Kernel function2_kernel(ElementType type) {
  switch (storage_bytes(type)) {
    case 1:
      return native<function2_block<Rule, uint8_t>>;
    case 2:
      return native<function2_block<Rule, uint16_t>>;
    case 4:
      return native<function2_block<Rule, uint32_t>>;
    default:
      return native<function2_block<Rule, uint64_t>>;
  }
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
void complex_block(const KernelArguments& a) {
  using F = decltype(Rule::complex);
  using R = Stored<F, typename Traits<F>::Result>;
  const FloatFormat& format = numeric::format(component_type(operand_type(a)));
  over<Traits<F>::kParameters - 1, R, Complex>(a, [&format](auto... x) {
    return canonical(Rule::complex(x..., format));
  });
}

template <typename Rule>
Kernel integer_kernel(ElementType type) {
  switch (type) {
    case ElementType::kS8:
      return native<integer_block<Rule, int8_t>>;
    case ElementType::kS16:
      return native<integer_block<Rule, int16_t>>;
    case ElementType::kS32:
      return native<integer_block<Rule, int32_t>>;
    case ElementType::kS64:
      return native<integer_block<Rule, int64_t>>;
    case ElementType::kU8:
      return native<integer_block<Rule, uint8_t>>;
    case ElementType::kU16:
      return native<integer_block<Rule, uint16_t>>;
    case ElementType::kU32:
      return native<integer_block<Rule, uint32_t>>;
    case ElementType::kU64:
      return native<integer_block<Rule, uint64_t>>;
    default:
      return staged<narrow_integer_block<Rule>>;
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
void complex_function_block(const KernelArguments& a) {
  const FloatFormat& format = numeric::format(component_type(operand_type(a)));
  if constexpr (HasComplexFunction<Rule>) {
    numeric::round_complex_array(Rule::complex_function, a.operands[0],
                                 a.result, a.n, format);
  } else {
    numeric::round_complex_array2(Rule::complex_function2, a.operands[0],
                                  a.operands[1], a.result, a.n, format);
  }
}

template <typename Rule>
Kernel complex_kernel([[maybe_unused]] ElementType type) {
  if constexpr (HasComplex<Rule>) {
    return staged<complex_block<Rule>>;
  } else if constexpr (HasComplexFunction<Rule> || HasComplexFunction2<Rule>) {
    return native<complex_function_block<Rule>>;
  } else if constexpr (IsComplexDeclared<Rule>) {
    return nullptr;
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

template <typename Rule>
constexpr size_t arity() {
  if constexpr (HasReal<Rule>) {
    return Traits<decltype(Rule::real)>::kParameters;
  } else if constexpr (HasBits<Rule>) {
    return Traits<decltype(Rule::bits)>::kParameters - 1;
  } else if constexpr (HasInteger<Rule>) {
    return Traits<decltype(Rule::integer)>::kParameters - 1;
  } else {
    return HasFunction2<Rule> ? 2 : 1;
  }
}

/// Whether a function of a rule returns bool.
template <typename F>
constexpr bool kTests = std::is_same_v<typename Traits<F>::Result, bool>;

template <typename Rule>
constexpr Signature signature() {
  Signature s;
  s.classes.pred = s.to_pred.pred = HasPred<Rule>;
  if constexpr (HasInteger<Rule>) {
    s.classes.is_signed = true;
    s.classes.is_unsigned = !IsSignedOnly<Rule>;
    s.to_pred.is_signed = s.to_pred.is_unsigned =
        kTests<decltype(Rule::integer)>;
  }
  s.classes.real =
      HasReal<Rule> || HasBits<Rule> || HasFunction<Rule> || HasFunction2<Rule>;
  if constexpr (HasReal<Rule>) s.to_pred.real = kTests<decltype(Rule::real)>;
  if constexpr (HasBits<Rule>) s.to_pred.real = kTests<decltype(Rule::bits)>;
  s.classes.complex = TakesComplex<Rule>;
  if constexpr (HasComplex<Rule>) {
    using Result = typename Traits<decltype(Rule::complex)>::Result;
    s.to_pred.complex = std::is_same_v<Result, bool>;
    s.to_component = std::is_same_v<Result, double>;
  }
  return s;
}

template <typename Rule>
Shape infer(const Instruction& instruction) {
  static constexpr Signature kSignature = signature<Rule>();
  return arity<Rule>() == 1 ? unary_shape(instruction, kSignature)
                            : same_shape(instruction, kSignature);
}

template <const Signature& signature, size_t arity>
Shape infer_declared(const Instruction& instruction) {
  return arity == 1 ? unary_shape(instruction, signature)
                    : same_shape(instruction, signature);
}

}  // namespace loops

/// The loop of a rule for the instruction's types; null where they are only
/// declared.
template <typename Rule>
Kernel pick_kernel(const Instruction& instruction) {
  const ElementType type = instruction.operands[0]->shape.element_type;
  if constexpr (HasPred<Rule>) {
    if (type == ElementType::kPred) {
      return loops::native<loops::pred_block<Rule>>;
    }
  }
  if constexpr (HasInteger<Rule>) {
    if (is_integer(type)) return loops::integer_kernel<Rule>(type);
  }
  if constexpr (TakesComplex<Rule>) {
    if (is_complex(type)) return loops::complex_kernel<Rule>(type);
  }
  if constexpr (HasReal<Rule>) {
    return has_mixed_types(instruction)
               ? loops::staged<loops::real_block<Rule, double>>
               : loops::real_kernel<Rule>(type);
  } else if constexpr (HasFunction<Rule>) {
    if (is_float(type)) return loops::native<loops::function_block<Rule>>;
  } else if constexpr (HasFunction2<Rule>) {
    if (is_float(type) && !has_mixed_types(instruction)) {
      return loops::function2_kernel<Rule>(type);
    }
  } else if constexpr (HasBits<Rule>) {
    return loops::bits_kernel<Rule>(type);
  }
  return nullptr;
}

inline constexpr AttributeSpec kResultAccuracy[] = {
    {"result_accuracy", AttributeKind::kResultAccuracy}};

/// The operation of a rule.
template <typename Rule>
constexpr Op elementwise(std::string_view name, Accuracy accuracy = {},
                         std::span<const AttributeSpec> attributes = {}) {
  constexpr int64_t kArity = loops::arity<Rule>();
  if constexpr (HasFunction<Rule>) accuracy.function = Rule::function;
  return {.name = name,
          .min_operands = kArity,
          .max_operands = kArity,
          .attributes = attributes,
          .infer = loops::infer<Rule>,
          .kernel = pick_kernel<Rule>,
          .accuracy = accuracy};
}

/// An element-wise operation that has no value rule yet.
template <const Signature& signature, size_t arity = 1>
constexpr Op declared(std::string_view name, Accuracy accuracy = {},
                      std::span<const AttributeSpec> attributes = {}) {
  return {.name = name,
          .min_operands = arity,
          .max_operands = arity,
          .attributes = attributes,
          .infer = loops::infer_declared<signature, arity>,
          .accuracy = accuracy};
}

/// How close real functions have to be (spec/numerics.md).
constexpr Accuracy rounded(int steps_f32, int steps_f64) {
  return {.kind = Accuracy::Kind::kRounded,
          .steps_f32 = steps_f32,
          .steps_f64 = steps_f64};
}

}  // namespace hlo
