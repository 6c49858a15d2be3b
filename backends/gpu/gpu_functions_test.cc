#include <gtest/gtest.h>

#include "backends/gpu/testing/device_runs.h"

// Functions of f64, f32 and complex numbers, powers and angles. The expected
// bits are those of mpmath with 400 bits, rounded once, unless a comment says
// more.

namespace hlo::gpu {
namespace {

struct Row {
  const char* what;
  const char* program;  // the body of the entry computation
  Bits bits;
};

void expect(const std::vector<Row>& rows) {
  for (const auto& backend : backends_here()) {
    for (const Row& row : rows) {
      const std::string program =
          std::string("ENTRY main {") + row.program + "}";
      EXPECT_EQ(bits_of(*backend, program), row.bits)
          << backend->name() << ": " << row.what;
    }
  }
}

TEST(GpuFunctions, OfDoublesAreRoundedOnce) {
  expect({
      {"sin 10^22",
       "x = f64[] constant(1e22) ROOT r = f64[] sine(x)",
       {0xbfeb453ab76bf397}},
      {"sin 2^1023",
       "x = f64[] constant(8.98846567431158e307) ROOT r = f64[] sine(x)",
       {0x3fe205248cbdb760}},
      {"tan 1",
       "x = f64[] constant(1) ROOT r = f64[] tan(x)",
       {0x3ff8eb245cbee3a6}},
      {"exp 1",
       "x = f64[] constant(1) ROOT r = f64[] exponential(x)",
       {0x4005bf0a8b145769}},
      {"log(1 + 2^-30)",
       "x = f64[] constant(9.313225746154785e-10) "
       "ROOT r = f64[] log-plus-one(x)",
       {0x3e0fffffffc00000}},
      {"erf 1/2",
       "x = f64[] constant(0.5) ROOT r = f64[] erf(x)",
       {0x3fe0a7ef5c18edd2}},
      {"tanh 1/8",
       "x = f64[] constant(0.125) ROOT r = f64[] tanh(x)",
       {0x3fbfd5992bc4b835}},
      {"acosh 3/2",
       "x = f64[] constant(1.5) ROOT r = f64[] acosh(x)",
       {0x3feecc2caec5160a}},
      {"acos 1/2",
       "x = f64[] constant(0.5) ROOT r = f64[] acos(x)",
       {0x3ff0c152382d7366}},
      {"the cube root of 2",
       "x = f64[] constant(2) ROOT r = f64[] cbrt(x)",
       {0x3ff428a2f98d728b}},
  });
}

// 27 is a cube, exp(-1000) lies below half of the least number, exp(1000) above
// the largest; erf and tanh are 1 to the last bit from 6 and from 20 on.
TEST(GpuFunctions, OfDoublesKnowTheirEnds) {
  expect({
      {"the cube root of -27",
       "x = f64[] constant(-27) ROOT r = f64[] cbrt(x)",
       {0xc008000000000000}},
      {"exp of what is far",
       "x = f64[3] constant({-1000, 1000, -3000}) "
       "ROOT r = f64[3] exponential(x)",
       {0, 0x7ff0000000000000, 0}},
      {"erf 7 and erf -7",
       "x = f64[2] constant({7, -7}) ROOT r = f64[2] erf(x)",
       {0x3ff0000000000000, 0xbff0000000000000}},
      {"tanh 30",
       "x = f64[] constant(30) ROOT r = f64[] tanh(x)",
       {0x3ff0000000000000}},
      {"sin -0",
       "x = f64[] constant(-0) ROOT r = f64[] sine(x)",
       {0x8000000000000000}},
  });
}

// (2^27 + 1)^2 = 2^54 + 2^28 + 1 lies in the middle between two doubles, of
// which 2^54 + 2^28 is even; 4097^2 = 2^24 + 2^13 + 1 between two f32; 2^-1075
// between 0 and the least double.
TEST(GpuFunctions, PowersThatAreTiesGoToEven) {
  expect({
      {"f64",
       "x = f64[2] constant({134217729, 2}) y = f64[2] constant({2, -1075}) "
       "ROOT r = f64[2] power(x, y)",
       {0x4350000004000000, 0}},
      {"f32",
       "x = f32[2] constant({4097, 2}) y = f32[2] constant({2, -150}) "
       "ROOT r = f32[2] power(x, y)",
       {0x4b801000, 0}},
      {"a root that is a number",
       "x = f64[] constant(81) y = f64[] constant(0.75) "
       "ROOT r = f64[] power(x, y)",
       {0x403b000000000000}},
      {"1.1^10 of f32",
       "x = f32[] constant(1.1) y = f32[] constant(10) "
       "ROOT r = f32[] power(x, y)",
       {0x4025ffe3}},
  });
}

// 2^-1074 / 2 is a tie, and its angle a little less: 0.
TEST(GpuFunctions, AnglesAreLessThanTheirTangents) {
  expect({
      {"a small angle",
       "y = f64[] constant(5e-324) x = f64[] constant(2) "
       "ROOT r = f64[] atan2(y, x)",
       {0}},
      {"atan2(1, 2) of f32",
       "y = f32[] constant(1) x = f32[] constant(2) "
       "ROOT r = f32[] atan2(y, x)",
       {0x3eed6338}},
  });
}

TEST(GpuFunctions, OfComplexNumbersAreRoundedOnce) {
  expect({
      {"exp(1 + i)",
       "z = c128[] constant((1, 1)) ROOT r = c128[] exponential(z)",
       {0x3ff77fc5377c5a96, 0x40024c80edc62064}},
      {"exp(1 + i) of c64",
       "z = c64[] constant((1, 1)) ROOT r = c64[] exponential(z)",
       {0x3fbbfe2a, 0x40126407}},
      {"log(3/4 + 5i/8), next to the circle",
       "z = c128[] constant((0.75, 0.625)) ROOT r = c128[] log(z)",
       {0xbf9894aa149fb343, 0x3fe63b4bc3f16a8a}},
      {"tanh(1 + i)",
       "z = c128[] constant((1, 1)) ROOT r = c128[] tanh(z)",
       {0x3ff157bffca4a8bd, 0x3fd16464f4a33f88}},
  });
}

// Squares and products of integers: (1 + 2i)^2 = -3 + 4i, |3 + 4i| = 5, and
// (5 + 10i) / (1 + 2i) = 5. (2^-30 + i)(2^-30 - i) = 1 + 2^-60 is a tie of no
// type, and 1; the real part of (1 + 2^-52 + i)(1 - 2^-52 + i) is -2^-104.
TEST(GpuFunctions, OfComplexNumbersThatAreExact) {
  expect({
      {"a root",
       "z = c128[] constant((-3, 4)) ROOT r = c128[] sqrt(z)",
       {0x3ff0000000000000, 0x4000000000000000}},
      {"a magnitude",
       "z = c64[] constant((3, -4)) ROOT r = f32[] abs(z)",
       {0x40a00000}},
      {"a quotient",
       "x = c64[] constant((5, 10)) y = c64[] constant((1, 2)) "
       "ROOT r = c64[] divide(x, y)",
       {0x40a00000, 0}},
      {"a product that cancels",
       "x = c128[] constant((1.0000000000000002, 1)) "
       "y = c128[] constant((0.9999999999999998, 1)) "
       "ROOT r = c128[] multiply(x, y)",
       {0xb970000000000000, 0x4000000000000000}},
  });
}

// (3 + 4i)^2 = -7 + 24i, (2i)^(1/2) = 1 + i, (2 + i)^3 = 2 + 11i.
// 208067^3 has 54 bits, the
// last ones 11: a tie that goes up, or where 3 208067 y^2 < 2^-1900 is taken
// away, no tie. The imaginary part is 3 208067^2 y.
TEST(GpuFunctions, PowersAndRootsOfComplexNumbersThatAreExact) {
  expect({
      {"a square",
       "z = c64[] constant((3, 4)) w = c64[] constant((2, 0)) "
       "ROOT r = c64[] power(z, w)",
       {0xc0e00000, 0x41c00000}},
      {"a root of a number on an axis",
       "z = c128[] constant((0, 2)) w = c128[] constant((0.5, 0)) "
       "ROOT r = c128[] power(z, w)",
       {0x3ff0000000000000, 0x3ff0000000000000}},
      {"a cube that is a tie",
       "z = c128[] constant((208067, 0)) w = c128[] constant((3, 0)) "
       "ROOT r = c128[] power(z, w)",
       {0x4340002feaf4642e, 0}},
      {"a cube just less than a tie",
       "z = c128[] constant((208067, 1e-300)) w = c128[] constant((3, 0)) "
       "ROOT r = c128[] power(z, w)",
       {0x4340002feaf4642d, 0x03f44038679183fc}},
      {"a cube root",
       "z = c64[] constant((2, 11)) "
       "ROOT r = c64[] custom-call(z), custom_call_target=\"stablehlo.cbrt\"",
       {0x40000000, 0x3f800000}},
  });
}

// The quotient of parts that lie 2^300 apart: 3 / (1 + 2^-600) is less than 3.
TEST(GpuFunctions, QuotientsOfDistantParts) {
  expect({{"3 / (1 + 2^-300 i)",
           "x = c128[] constant((3, 0)) "
           "y = c128[] constant((1, 4.909093465297727e-91)) "
           "ROOT r = c128[] divide(x, y)",
           {0x4008000000000000, 0xad48000000000000}}});
}

// 1 + 2^-8 is the middle between two codes of bf16, and so is the sum with
// 2^-40 where it is rounded to f32 on its way; 1 is even.
TEST(GpuFunctions, OfSeveralTypesAreRoundedOnce) {
  expect({{"a sum",
           "x = f32[] constant(1.00390625) y = f64[] constant(9.1e-13) "
           "ROOT r = bf16[] add(x, y)",
           {0x3f81}},
          {"a quotient that is a tie",
           "x = f32[] constant(2.0078125) y = f64[] constant(2) "
           "ROOT r = bf16[] divide(x, y)",
           {0x3f80}},
          {"in order",
           "x = f32[] constant(0.333333343) y = f64[] constant(0.333333343) "
           "ROOT r = pred[] compare(x, y), direction=GT",
           {1}}});
}

// 1/2 + x/4 is a middle of two f32, and x^3/48 says on which side the value is;
// the nearest f64 is the middle.
TEST(GpuFunctions, OfFloatsBesideAMiddleAreRoundedOnce) {
  expect({
      {"logistic 3 2^-23 and -3 2^-24",
       "x = f32[2] constant({3.5762786865234375e-07, -1.7881393432617188e-07}) "
       "ROOT r = f32[2] logistic(x)",
       {0x3f000001, 0x3effffff}},
      {"logistic 7 2^-23 and 11 2^-23",
       "x = f32[2] constant({8.344650268554688e-07, 1.3113021850585938e-06}) "
       "ROOT r = f32[2] logistic(x)",
       {0x3f000003, 0x3f000005}},
  });
}

// 10 doubled until it is 50 or more, and what is 3 stays; in a loop of its own
// for each element.
TEST(GpuMaps, RunComputationsWithControlFlow) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(
      low { s = s32[] parameter(0)  c = s32[] constant(50)
            ROOT r = pred[] compare(s, c), direction=LT }
      twice { s = s32[] parameter(0)  ROOT r = s32[] add(s, s) }
      loop { s = s32[] parameter(0)
             ROOT r = s32[] while(s), condition=low, body=twice }
      same { s = s32[] parameter(0)  ROOT r = s32[] copy(s) }
      f { s = s32[] parameter(0)  c = s32[] constant(3)
          is = pred[] compare(s, c), direction=EQ
          ROOT r = s32[] conditional(is, s, s), true_computation=same,
            false_computation=loop }
      ENTRY main {
        x = s32[2,2] constant({{10, 3}, {60, 1}})
        ROOT r = s32[2,2] map(x), dimensions={0,1}, to_apply=f
      })"),
              (Bits{80, 3, 60, 64}))
        << backend->name();
  }
}

}  // namespace
}  // namespace hlo::gpu
