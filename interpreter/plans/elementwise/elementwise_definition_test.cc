// Loops against definitions: every element-wise operation, at all pairs of
// codes of narrow types, and at awkward and random codes of the others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/definition/define.h"
#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/run/evaluator.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

using Codes = std::vector<Scalar>;

/// An operation with attributes and, where the text has to say it, the type of
/// the result.
struct Variant {
  std::string op;
  std::string attributes = {};
  std::string result = {};
};

std::vector<Variant> special_variants() {
  std::vector<Variant> variants;
  for (const char* direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
    const std::string attribute = fmt::format(", direction={}", direction);
    variants.push_back({"compare", attribute});
    variants.push_back({"compare", attribute + ", type=TOTALORDER"});
  }
  for (const char* type :
       {"pred", "s4", "s8", "u16", "s32", "s64", "u64", "f16", "bf16", "f32",
        "f64", "f8e5m2", "f8e4m3fn", "f8e4m3b11fnuz", "f8e8m0fnu", "f4e2m1fn",
        "c64", "c128"}) {
    variants.push_back({"convert", "", type});
    variants.push_back({"stochastic-convert", "", type});
  }
  for (const auto& [exponent, mantissa] :
       {std::pair(5, 10), {2, 1}, {8, 0}, {1, 3}, {11, 2}, {3, 52}, {4, 23}}) {
    variants.push_back(
        {"reduce-precision", fmt::format(", exponent_bits={}, mantissa_bits={}",
                                         exponent, mantissa)});
  }
  return variants;
}

/// Those of every element-wise operation.
std::vector<Variant> all_variants() {
  std::vector<Variant> variants = special_variants();
  const std::vector<Variant> special = variants;
  for (const Op* op : all_ops()) {
    const bool is_special =
        std::ranges::find(special, op->name, &Variant::op) != special.end();
    if (op->element != nullptr && !is_special) {
      variants.push_back({std::string(op->name)});
    }
  }
  return variants;
}

std::string operand_type(const Variant& variant, std::string_view type,
                         int64_t k) {
  if (variant.op == "select" && k == 0) return "pred";
  if (variant.op == "stochastic-convert" && k == 1) {
    return fmt::format("u{}", bits(*find_type(type)));
  }
  return std::string(type);
}

