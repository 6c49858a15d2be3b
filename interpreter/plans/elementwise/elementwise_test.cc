#include "interpreter/plans/elementwise/elementwise.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/exact/decimal.h"
#include "interpreter/numeric/format/rounding.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

/// `count` random bytes as elements of `type` whose codes are all legal.
Literal random_literal(ElementType type, int64_t count, uint64_t seed) {
  std::mt19937_64 engine(seed);
  Literal literal(Shape::array(type, {count}));
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t bits = type == ElementType::kPred ? engine() & 1 : engine();
    literal.set(i, {type, {bits, engine()}});
  }
  return literal;
}

Literal repeated(const Literal& scalar, int64_t count) {
  return Literal::splat(Shape::array(scalar.type(), {count}), scalar.scalar());
}

/// The clamp of `x` to scalar bounds, and to the same bounds written out.
void expect_same_clamps(std::string_view type_name, int64_t count) {
  const std::string type(type_name);
  const std::string array = type + "[" + std::to_string(count) + "]";
  const auto clamp = [&](const std::string& bound) {
    return verified_module(
        "HloModule m\nENTRY main {\nl = " + bound +
        " parameter(0)\nx = " + array + " parameter(1)\nh = " + bound +
        " parameter(2)\nROOT r = " + array + " clamp(l, x, h)\n}");
  };
  const Literal low = text::parse_literal_with_shape(type + "[] 1");
  const Literal high = text::parse_literal_with_shape(type + "[] 3");
  const Literal x = random_literal(low.type(), count, 7);
  const Literal splat = evaluate(clamp(type + "[]"), {low, x, high});
  const Literal dense =
      evaluate(clamp(array), {repeated(low, count), x, repeated(high, count)});
  EXPECT_TRUE(identical(splat, dense)) << type << " " << count;
}

TEST(Elementwise, RepeatsScalarOperands) {
  for (const int64_t count : {1, 15, 16, 17, 511, 512, 513, 2000}) {
    for (const std::string_view type : {"f32", "bf16", "u4", "s64"}) {
      expect_same_clamps(type, count);
    }
  }
}

TEST(Elementwise, HandlesArraysWithoutElements) {
  const Module module = verified_module(
      "HloModule m\nENTRY main {\nx = f32[0,3] parameter(0)\n"
      "ROOT r = f32[0,3] add(x, x)\n}");
  const Literal empty(Shape::array(ElementType::kF32, {0, 3}));
  EXPECT_TRUE(identical(evaluate(module, {empty}), empty));
}

TEST(Elementwise, DoesNotDependOnTheNumberOfThreads) {
  constexpr int64_t kCount = 300'001;
  const std::string array = "bf16[" + std::to_string(kCount) + "]";
  const Module module = verified_module(
      "HloModule m\nENTRY main {\nx = " + array + " parameter(0)\ny = " +
      array + " parameter(1)\nROOT r = " + array + " multiply(x, y)\n}");
  const Literal x = random_literal(ElementType::kBF16, kCount, 1);
  const Literal y = random_literal(ElementType::kBF16, kCount, 2);
  const Literal one = evaluate(module, {x, y}, {.threads = 1});
  const Literal four = evaluate(module, {x, y}, {.threads = 4});
  EXPECT_TRUE(identical(one, four));
}

TEST(Elementwise, GivesMixedFloatsTheTypeOfTheText) {
  const Module module = verified_module(
      "HloModule m\nENTRY main {\nx = f32[] constant(257)\n"
      "y = bf16[] constant(2)\nROOT r = bf16[] multiply(x, y)\n}");
  const Literal result = evaluate(module, {});
  EXPECT_TRUE(identical(result, text::parse_literal_with_shape("bf16[] 514")));
}

TEST(Elementwise, InfersTheWiderOfMixedFloats) {
  const Module module = verified_module(
      "HloModule m\nENTRY main {\nx = f16[] constant(1)\n"
      "y = f32[] constant(2)\nROOT r = multiply(x, y)\n}");
  EXPECT_EQ(module.entry->root->shape.element_type, ElementType::kF32);
  EXPECT_EQ(wider_float(ElementType::kF16, ElementType::kBF16),
            ElementType::kBF16);
}

TEST(Elementwise, MarksResultsDynamicWhereAnyOperandIs) {
  const Module module = verified_module(
      "HloModule m\nENTRY main {\nx = f32[<=4,2] parameter(0)\n"
      "y = f32[4,<=2] parameter(1)\nROOT r = add(x, y)\n}");
  EXPECT_EQ(to_string(module.entry->root->shape, false), "f32[<=4,<=2]");
}

