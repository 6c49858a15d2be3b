#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "conformance/expect/expect_module.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using enum ElementType;

/// The set of the result of a program whose constants are its operands.
ArraySet set_of(const std::string& text, const std::string& profile = "tight") {
  const Module module = verified_module("HloModule m\n\n" + text);
  return std::get<ArraySet>(
      expect_module(module, {}, nullptr, parse_profile(profile)).at(0));
}

std::string region(const std::string& operation, const std::string& type) {
  return "f {\n  a = " + type + "[] parameter(0)\n  b = " + type +
         "[] parameter(1)\n  ROOT r = " + type + "[] " + operation +
         "(a, b)\n}\n\n";
}

/// The product of two numbers and 1.
ValueSet product(const std::string& x, const std::string& y,
                 const std::string& type) {
  return set_of(region("multiply", type) + "ENTRY main {\n  x = " + type +
                "[2] constant({" + x + ", " + y + "})\n  i = " + type +
                "[] constant(1)\n  ROOT r = " + type +
                "[] reduce(x, i), dimensions={0}, to_apply=f\n}\n")
      .at(0);
}

// (1 + 2^-10) (1 + 511 2^-10) is 1.5 + 0.499 2^-10, and 3.0017 units of 2^-10
// are the error: from 509.497 to 515.501 of them above 1.
TEST(ExpectSums, MeasuresProductsFromTheExactOne) {
  const ValueSet set = product("1.0009765625", "1.4990234375", "f16");
  EXPECT_EQ(code_at(set.low(), kF16), 0x3dfeU);
  EXPECT_EQ(code_at(set.high(), kF16), 0x3e03U);
}

// Twice two roundings and two of 2^-53 are 9 2^-53 of 1.5: 4.5 codes.
TEST(ExpectSums, MeasuresProductsOfF64InItsOwnRoundings) {
  const ValueSet set = product("1", "1.5", "f64");
  EXPECT_EQ(code_at(set.low(), kF64), 0x3ff7fffffffffffcU);
  EXPECT_EQ(code_at(set.high(), kF64), 0x3ff8000000000004U);
}

TEST(ExpectSums, KeepsNanAndInfinityOfProducts) {
  EXPECT_FALSE(product("nan", "2", "f16").has_numbers());
  EXPECT_FALSE(product("inf", "0", "f16").has_numbers());
  EXPECT_EQ(product("-inf", "2", "f16"), ValueSet::of(0xfc00, kF16));
  EXPECT_FALSE(product("6e4", "6e4", "f16").is_single());
  EXPECT_EQ(product("0", "2", "f16"), ValueSet::of(0, kF16));
}

// 1024 becomes the largest number, 7.5, which is no multiple of 1024: a partial
// sum may lose the smallest normal number, 1.
TEST(ExpectSums, FindNoQuantumInWhatConversionChanges) {
  const ArraySet set = set_of(region("add", "f6e2m3fn") +
                                  "ENTRY main {\n"
                                  "  x = f8e8m0fnu[1] constant({1024})\n"
                                  "  i = f6e2m3fn[] constant(0)\n"
                                  "  ROOT r = f6e2m3fn[] reduce(x, i), "
                                  "dimensions={0}, to_apply=f\n}\n",
                              "tight,subnormals=ftz");
  EXPECT_TRUE(set.at(0).contains(0x1f, kF6E2M3FN));
  EXPECT_TRUE(set.at(0).contains(0x1d, kF6E2M3FN));  // 6.5
}

// 65312 (1 + 6 2^-11) is below the largest number, 65504, and 65344 with that
// margin is not.
TEST(ExpectSums, OfProductsAreOpenFromTheMarginOn) {
  EXPECT_FALSE(product("2041", "32", "f16").contains(0, kF16));
  EXPECT_TRUE(product("2042", "32", "f16").contains(0, kF16));
}

