#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/certify/certify.h"
#include "conformance/certify/rules/float_product.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using enum ElementType;

/// What an instruction of one or two known operands, x and y, may give.
ValueSet set_of(const std::string& instruction, const Scalar& x,
                const std::string& profile = "tight") {
  const std::string type(name(x.type));
  const Module module = verified_module(
      "HloModule m\n\nENTRY main {\n  x = " + type + "[] parameter(0)\n  y = " +
      type + "[] parameter(1)\n  p = pred[] constant(true)\n  ROOT r = " +
      instruction + "\n}\n");
  const Literal value = Literal::of(x);
  const std::vector<Literal> arguments = {value, value};
  return certify(module, arguments, {.profile = parse_profile(profile)}).at(0);
}

Scalar f32(uint64_t bits) { return {.type = kF32, .bits = {bits, 0}}; }

TEST(CertifyKnown, KeepsTheBitsOfNan) {
  const ValueSet payload =
      set_of("f32[] floor(x)", f32(0x7fc00001), "tight,nan=payload");
  EXPECT_EQ(payload.only_nan(), 0x7fc00001U);
  const ValueSet canonical =
      set_of("f32[] sine(x)", f32(0xffc12345), "tight,nan=canonical");
  EXPECT_EQ(canonical.only_nan(), 0xffc00000U);
}

TEST(CertifyKnown, ComparesKnownNans) {
  const std::string total = ", type=TOTALORDER";
  EXPECT_EQ(
      set_of("pred[] compare(x, y), direction=EQ" + total, f32(0x7f800001)),
      ValueSet::range(1, 1));
  EXPECT_EQ(
      set_of("pred[] compare(x, y), direction=LT" + total, f32(0x7f800001)),
      ValueSet::range(0, 0));
}

TEST(CertifyKnown, FlushesEachOperandByItself) {
  EXPECT_EQ(set_of("pred[] compare(x, y), direction=LE", f32(0x80000001),
                   "tight,subnormals=daz"),
            ValueSet::range(0, 1));
  ValueSet ends = ValueSet::range(0, 0);
  ends.add(ValueSet::of(0x3f800000, kF32));
  EXPECT_EQ(set_of("f32[] ceil(x)", f32(1), "tight,subnormals=daz"), ends);
}

TEST(CertifyKnown, FlushesNothingThatOnlyLosesItsSign) {
  EXPECT_EQ(set_of("f32[] abs(x)", f32(0x80000002), "tight,subnormals=daz"),
            ValueSet::of(2, kF32));
}

TEST(CertifyKnown, MovesZerosWithTheirSigns) {
  const std::string lax = "tight,zero-sign=lax";
  EXPECT_TRUE(set_of("f32[] select(p, x, y)", f32(0), lax).is_single());
  EXPECT_FALSE(set_of("f32[] add(x, y)", f32(0), lax).is_single());
}

TEST(CertifyKnown, HasNanAloneForAnInfinityThatATypeLacks) {
  const ValueSet set = set_of("f8e4m3fn[] convert(x)", f32(0x7f800000));
  EXPECT_TRUE(set.has_nan());
  EXPECT_FALSE(set.has_numbers());
}

// 1 + 2^-12 lies between 1 and the next f16; 1 is both operands' remainder.
TEST(CertifyKnown, KeepsWhatATypeLacksUnrounded) {
  const std::string excess = "tight,excess-precision=allowed";
  for (const char* name : {"maximum", "minimum"}) {
    EXPECT_EQ(set_of("f16[] " + std::string(name) + "(x, y)", f32(0x3f800800),
                     excess),
              ValueSet::range(0x3c00, 0x3c01));
  }
  EXPECT_TRUE(
      set_of("f16[] maximum(x, y)", f32(0x3f800000), excess).is_single());
}

// 2^-14 - 2^-26 is rounded up to the least normal f16.
TEST(CertifyKnown, FlushesWhatATypeLacksBelowItsNormalNumbers) {
  const ValueSet set =
      set_of("f16[] maximum(x, y)", f32(0x387ff000), "tight,subnormals=ftz");
  EXPECT_TRUE(set.contains(0x400, kF16));
  EXPECT_TRUE(set.contains(0, kF16));
}

// 2^24 is a float; 2^24 + 1 lies between two.
TEST(CertifyKnown, KeepsIntegersUnroundedThatFloatsLack) {
  const auto converted = [](uint64_t x) {
    return set_of("f32[] convert(x)", {.type = kS32, .bits = {x, 0}},
                  "tight,excess-precision=allowed");
  };
  EXPECT_TRUE(converted(1 << 24).is_single());
  EXPECT_EQ(converted((1 << 24) + 1), ValueSet::range(0x4b800000, 0x4b800001));
}

// Types without -0 have their least negative number next to 0.
TEST(CertifyKnown, TellsTheLeastNegativeNumberFromZero) {
  for (const char* const type : {"f8e4m3b11fnuz", "f8e4m3fnuz", "f8e5m2fnuz"}) {
    const std::string t = type;
    const auto compared = [&](const std::string& direction) {
      const Module module = verified_module(
          "HloModule m\n\nENTRY main {\n  a = " + t +
          "[] parameter(0)\n  s = " + t + "[] sine(a)\n  z = " + t +
          "[] constant(0)\n  ROOT r = pred[] compare(s, z), direction=" +
          direction + "\n}\n");
      const Scalar least = {
          .type = module.entry->parameters[0]->shape.element_type,
          .bits = {0x81, 0}};
      const std::vector<Literal> arguments = {Literal::of(least)};
      return certify(module, arguments, {}).at(0);
    };
    for (const char* const direction : {"LT", "GE", "EQ", "NE"}) {
      EXPECT_EQ(compared(direction), ValueSet::range(0, 1))
          << type << direction;
    }
  }
}

