#include "conformance/expect/expect_drawn.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/expect/expect_module.h"
#include "conformance/judge/judge.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

struct Draw {
  const char* type;
  const char* a;
  const char* b;
  const char* distribution;
  const char* number;
  bool admitted;
};

Verdict verdict_of(const Draw& draw) {
  const std::string type = std::string(draw.type) + "[]";
  const Module module = verified_module(
      "HloModule m\nENTRY main {\n  a = " + type + " constant(" + draw.a +
      ")\n  b = " + type + " constant(" + draw.b + ")\n  ROOT r = " + type +
      " rng(a, b), distribution=" + draw.distribution + "\n}");
  const std::vector<Literal> observed = {
      text::parse_literal_with_shape(type + " " + draw.number)};
  return judge(expect_module(module, {}, &observed), observed).verdict;
}

// The ends are those of the page.
constexpr Draw kDraws[] = {
    {"f32", "1", "2", "rng_uniform", "1", true},
    {"f32", "1", "2", "rng_uniform", "1.99999988", true},
    {"f32", "1", "2", "rng_uniform", "2", false},
    {"f32", "1", "2", "rng_uniform", "0.99999994", false},
    {"f32", "1", "2", "rng_uniform", "nan", false},
    {"f32", "0", "1", "rng_uniform", "-0.0", true},
    {"f32", "-1", "0", "rng_uniform", "-0.0", false},
    {"f32", "-1", "0", "rng_uniform", "-1e-45", true},
    {"f32", "-3.4e38", "3.4e38", "rng_uniform", "inf", false},
    {"f32", "3", "3", "rng_uniform", "7", true},
    {"bf16", "0", "1", "rng_uniform", "1", false},
    {"f8e4m3fnuz", "-1", "0", "rng_uniform", "0", false},
    {"f8e4m3fnuz", "-1", "0", "rng_uniform", "-0.0009765625", true},
    {"s8", "-100", "100", "rng_uniform", "-100", true},
    {"s8", "-100", "100", "rng_uniform", "99", true},
    {"s8", "-100", "100", "rng_uniform", "100", false},
    {"u64", "5", "18446744073709551615", "rng_uniform", "4", false},
    {"u64", "5", "18446744073709551615", "rng_uniform", "18446744073709551614",
     true},
    {"u8", "0", "0", "rng_uniform", "200", true},
    {"s1", "-1", "0", "rng_uniform", "-1", true},
    {"s1", "-1", "0", "rng_uniform", "0", false},
    {"u1", "0", "1", "rng_uniform", "0", true},
    {"u1", "0", "1", "rng_uniform", "1", false},
    {"s2", "-2", "1", "rng_uniform", "-2", true},
    {"s2", "-2", "1", "rng_uniform", "1", false},
    {"u2", "1", "3", "rng_uniform", "2", true},
    {"u2", "1", "3", "rng_uniform", "0", false},
    {"s4", "-8", "7", "rng_uniform", "6", true},
    {"s4", "-8", "7", "rng_uniform", "7", false},
    {"u4", "1", "15", "rng_uniform", "14", true},
    {"u4", "1", "15", "rng_uniform", "0", false},
    {"s16", "-32768", "32767", "rng_uniform", "32766", true},
    {"s16", "-32768", "32767", "rng_uniform", "32767", false},
    {"u16", "1", "65535", "rng_uniform", "65535", false},
    {"s32", "-2147483648", "2147483647", "rng_uniform", "2147483647", false},
    {"u32", "1", "4294967295", "rng_uniform", "0", false},
    {"s64", "-9223372036854775808", "9223372036854775807", "rng_uniform",
     "9223372036854775807", false},
    {"s64", "-9223372036854775808", "9223372036854775807", "rng_uniform",
     "-9223372036854775808", true},
    {"pred", "false", "true", "rng_uniform", "true", true},
    {"f32", "5", "0", "rng_normal", "5", true},
    {"f32", "5", "0", "rng_normal", "5.1", false},
    {"f32", "0", "1", "rng_normal", "-38.6", true},
    {"f32", "0", "1", "rng_normal", "129", false},
    {"f32", "0", "1", "rng_normal", "inf", false},
    {"f64", "0", "1", "rng_normal", "nan", false},
    {"f8e8m0fnu", "1", "1", "rng_normal", "1048576", true},
    {"f8e8m0fnu", "1", "1", "rng_normal", "nan", true},
    {"f16", "0", "1000", "rng_normal", "inf", true},
};

TEST(ExpectDrawn, HasTheEndsOfTheRange) {
  for (const Draw& draw : kDraws) {
    EXPECT_EQ(verdict_of(draw),
              draw.admitted ? Verdict::kConforms : Verdict::kDiffers)
        << draw.type << " " << draw.distribution << " " << draw.a << " "
        << draw.b << ": " << draw.number;
  }
}

}  // namespace
}  // namespace hlo::conformance