// Seven factors 1.5 are 17.1, in f8e4m3 with an error of more than that.
TEST(ExpectSums, KeepsTheSignOfProducts) {
  const auto power = [](const std::string& x, const std::string& type) {
    return set_of(region("multiply", type) + "ENTRY main {\n  x = " + type +
                  "[] constant(" + x + ")\n  y = " + type +
                  "[8] broadcast(x), dimensions={}\n  i = " + type +
                  "[] constant(1)\n  ROOT r = " + type +
                  "[] reduce(y, i), dimensions={0}, to_apply=f\n}\n")
        .at(0);
  };
  EXPECT_EQ(power("1.5", "f8e4m3").low(), 1);
  EXPECT_EQ(power("2", "f8e8m0fnu").low(), 0);
  EXPECT_FALSE(power("2", "f8e8m0fnu").has_nan());
}

/// Three elements, the first of which gets two updates.
std::string scattered(const std::string& type, const std::string& elements,
                      const std::string& updates) {
  return region("add", type) + "ENTRY main {\n  x = " + type +
         "[3] constant({" + elements +
         "})\n  i = s32[2,1] constant({{0}, {0}})\n  u = " + type +
         "[2] constant({" + updates + "})\n  ROOT r = " + type +
         "[3] scatter(x, i, u), update_window_dims={}, "
         "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
         "index_vector_dim=1, to_apply=f\n}\n";
}

TEST(ExpectSums, KeepsElementsWithoutUpdates) {
  const ArraySet set = set_of(scattered("f32", "1, nan(0x1), -0", "2, 0.1"));
  EXPECT_FALSE(set.at(0).is_single());
  EXPECT_EQ(set.at(1).only_nan(), 0x7f800001U);
  EXPECT_EQ(set.at(2), ValueSet::of(0x80000000, kF32));
}

TEST(ExpectSums, RoundsScattersOnceWhereTheLevelDoes) {
  const std::string text = scattered("f16", "1, 0, 0", "2000, 0.1");
  EXPECT_FALSE(set_of(text).at(0).is_single());
  EXPECT_TRUE(set_of(text, "exact").at(0).is_single());
}

// Zeros may have any sign, and anything may come out where NaN is free.
TEST(ExpectSums, ObeyTheAxesOfZeroAndNan) {
  const auto of_terms = [](const std::string& terms,
                           const std::string& profile) {
    return set_of(region("add", "f16") +
                      "ENTRY main {\n  x = f16[2] constant({" + terms +
                      "})\n  i = f16[] constant(0)\n  ROOT r = f16[] "
                      "reduce(x, i), dimensions={0}, to_apply=f\n}\n",
                  profile)
        .at(0);
  };
  EXPECT_EQ(of_terms("0, 0", "tight"), ValueSet::of(0, kF16));
  EXPECT_EQ(of_terms("0, 0", "tight,zero-sign=lax"), ValueSet::range(-1, 0));
  EXPECT_FALSE(of_terms("nan, 1", "tight").has_numbers());
  EXPECT_EQ(of_terms("nan, 1", "tight,nan=free").high(), greatest_place(kF16));
  EXPECT_EQ(of_terms("nan, 1", "tight,nan=canonical").only_nan(), 0x7e00U);
  EXPECT_EQ(of_terms("nan, 1", "exact,nan=free").high(), greatest_place(kF16));
  const ValueSet both = of_terms("6e4, -6e4", "tight,nan=canonical");
  EXPECT_FALSE(both.has_nan());
}

// 60000 twice, up and down: both infinities can meet, in one NaN.
TEST(ExpectSums, HaveOneCanonicalNanBesideNumbers) {
  const ValueSet set = set_of(region("add", "f16") +
                                  "ENTRY main {\n  x = f16[4] constant({6e4, "
                                  "6e4, -6e4, -6e4})\n  i = f16[] constant(0)"
                                  "\n  ROOT r = f16[] reduce(x, i), "
                                  "dimensions={0}, to_apply=f\n}\n",
                              "tight,nan=canonical")
                           .at(0);
  EXPECT_TRUE(set.contains(0x7e00, kF16));
  EXPECT_FALSE(set.contains(0xfe00, kF16));
}