/// The program that applies it to arrays of n elements; nothing where the
/// operation does not take the type.
std::optional<Module> program(const Variant& variant, std::string_view type,
                              int64_t n) {
  std::string text = "HloModule m\nENTRY main {\n";
  std::string names;
  for (int64_t k = 0; k < find_op(variant.op)->min_operands; ++k) {
    text += fmt::format("p{} = {}[{}] parameter({})\n", k,
                        operand_type(variant, type, k), n, k);
    names += fmt::format("{}p{}", k > 0 ? ", " : "", k);
  }
  const std::string shape =
      variant.result.empty() ? "" : fmt::format("{}[{}] ", variant.result, n);
  text += fmt::format("ROOT r = {}{}({}){}\n}}", shape, variant.op, names,
                      variant.attributes);
  try {
    return verified_module(text);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Element i is the tuple of codes of number i * kStep, where the first operand
/// changes fastest; a third one is random.
std::vector<Literal> tuples_of(const Instruction& root, const Codes& codes,
                               int64_t n) {
  constexpr size_t kStep = 7919;  // prime: in the end all tuples occur
  std::mt19937_64 engine(9);
  std::vector<Literal> operands;
  size_t stride = 1;
  for (const Instruction* parameter : root.operands) {
    Literal operand(parameter->shape);
    for (int64_t i = 0; i < n; ++i) {
      const size_t place = operands.size() == 2
                               ? engine()
                               : static_cast<size_t>(i) * kStep / stride;
      Scalar code = codes[place % codes.size()];
      code.type = operand.type();
      if (code.type == ElementType::kPred) code.bits[0] &= 1;
      operand.set(i, code);
    }
    operands.push_back(std::move(operand));
    stride *= codes.size();
  }
  return operands;
}

std::string describe(const Instruction& root, const std::vector<Literal>& x,
                     int64_t i) {
  std::string text(root.op->name);
  for (const Literal& operand : x) {
    text += fmt::format(" {}:{:#x},{:#x}", name(operand.type()),
                        operand.at(i).bits[0], operand.at(i).bits[1]);
  }
  return text + fmt::format(" to {}", name(root.shape.element_type));
}

bool same_part(const Scalar& a, const Scalar& b, size_t part) {
  const auto& format = numeric::format(component_type(a.type));
  return a.bits[part] == b.bits[part] ||
         (numeric::is_nan(a.bits[part], format) &&
          numeric::is_nan(b.bits[part], format));
}

/// Bit for bit, but for the signs of NaNs that are computed as parts.
bool agree(const Scalar& a, const Scalar& b) {
  if (!is_complex(a.type)) return a == b;
  return same_part(a, b, 0) && same_part(a, b, 1);
}

/// Compares all tuples of the codes, or `most` of them; whether the operation
/// takes the type.
bool compare_at(const Variant& variant, std::string_view type,
                const Codes& codes, int64_t most) {
  int64_t n = 1;
  for (int64_t k = 0; k < find_op(variant.op)->min_operands && k < 2; ++k) {
    n *= std::ssize(codes);
  }
  n = std::min(n, most);
  const auto module = program(variant, type, n);
  if (!module) return false;
  const Instruction& root = *module->entry->root;
  const std::vector<Literal> operands = tuples_of(root, codes, n);
  const Kernel kernel = kernel_of(root);
  if (kernel == nullptr) return false;
  const Literal loop = run_kernel(kernel, root, operands);
  const Valuation valuation{};
  Evaluator evaluator(valuation);
  const Literal defined = definition::define(root, operands, evaluator);
  for (int64_t i = 0; i < n; ++i) {
    const bool same = agree(loop.at(i), defined.at(i));
    EXPECT_TRUE(same) << describe(root, operands, i)
                      << fmt::format("{}: {:#x} defined: {:#x}",
                                     variant.attributes, loop.at(i).bits[0],
                                     defined.at(i).bits[0]);
    if (!same) return true;
  }
  return true;
}

/// Every code of the type.
Codes all_codes(ElementType type) {
  Codes codes;
  for (uint64_t code = 0; code < uint64_t{1} << bits(type); ++code) {
    codes.push_back({type, {code, 0}});
  }
  return codes;
}

/// Codes next to where bits of a code change their meaning, and random ones.
Codes awkward_codes(ElementType type, size_t count) {
  const int width = bits(component_type(type));
  std::mt19937_64 engine(4);
  std::vector<uint64_t> parts;
  for (int bit = 0; bit <= width; bit += bit < 2 || bit > width - 13 ? 1 : 7) {
    const uint64_t power = bit == 64 ? 0 : uint64_t{1} << bit;
    for (const uint64_t code : {power, power - 1, power + 1, 0 - power}) {
      parts.push_back(code);
    }
  }
  Codes codes;
  for (const uint64_t part : parts) {
    codes.push_back({type, {part, parts[engine() % parts.size()]}});
  }
  while (codes.size() < count) codes.push_back({type, {engine(), engine()}});
  std::ranges::shuffle(codes, engine);
  codes.resize(count);
  return codes;
}

/// Functions, which take longer.
bool is_slow(const Variant& variant) {
  return find_op(variant.op)->accuracy.kind == Accuracy::Kind::kRounded;
}

/// The operations that take the type, at so many pairs of its codes.
int64_t compare_all(std::string_view type, const Codes& codes, int64_t most) {
  return std::ranges::count_if(all_variants(), [&](const Variant& variant) {
    const int64_t count = is_slow(variant) || !variant.attributes.empty()
                              ? std::min<int64_t>(most, 1000)
                              : most;
    return compare_at(variant, type, codes, count);
  });
}

TEST(ElementwiseDefinition, AgreesWithLoopsAtAllPairsOfNarrowCodes) {
  constexpr int64_t kAll = 65536;
  int64_t count = 0;
  for (const std::string_view type :
       {"pred", "s4", "u4", "f4e2m1fn", "s8", "f8e4m3fn"}) {
    count += compare_all(type, all_codes(*find_type(type)), kAll);
  }
  for (const std::string_view type :
       {"u8", "f8e5m2", "f8e4m3b11fnuz", "f8e8m0fnu"}) {
    count += compare_all(type, all_codes(*find_type(type)), kAll / 16);
  }
  EXPECT_GE(count, 300);
}

TEST(ElementwiseDefinition, AgreesWithLoopsAtAwkwardCodes) {
  int64_t count = 0;
  for (const std::string_view type : {"s16", "s32", "u32", "s64", "u64", "f16",
                                      "bf16", "f32", "f64", "c64", "c128"}) {
    count += compare_all(type, awkward_codes(*find_type(type), 100), 1500);
  }
  EXPECT_GE(count, 300);
}

using Pair = std::pair<double, double>;

/// Both operands, so that the exact result lies next to a number half way
/// between two codes of the result.
Pair near_tie(std::string_view op, double tie, std::mt19937_64& engine) {
  const double b = std::ldexp(1 + static_cast<double>(engine() >> 12) * 0x1p-52,
                              -static_cast<int>(engine() % 70)) *
                   (engine() % 2 == 0 ? 1 : -1);
  if (op == "add") return {tie - b, b};
  if (op == "subtract") return {tie + b, b};
  return {op == "multiply" ? tie / b : tie * b, b};
}

double tie_of(ElementType type, std::mt19937_64& engine) {
  const auto& format = numeric::format(type);
  const uint64_t code = engine() % format.max_finite();
  return numeric::decode(code, format) / 2 +
         numeric::decode(code + 1, format) / 2;
}

/// Compares the loop of "r op(a, b)" with the definition, for pairs of values
/// rounded to the types {a, b, r}.
void compare_pairs(const std::string& op,
                   const std::array<ElementType, 3>& types,
                   const std::vector<Pair>& pairs) {
  const auto [a, b, result] = types;
  const Module module = verified_module(fmt::format(
      "HloModule m\nENTRY main {{\na = {0}[{3}] parameter(0)\nb = {1}[{3}] "
      "parameter(1)\nROOT r = {2}[{3}] {4}(a, b)\n}}",
      name(a), name(b), name(result), pairs.size(), op));
  const Instruction& root = *module.entry->root;
  std::vector<Literal> operands;
  for (const Instruction* parameter : root.operands) {
    operands.emplace_back(parameter->shape);
  }
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto [x, y] = pairs[i];
    const auto place = static_cast<int64_t>(i);
    operands[0].set(place, {a, {numeric::encode(x, numeric::format(a)), 0}});
    operands[1].set(place, {b, {numeric::encode(y, numeric::format(b)), 0}});
  }
  const Literal loop = run_kernel(kernel_of(root), root, operands);
  const Valuation valuation{};
  Evaluator evaluator(valuation);
  const Literal defined = definition::define(root, operands, evaluator);
  for (int64_t i = 0; i < std::ssize(pairs); ++i) {
    EXPECT_EQ(loop.at(i), defined.at(i)) << describe(root, operands, i);
  }
}

void compare_ties(const std::string& op,
                  const std::array<ElementType, 3>& types) {
  std::mt19937_64 engine(7);
  std::vector<Pair> pairs(200);
  for (Pair& pair : pairs) {
    pair = near_tie(op, tie_of(types[2], engine), engine);
  }
  compare_pairs(op, types, pairs);
}

// A sum of bf16 and f32 may have more digits than a double.
TEST(ElementwiseDefinition, AgreesWithLoopsBesideTiesOfMixedTypes) {
  constexpr std::array<ElementType, 7> kTypes = {
      ElementType::kF64,      ElementType::kF32,    ElementType::kF16,
      ElementType::kBF16,     ElementType::kF8E5M2, ElementType::kF4E2M1FN,
      ElementType::kF8E8M0FNU};
  for (const char* op : {"add", "subtract", "multiply", "divide"}) {
    for (const ElementType a : kTypes) {
      for (const ElementType b : kTypes) {
        for (const ElementType r : kTypes) compare_ties(op, {a, b, r});
      }
    }
  }
}

// Results that no double is near, or none but the largest.
TEST(ElementwiseDefinition, AgreesWithLoopsBeyondDoubles) {
  constexpr auto kF64 = ElementType::kF64;
  std::vector<Pair> small;
  std::vector<Pair> large;
  for (const double x : {5e-324, -5e-324, 0.0, -0.0, 1e-308, 1e308}) {
    for (const double y : {0.25, 3.0, -3.0, 1e-308, 1e308, HUGE_VAL, 0.0}) {
      small.emplace_back(x, y);
      large.emplace_back(y, x);
    }
  }
  for (const TypeInfo& result : all_types()) {
    if (result.type_class != TypeClass::kFloat) continue;
    for (const char* op : {"add", "subtract", "multiply", "divide"}) {
      compare_pairs(op, {kF64, kF64, result.type}, small);
      compare_pairs(op, {kF64, kF64, result.type}, large);
    }
  }
}

}  // namespace
}  // namespace hlo