TEST(Elementwise, DescribesClasses) {
  const auto rule = [](const Classes& classes) { return joined({classes}); };
  EXPECT_EQ(rule({.real = true}), "the element type must be a float");
  EXPECT_EQ(rule({.pred = true, .is_signed = true, .is_unsigned = true}),
            "the element type must be pred or an integer");
  EXPECT_EQ(rule({.is_signed = true, .real = true, .complex = true}),
            "the element type must be a signed integer, a float or complex");
}

TEST(Elementwise, StagesAndStoresEveryByteOfEveryNarrowType) {
  for (const TypeInfo& row : all_types()) {
    if (row.storage_bytes != 1 || row.type_class == TypeClass::kNone) continue;
    const int64_t codes = int64_t{1} << row.bits;
    Literal literal(Shape::array(row.type, {codes}));
    for (int64_t i = 0; i < codes; ++i) {
      literal.set(i, {row.type, {static_cast<uint64_t>(i), 0}});
    }
    std::vector<uint64_t> staged(static_cast<size_t>(codes));
    Literal back(literal.shape());
    auto* wide = reinterpret_cast<std::byte*>(staged.data());
    loops::load_staged(row.type, literal.bytes().data(), codes, wide);
    loops::store_staged(row.type, wide, codes, back.mutable_bytes().data());
    if (row.type_class != TypeClass::kFloat) {
      EXPECT_TRUE(identical(literal, back)) << row.name;
    }
  }
}

uint64_t first_code(const std::vector<std::byte>& bytes, ElementType type) {
  return numeric::load_code(bytes.data(), 0, numeric::format(type));
}

/// Converts `value` to every float type, and its decimal digits likewise.
template <typename T>
void expect_one_rounding(ElementType from, T value) {
  for (const TypeInfo& row : all_types()) {
    if (row.type_class != TypeClass::kFloat) continue;
    std::vector<std::byte> bytes(sizeof(double));
    convert_elements(from, reinterpret_cast<const std::byte*>(&value), 1,
                     row.type, bytes.data());
    EXPECT_EQ(
        first_code(bytes, row.type),
        numeric::from_decimal(std::to_string(value), numeric::format(row.type)))
        << value << " to " << row.name;
  }
}

TEST(Convert, RoundsWideIntegersOnce) {
  std::mt19937_64 engine(3);
  for (int i = 0; i < 2000; ++i) {
    const int shift = static_cast<int>(engine() % 64);
    uint64_t value = engine() >> shift;
    if (i % 3 == 0) value = (value | 1) ^ (uint64_t{1} << (63 - shift));
    if (i % 4 == 0) value &= ~uint64_t{0} << (engine() % 64);
    if (i % 8 == 0) value |= 1;
    expect_one_rounding(ElementType::kU64, value);
    expect_one_rounding(ElementType::kS64, static_cast<int64_t>(value));
    expect_one_rounding(ElementType::kS64, -static_cast<int64_t>(value >> 1));
  }
}

/// Conversion with a loop of its own against decoding and encoding.
TEST(Convert, DirectLoopsAgreeWithTheFormats) {
  constexpr int64_t kCount = 70'000;
  const Evaluator evaluator(kReference);
  const auto& f32 = numeric::format(ElementType::kF32);
  const auto& bf16 = numeric::format(ElementType::kBF16);
  const auto& f64 = numeric::format(ElementType::kF64);
  const Literal x = random_literal(ElementType::kF32, kCount, 5);
  const Literal narrow = converted(x, ElementType::kBF16, evaluator.threads());
  const Literal wide = converted(x, ElementType::kF64, evaluator.threads());
  const Literal back = converted(wide, ElementType::kF32, evaluator.threads());
  const Literal again =
      converted(narrow, ElementType::kF32, evaluator.threads());
  for (int64_t i = 0; i < kCount; ++i) {
    const double value = numeric::decode(x.at(i).bits[0], f32);
    ASSERT_EQ(narrow.at(i).bits[0], numeric::encode(value, bf16));
    ASSERT_EQ(wide.at(i).bits[0], numeric::encode(value, f64));
    ASSERT_EQ(back.at(i).bits[0], numeric::encode(value, f32));
    const double rounded = numeric::decode(narrow.at(i).bits[0], bf16);
    ASSERT_EQ(again.at(i).bits[0], numeric::encode(rounded, f32));
  }
}

}  // namespace
}  // namespace hlo