// One update makes NaN, and another element that stays is one.
TEST(ExpectSums, FreesTheNanOfAnUpdateOnly) {
  const std::string text =
      region("add", "f16") +
      "ENTRY main {\n  x = f16[2] constant({1, nan})\n"
      "  i = s32[1,1] constant({{0}})\n  u = f16[1] constant({nan})\n"
      "  ROOT r = f16[2] scatter(x, i, u), update_window_dims={}, "
      "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
      "index_vector_dim=1, to_apply=f\n}\n";
  const ArraySet set = set_of(text, "tight,nan=free");
  EXPECT_TRUE(set.at(0).has_numbers());
  EXPECT_FALSE(set.at(1).has_numbers());
}

/// A number times its scale times another number times its scale.
ValueSet scaled_product(const std::string& result, const std::string& factors,
                        const std::string& scales,
                        const std::array<double, 4>& values,
                        const std::string& profile = "tight") {
  std::string text = "ENTRY main {\n";
  const char* const names[] = {"a", "b", "s", "t"};
  for (size_t k = 0; k < 4; ++k) {
    text += std::string("  ") + names[k] + " = " + (k < 2 ? factors : scales) +
            fmt::format("[1,1] constant({{{{{}}}}})\n", values.at(k));
  }
  return set_of(text + "  ROOT r = " + result +
                    "[1,1] scaled-dot(a, b, s, t), lhs_contracting_dims={1}, "
                    "rhs_contracting_dims={0}\n}\n",
                profile)
      .at(0);
}

// 8 within 1.015625 * 8 / 8, and 1 within 1.015625 (u + (1 + u) ((1 + u)^6
// - 1)) = 7.1 u, u = 2^-11.
TEST(ExpectSums, RoundScaledFactorsWhereTheyNeedIt) {
  const ValueSet none =
      scaled_product("f8e5m2", "f8e5m2", "f8e8m0fnu", {8, 1, 1, 1});
  EXPECT_EQ(code_at(none.low(), kF8E5M2), 0x47U);
  const ValueSet all = scaled_product("f16", "f32", "f32", {1, 1, 1, 1});
  EXPECT_EQ(code_at(all.low(), kF16), 0x3c00U - 7);
  // 1 within 1.015625 (u + (1 + u) ((1 + u)^2 - 1)): products of 8 and 8 bits.
  const ValueSet products = scaled_product("f16", "bf16", "bf16", {1, 1, 1, 1});
  EXPECT_EQ(code_at(products.low(), kF16), 0x3c00U - 3);
}

// 1 + u / 2, which is 1 in f16, within 7.1 u: 1 less 6 u and not 7 u.
TEST(ExpectSums, SumScaledFactorsAsTheyAre) {
  for (size_t k = 0; k < 4; ++k) {
    std::array values = {1.0, 1.0, 1.0, 1.0};
    values.at(k) += 0x1p-12;
    const ValueSet set = scaled_product("f16", "f32", "f32", values);
    EXPECT_EQ(code_at(set.low(), kF16), 0x3c00U - 6) << k;
  }
}

bool admits(const ValueSet& set, double x, ElementType type) {
  return set.contains(numeric::encode(x, numeric::format(type)), type);
}