// Whether or not a factor is known, what conforms is admitted.
TEST(CertifyKnown, AdmitsOfProductsWhatConforms) {
  const auto product = [](const std::string& factor) {
    const Module module = verified_module(
        "HloModule m\n\nf {\n  a = f32[] parameter(0)\n  b = f32[] "
        "parameter(1)\n  ROOT r = f32[] multiply(a, b)\n}\n\nENTRY main {\n  x "
        "= "
        "f32[3] constant({1.1, 1.3, 1.7})\n  y = f32[] constant(0)\n  z = "
        "f32[] " +
        factor +
        "\n  v = f32[1] reshape(z)\n  w = f32[4] concatenate(x, v), "
        "dimensions={0}\n  i = f32[] constant(1)\n  ROOT r = f32[] reduce(w, "
        "i), "
        "dimensions={0}, to_apply=f\n}\n");
    return certify(module, std::vector<Literal>{}, {}).at(0);
  };
  const ValueSet known = product("constant(1)");
  const ValueSet open = product("exponential(y)");
  EXPECT_LE(open.low(), known.low());
  EXPECT_GE(open.high(), known.high());
}

// Nothing is known of sets that a region of another type joins.
TEST(CertifyKnown, FollowsNoRegionOfAnotherType) {
  const auto result = [](const std::string& type, const std::string& root) {
    const Module module = verified_module(
        "HloModule m\n\nf {\n  a = " + type + "[] parameter(0)\n  b = " + type +
        "[] parameter(1)\n  ROOT r = " + type +
        "[] maximum(a, b)\n}\n\nENTRY main {\n  y = f32[2] constant({0, 1})\n  "
        "x "
        "= f32[2] exponential(y)\n  i = f32[] constant(0)\n  j = s32[1,1] "
        "constant({{0}})\n  u = f32[1] slice(x), slice={[0:1]}\n  ROOT r = " +
        root + ", to_apply=f\n}\n");
    return certify(module, std::vector<Literal>{}, {});
  };
  for (const char* const root :
       {"f32[] reduce(x, i), dimensions={0}",
        "f32[2] scatter(x, j, u), update_window_dims={}, "
        "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
        "index_vector_dim=1"}) {
    EXPECT_FALSE(result("f32", root).is_unknown()) << root;
    EXPECT_TRUE(result("bf16", root).is_unknown()) << root;
  }
}

// 65472 (1 + 2 3 2^-11) is above the largest number of f16, and 65056 with
// that margin is not.
TEST(CertifyKnown, AdmitsAnythingOfProductsThatMayLeaveTheRange) {
  const auto product = [](uint64_t code) {
    const std::vector<ValueSet> factors = {ValueSet::of(code, kF16),
                                           ValueSet::of(0x3c00, kF16)};
    return float_product(factors, kF16);
  };
  EXPECT_EQ(product(0x7bfe), ValueSet::everything(kF16));
  EXPECT_NE(product(0x7bf1), ValueSet::everything(kF16));
}

TEST(CertifyKnown, DrawsWhatTheEndsOfTheRangeAllow) {
  const auto drawn = [](const std::string& type, const std::string& a,
                        const std::string& b) {
    const Module module = verified_module(
        "HloModule m\n\nENTRY main {\n  n = " + type +
        "[] constant(0)\n  m = " + type + "[] constant(9)\n  any = " + type +
        "[] rng(n, m), distribution=rng_uniform\n  a = " + type + "[] " + a +
        "\n  b = " + type + "[] " + b + "\n  ROOT r = " + type +
        "[] rng(a, b), distribution=rng_uniform\n}\n");
    return certify(module, std::vector<Literal>{}, {}).at(0);
  };
  const ValueSet everything = ValueSet::everything(kS32);
  EXPECT_EQ(drawn("s32", "constant(2)", "constant(5)"), ValueSet::range(2, 4));
  EXPECT_EQ(drawn("s32", "copy(any)", "constant(20)"), ValueSet::range(0, 19));
  EXPECT_EQ(drawn("s32", "copy(any)", "constant(5)"), everything);
  EXPECT_EQ(drawn("s32", "constant(7)", "constant(5)"), everything);
  EXPECT_EQ(drawn("f32", "constant(-inf)", "constant(1)"),
            ValueSet::everything(kF32));
  EXPECT_EQ(drawn("f32", "constant(0)", "constant(inf)"),
            ValueSet::everything(kF32));
  const ValueSet unit = drawn("f32", "constant(0)", "constant(1)");
  EXPECT_EQ(unit.low(), zero_place(true, kF32));
  const ValueSet below = drawn("f32", "constant(-1)", "constant(0)");
  EXPECT_EQ(code_at(below.high(), kF32), 0x80000001U);
}

}  // namespace
}  // namespace hlo::conformance
