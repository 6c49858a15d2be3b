#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "conformance/certify/certify.h"
#include "conformance/levels/profile_text.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounding.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

/// x * y + z in one type.
Module product_and_sum(const std::string& type) {
  std::string text =
      "HloModule m\n\nENTRY main {\n  x = T[64] parameter(0)\n"
      "  y = T[64] parameter(1)\n  z = T[64] parameter(2)\n"
      "  p = T[64] multiply(x, y)\n  ROOT r = T[64] add(p, z)\n}\n";
  for (size_t at = text.find("T["); at != std::string::npos;
       at = text.find("T[", at + 1)) {
    text.replace(at, 1, type);
  }
  return verified_module(text);
}

/// z is near -x y, so that what the product loses is most of the result.
std::vector<Literal> cancelling(const Module& module, const FloatFormat& f) {
  std::mt19937_64 random(23);
  std::vector<Literal> all;
  for (const Instruction* parameter : module.entry->parameters) {
    all.emplace_back(parameter->shape);
  }
  const auto put = [&](size_t k, int64_t i, double x) {
    all[k].set(i, {.type = f.type, .bits = {numeric::encode(x, f), 0}});
    return numeric::decode(all[k].at(i).bits[0], f);
  };
  for (int64_t i = 0; i < all[0].element_count(); ++i) {
    const auto unit = [&] {
      return 1 + static_cast<double>(random() >> 11) * 0x1p-53;
    };
    const double x = put(0, i, unit());
    const double y = put(1, i, unit());
    put(2, i, -x * y);
  }
  return all;
}

struct Count {
  int64_t inside = 0;
  int64_t elements = 0;
};

/// How many results of a product that is not rounded lie in their sets.
Count unrounded_products_in(const std::string& type,
                            const std::string& profile) {
  const Module module = product_and_sum(type);
  const FloatFormat& f =
      numeric::format(module.entry->root->shape.element_type);
  const std::vector<Literal> x = cancelling(module, f);
  const SetTree certified =
      certify(module, x, {.profile = parse_profile(profile)});
  Count count;
  for (int64_t i = 0; i < x[0].element_count(); ++i) {
    const auto value = [&](size_t k) {
      return numeric::decode(x[k].at(i).bits[0], f);
    };
    const uint64_t fused =
        numeric::encode(std::fma(value(0), value(1), value(2)), f);
    count.inside += certified.at(i).contains(fused, f.type) ? 1 : 0;
    ++count.elements;
  }
  return count;
}

TEST(Axes, ContractionAdmitsFusedProducts) {
  for (const char* type : {"f32", "f64", "bf16"}) {
    const Count with = unrounded_products_in(type, "tight,contraction=fma");
    EXPECT_EQ(with.inside, with.elements) << type;
    EXPECT_LT(unrounded_products_in(type, "tight").inside, 32) << type;
  }
}

TEST(Axes, ExcessPrecisionAdmitsUnroundedProducts) {
  for (const char* type : {"f32", "f64", "bf16"}) {
    const Count with =
        unrounded_products_in(type, "tight,excess-precision=allowed");
    EXPECT_EQ(with.inside, with.elements) << type;
  }
}

// The sets of what is not there at run time must not count.
TEST(Certify, SaysNothingOfFoldsOverDynamicDimensions) {
  const Module module = verified_module(R"(HloModule m

f {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[<=3] parameter(0)
  e = f32[<=3] exponential(x)
  z = f32[] constant(0)
  ROOT r = f32[] reduce(e, z), dimensions={0}, to_apply=f
}
)");
  Literal x =
      Literal::splat(module.entry->parameters[0]->shape,
                     {.type = ElementType::kF32, .bits = {0x3f800000, 0}});
  x.set_dynamic_sizes({2});
  const SetTree sum = certify(module, std::vector<Literal>{x}, {});
  EXPECT_TRUE(sum.is_unknown());
}

}  // namespace
}  // namespace hlo::conformance