// A factor, a scale or a product of a side is no f16.
TEST(ExpectSums, ReadScaledFactorsOfOtherTypesBothWays) {
  const struct {
    const char* types[2];
    std::array<double, 4> values;
    double exact;
  } rows[] = {
      {{"f16", "f8e8m0fnu"}, {1000, 1, 0x1p10, 0x1p-10}, 1000},
      {{"f16", "f8e8m0fnu"}, {1, 1000, 0x1p-10, 0x1p10}, 1000},
      {{"f32", "f8e8m0fnu"}, {1e6, 1, 0x1p-10, 1}, 976.5625},
      {{"f32", "f8e8m0fnu"}, {1, 1e6, 1, 0x1p-10}, 976.5625},
      {{"f16", "f32"}, {0.015625, 1, 65536, 1}, 1024},
      {{"f16", "f32"}, {1, 0.015625, 1, 65536}, 1024},
  };

  for (const auto& [types, values, exact] : rows) {
    const ValueSet set = scaled_product("f16", types[0], types[1], values);
    EXPECT_TRUE(admits(set, exact, kF16)) << exact;
    EXPECT_TRUE(admits(set, HUGE_VAL, kF16)) << exact;
    EXPECT_FALSE(admits(set, 2 * exact, kF16)) << exact;
    EXPECT_FALSE(admits(set, exact / 2, kF16)) << exact;
    EXPECT_FALSE(set.has_nan());
  }
  // inf times what is 0 in f16 but 2^-30.
  const ValueSet both =
      scaled_product("f16", "f16", "f8e8m0fnu", {1000, 1, 0x1p10, 0x1p-30});
  EXPECT_TRUE(both.has_nan());
  EXPECT_TRUE(admits(both, 0, kF16));
  EXPECT_TRUE(admits(both, std::ldexp(1000, -20), kF16));
  EXPECT_FALSE(admits(both, 1, kF16));
}

// In f16 the factor is inf and its scale 0: each may be read either way.
TEST(ExpectSums, ReadAFactorAndItsScaleApart) {
  for (const std::array<double, 4>& values :
       {std::array{0x1p20, 1.0, 0x1p-40, 1.0},
        std::array{1.0, 0x1p20, 1.0, 0x1p-40}}) {
    const ValueSet set = scaled_product("f16", "f32", "f32", values);
    for (const double right : {0x1p-20, 0.0, HUGE_VAL}) {
      EXPECT_TRUE(admits(set, right, kF16)) << right;
    }
    EXPECT_TRUE(set.has_nan());
    EXPECT_FALSE(admits(set, 1, kF16));
  }
}

// 2^-15 is no normal f16, nor are 2^-120 2^-10 and 2^-130 normal bf16.
TEST(ExpectSums, FlushScaledFactors) {
  const struct {
    const char* types[3];
    std::array<double, 4> values;
  } rows[] = {
      {{"f16", "f16", "f8e8m0fnu"}, {0x1p-15, 1, 0x1p15, 1}},
      {{"f16", "f16", "f8e8m0fnu"}, {1, 0x1p-15, 1, 0x1p15}},
      {{"f32", "f8e5m2", "f32"}, {32768, 0.5, 0x1p-130, 0x1p116}},
      {{"bf16", "bf16", "f32"}, {0x1p-120, 0x1p100, 0x1p-10, 0x1p30}},
  };

  for (const auto& row : rows) {
    const ElementType type = *find_type(row.types[0]);
    const auto set_under = [&](const char* profile) {
      return scaled_product(row.types[0], row.types[1], row.types[2],
                            row.values, profile);
    };
    EXPECT_FALSE(admits(set_under("tight"), 0, type)) << row.values[0];
    EXPECT_TRUE(admits(set_under("tight,subnormals=daz"), 0, type))
        << row.values[0];
  }
}

// 2 2^-3 is 1/4. By flushes each side loses at most 4 2^-14 of it and 2^-14.
TEST(ExpectSums, FlushNoMoreOfScaledFactorsThanIsSubnormal) {
  for (const std::array<double, 4>& values :
       {std::array{2.0, 1.0, 0x1p-3, 1.0}, std::array{1.0, 2.0, 1.0, 0x1p-3}}) {
    const ValueSet set = scaled_product("f16", "f16", "f8e8m0fnu", values,
                                        "tight,subnormals=daz+ftz");
    EXPECT_TRUE(admits(set, 0.25, kF16));
    EXPECT_FALSE(admits(set, 0.2, kF16));
    EXPECT_FALSE(admits(set, 0.3, kF16));
  }
}

TEST(ExpectSums, OfScaledFactorsObeyTheAxes) {
  const auto of_factor = [](const std::string& x, const std::string& profile) {
    return set_of("ENTRY main {\n  a = f8e5m2[1,1] constant({{" + x +
                      "}})\n  b = f8e5m2[1,1] constant({{1}})\n"
                      "  s = f8e8m0fnu[1,1] constant({{1}})\n"
                      "  ROOT r = f16[1,1] scaled-dot(a, b, s, s), "
                      "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}"
                      "\n",
                  profile)
        .at(0);
  };
  EXPECT_FALSE(of_factor("nan", "tight").has_numbers());
  EXPECT_TRUE(of_factor("nan", "tight,nan=free").has_numbers());
  EXPECT_EQ(of_factor("nan", "tight,nan=canonical").only_nan(), 0x7e00U);
  EXPECT_EQ(of_factor("0", "tight,zero-sign=lax"), ValueSet::range(-1, 0));
}

// 3 2^-24 + 5 2^-24 needs no rounding, in f32 neither; flushed it does.
TEST(ExpectSums, FindsExactDotsOfSubnormalNumbers) {
  const std::string text =
      "ENTRY main {\n  x = f16[2] constant({1.78813934326171875e-7, "
      "2.98023223876953125e-7})\n"
      "  y = f16[2] constant({1, 3})\n"
      "  ROOT r = f16[] dot(x, y), lhs_contracting_dims={0}, "
      "rhs_contracting_dims={0}\n}\n";
  for (const char* profile : {"tight", "tight,accumulation=strict-out",
                              "tight,accumulation=f32-rn"}) {
    EXPECT_TRUE(set_of(text, profile).at(0).is_single()) << profile;
  }
  EXPECT_FALSE(set_of(text, "tight,subnormals=daz").at(0).is_single());
}

/// One product of two numbers in an f32 result.
ValueSet mixed_product(const std::string& x, const std::string& x_type,
                       const std::string& y, const std::string& y_type) {
  return set_of("ENTRY main {\n  x = " + x_type + "[1] constant({" + x +
                "})\n  y = " + y_type + "[1] constant({" + y +
                "})\n  ROOT r = f32[] dot(x, y), lhs_contracting_dims={0}, "
                "rhs_contracting_dims={0}\n}\n")
      .at(0);
}

// As f32, 1e60 is inf; as it is, 1e60 * 1e-30 = 1e30.
TEST(ExpectSums, ReadsOperandsOfOtherTypesBothWays) {
  const ValueSet large = mixed_product("1e60", "f64", "1e-30", "f32");
  EXPECT_TRUE(admits(large, HUGE_VAL, kF32));
  EXPECT_TRUE(admits(large, 1e30, kF32));
  EXPECT_FALSE(admits(large, 2e30, kF32));
  EXPECT_FALSE(large.has_nan());
  // As f32 they are 0 and inf: NaN, 0, inf, or 1e-10.
  const ValueSet both = mixed_product("1e-60", "f64", "1e50", "f64");
  EXPECT_TRUE(both.has_nan());
  for (const double right : {0.0, HUGE_VAL, 1e-10}) {
    EXPECT_TRUE(admits(both, right, kF32)) << right;
  }
  EXPECT_FALSE(admits(both, 1.0, kF32));
  // Both readings of what has a code near it are one.
  EXPECT_EQ(mixed_product("1.1", "f64", "3", "f32").ranges().size(), 1U);
}

// As f16, 100000 is inf; as it is, 100000 times 0.001 is near 100.
TEST(ExpectSums, ReadsIntegersThatOverflowBothWays) {
  const auto product = [](const std::string& x) {
    return set_of("ENTRY main {\n  x = s32[1] constant({" + x +
                  "})\n  y = f16[1] constant({0.001})\n  ROOT r = f16[] "
                  "dot(x, y), lhs_contracting_dims={0}, "
                  "rhs_contracting_dims={0}\n}\n")
        .at(0);
  };
  const ValueSet large = product("100000");
  EXPECT_TRUE(admits(large, HUGE_VAL, kF16));
  EXPECT_TRUE(admits(large, 100, kF16));
  EXPECT_FALSE(admits(large, 101, kF16));
  EXPECT_FALSE(admits(product("65504"), HUGE_VAL, kF16));
}

}  // namespace
}  // namespace hlo::conformance
