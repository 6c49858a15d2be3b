#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "backends/gpu/testing/device_runs.h"
#include "backends/registry/make_backend.h"

// Sums of products in groups and with scales, products, what regions change,
// and random numbers.

namespace hlo::gpu {
namespace {

// Rows 0 and 1 belong to group 0, row 2 to group 1, row 3 to none.
TEST(GpuSums, RaggedRowsTakeTheMatrixOfTheirGroup) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = s32[4,1] constant({{1}, {2}, {3}, {4}})
      y = s32[2,1,1] constant({{{10}}, {{100}}})
      n = s32[2] constant({2, 1})
      ROOT r = s32[4,1] ragged-dot(x, y, n), lhs_contracting_dims={1},
        rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}
    })"),
              (Bits{10, 20, 300, 0}))
        << backend->name();
  }
}

// Along the contracted dimension each group has a sum of its own; a negative
// size takes back what came before: group 1 is empty, group 2 covers index 2,
// as 0 and 1 have a group already.
TEST(GpuSums, RaggedTermsGoToTheSumOfTheirGroup) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = s32[1,4] constant({{1, 2, 3, 4}})
      y = s32[4,1] constant({{1}, {10}, {100}, {1000}})
      n = s32[3] constant({2, -1, 2})
      ROOT r = s32[3,1,1] ragged-dot(x, y, n), lhs_contracting_dims={1},
        rhs_contracting_dims={0}, lhs_ragged_dims={1}
    })"),
              (Bits{21, 0, 300}))
        << backend->name();
  }
}

// 3 2^100 times 2^-100, and 5 with the scale 2: neither is a number of f16 on
// its way; a scalar scale means 1.
TEST(GpuSums, ScaledFactorsAreNotRounded) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = f32[1,4] constant({{3, 1, 1.2676506e+30, 1}})
      y = f32[4,1] constant({{1}, {1}, {1}, {1}})
      s = f32[1,2] constant({{2, 7.888609e-31}})
      one = f32[] constant(0.5)
      ROOT r = f16[1,1] scaled-dot(x, y, s, one), lhs_contracting_dims={1},
        rhs_contracting_dims={0}
    })"),
              Bits{0x4880})
        << backend->name();
  }
}

// 1 + 2^-8 + 2^-40 is above the middle of 1 and 1 + 2^-7; as f32 it is the
// middle.
TEST(GpuSums, TilesAreRoundedOnce) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = bf16[3] constant({1, 0.00390625, 9.094947e-13})
      xs = bf16[8,3] broadcast(x), dimensions={1}
      o = bf16[] constant(1)
      y = bf16[3,128] broadcast(o), dimensions={}
      ROOT r = bf16[8,128] dot(xs, y), lhs_contracting_dims={1},
        rhs_contracting_dims={0} })"),
              Bits(1024, 0x3f81))
        << backend->name();
  }
}

/// Two products of matrices, of whole numbers of a type from -6 to 6, each
/// times a factor.
std::string product_text(const std::string& type, double factor, int64_t rows,
                         int64_t columns, int64_t terms) {
  const auto numbers = [&](char name, int64_t m, int64_t n) {
    return fmt::format(R"(
      {0}i = s32[2,{1},{2}] iota(), iota_dimension=1
      {0}j = s32[2,{1},{2}] iota(), iota_dimension=2
      {0}k = s32[2,{1},{2}] iota(), iota_dimension=0
      {0}t = s32[2,{1},{2}] broadcast(s), dimensions={{}}
      {0}m = s32[2,{1},{2}] multiply({0}i, {0}t)
      {0}n = s32[2,{1},{2}] add({0}m, {0}j)
      {0}o = s32[2,{1},{2}] add({0}n, {0}k)
      {0}p = s32[2,{1},{2}] multiply({0}o, {0}o)
      {0}d = s32[2,{1},{2}] broadcast(thirteen), dimensions={{}}
      {0}q = s32[2,{1},{2}] remainder({0}p, {0}d)
      {0}h = s32[2,{1},{2}] broadcast(six), dimensions={{}}
      {0}r = s32[2,{1},{2}] subtract({0}q, {0}h)
      {0}c = {3}[2,{1},{2}] convert({0}r)
      {0}f = {3}[2,{1},{2}] broadcast(factor), dimensions={{}}
      {0} = {3}[2,{1},{2}] multiply({0}c, {0}f))",
                       name, m, n, type);
  };
  return fmt::format(R"(ENTRY main {{
      s = s32[] constant(5)
      thirteen = s32[] constant(13)
      six = s32[] constant(6)
      factor = {0}[] constant({1})
      {2}
      {3}
      ROOT r = {0}[2,{4},{5}] dot(x, y), lhs_batch_dims={{0}},
        rhs_batch_dims={{0}}, lhs_contracting_dims={{2}},
        rhs_contracting_dims={{1}} }})",
                     type, factor, numbers('x', rows, terms),
                     numbers('y', terms, columns), rows, columns);
}

// Whole numbers are often in the middle of two of bf16, which chains of f64
// leave open.
TEST(GpuSums, TilesAtAllEdgesAreThoseOfTheReference) {
  const auto reference = make_backend("interpreter:");
  for (const int64_t rows : {4, 5, 7, 8, 11}) {
    for (const int64_t columns : {4, 15, 16, 17, 33}) {
      const int64_t terms = 2048 / (rows * columns) + 1;
      for (const auto& [type, factor] :
           {std::pair("f32", 0.1), std::pair("bf16", 1.0),
            std::pair("f16", 0.3)}) {
        const std::string text =
            product_text(type, factor, rows, columns, terms);
        const Bits expected = bits_of(*reference, text);
        for (const auto& backend : backends_here()) {
          EXPECT_EQ(bits_of(*backend, text), expected)
              << backend->name() << ' ' << text;
        }
      }
    }
  }
}

/// The sum of elements of a type, from -0 on.
std::string sum_text(const std::string& type, const std::string& elements,
                     int64_t count) {
  return fmt::format(R"(
    add {{ a = {0}[] parameter(0)  b = {0}[] parameter(1)
           ROOT c = {0}[] add(a, b) }}
    ENTRY main {{
      x = {0}[{1}] constant({{{2}}})
      i = {0}[] constant(-0)
      ROOT r = {0}[] reduce(x, i), dimensions={{0}}, to_apply=add }})",
                     type, count, elements);
}

// 1 + 2^-24 - 5 2^-52 and 20 times 2^-54 are the middle of two f32; 45 units
// are taken away and 100 times 0.48 added, each of which a f64 beside 5 2^-52
// loses: nearly as much as so many roundings can lose.
TEST(GpuSums, LoseNoMoreThanTheirBound) {
  std::string elements = "1, 5.9604645e-08, -1.1102230246251565e-15";
  for (int k = 0; k < 20; ++k) elements += ", 5.551115123125783e-17";
  elements += ", -8.874685183736383e-30";
  for (int k = 0; k < 100; ++k) elements += ", 9.4755753263852e-32";
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, sum_text("f32", elements, 124)),
              Bits{0x3f800001})
        << backend->name();
  }
}

// 1 + 2^-51 - 2^-53 is the middle of two f64, of which the larger one is even,
// and what is lost lies below it.
TEST(GpuSums, AreAskedForOnBothSides) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend,
                      sum_text("f64",
                               "1.0000000000000004, -1.1102230246251565e-16, "
                               "-1e-300",
                               3)),
              Bits{0x3ff0000000000001})
        << backend->name();
  }
}

// x y less its nearest f64 is 218.287 2^-1074; what is left of it by Dekker's
// splitting, whose parts underflow, 219.
TEST(GpuSums, KnowWhatUnderflowTakes) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      x = f64[2] constant({3.72073377350998e-153, -1.1714782806989864e-305})
      y = f64[2] constant({3.1485141157892205e-153, 1})
      ROOT r = f64[] dot(x, y), lhs_contracting_dims={0},
        rhs_contracting_dims={0} })"),
              Bits{218})
        << backend->name();
  }
}

// 1 and 1, and 1998 times 2^-54: 249.75 units of 2. Items add them together.
TEST(GpuSums, OfManyItemsHaveAllTheirLowParts) {
  std::string elements = "1, 1";
  for (int k = 0; k < 1998; ++k) elements += ", 5.551115123125783e-17";
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, sum_text("f64", elements, 2000)),
              Bits{0x4000000000000000 + 250})
        << backend->name();
  }
}

// The only cell of 1024 is the second item's.
TEST(GpuSums, OfManyItemsHaveAllTheirCells) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      ENTRY main {
        x = f32[1] constant({5})
        i = f32[] constant(2)
        ROOT r = f32[1] reduce-window(x, i), window={size=1024 pad=1_1022},
          to_apply=add })"),
              Bits{0x40e00000})
        << backend->name();
  }
}

// 0 in the padding is no term: it is not multiplied with what the kernel has.
TEST(GpuSums, PaddingIsNotMultiplied) {
  for (const char* const numerics : {"exact", "fast"}) {
    for (const std::string& uri : uris_here()) {
      const auto backend = make_gpu_backend(uri + "&numerics=" + numerics);
      const Bits bits = bits_of(*backend, R"(ENTRY main {
        o = f32[] constant(1)
        i = f32[1,64,4] broadcast(o), dimensions={}
        z = f32[] constant(inf)
        k = f32[1,4,24] broadcast(z), dimensions={}
        l = f32[1,4,24] broadcast(o), dimensions={}
        w = f32[2,4,24] concatenate(k, l), dimensions={0}
        ROOT r = f32[1,64,24] convolution(i, w), window={size=2 pad=1_0},
          dim_labels=b0f_0io->b0f })");
      for (size_t k = 0; k < bits.size(); ++k) {
        ASSERT_EQ(bits[k], k < 24 ? 0x40800000U : 0x7f800000U)
            << k << " of " << uri << ", " << numerics;
      }
    }
  }
}

// 1e300^2 is no f64, and the whole product one. With x = 1 + 2^-27 + 2^-51 and
// y = 1 + 2^-26 the product lies 2^-77 above the middle between two f64, of
// which the lower one is even. 0 times infinity is NaN.
TEST(GpuProducts, AreRoundedOnce) {
  constexpr const char* kMultiply =
      "f { a = f64[] parameter(0) b = f64[] parameter(1) "
      "ROOT r = f64[] multiply(a, b) } ";
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(
        bits_of(*backend, std::string(kMultiply) + R"(ENTRY main {
      x = f64[3,4] constant({
        {1e300, 1e300, 1e-300, -1e-200},
        {1.000000007450581, 1.0000000149011612, 1, 1},
        {inf, 0, 1, 1}})
      i = f64[] constant(1)
      ROOT r = f64[3] reduce(x, i), dimensions={1}, to_apply=f })"),
        (Bits{0xd4b249ad2594c37d, 0x3ff0000006000003, 0x7ff8000000000000}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, std::string(kMultiply) + R"(ENTRY main {
      x = f64[0] constant({})
      i = f64[] constant(-0)
      ROOT r = f64[] reduce(x, i), dimensions={0}, to_apply=f })"),
              Bits{0x8000000000000000})
        << backend->name();
  }
}

// 1 and 2^-8 twice are 1 + 2^-7, which bf16 holds; rounded to bf16 one by one
// they would be 1. What nothing changes keeps its bits: 1e30 is beyond f16.
TEST(GpuScatter, RegionsMayHaveOtherTypes) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(
      f { a = f32[] parameter(0)  b = f32[] parameter(1)
          ROOT r = f32[] add(a, b) }
      ENTRY main {
        x = bf16[2] constant({1, 1e30})
        i = s32[2,1] constant({{0}, {0}})
        u = f64[2] constant({0.00390625, 0.00390625})
        ROOT r = bf16[2] scatter(x, i, u), update_window_dims={},
          inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
          index_vector_dim=1, to_apply=f })"),
              (Bits{0x3f81, 0x714a}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, R"(
      f { a = f16[] parameter(0)  b = f16[] parameter(1)
          ROOT r = f16[] multiply(a, b) }
      ENTRY main {
        x = f32[2] constant({3, 1e30})
        i = s32[1,1] constant({{0}})
        u = f32[1] constant({5})
        ROOT r = f32[2] scatter(x, i, u), update_window_dims={},
          inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
          index_vector_dim=1, to_apply=f })"),
              (Bits{0x41700000, 0x7149f2ca}))
        << backend->name();
  }
}

// -0 is an element, and with infinity NaN.
TEST(GpuSums, MinusZeroIsMultiplied) {
  for (const char* const numerics : {"exact", "fast"}) {
    for (const std::string& uri : uris_here()) {
      const auto backend = make_gpu_backend(uri + "&numerics=" + numerics);
      const Bits bits = bits_of(*backend, R"(ENTRY main {
        o = f32[] constant(-0)
        x = f32[64,4] broadcast(o), dimensions={}
        z = f32[] constant(inf)
        y = f32[4,24] broadcast(z), dimensions={}
        r = f32[64,24] dot(x, y), lhs_contracting_dims={1},
          rhs_contracting_dims={0}
        ROOT n = pred[64,24] compare(r, r), direction=NE })");
      EXPECT_EQ(bits, Bits(1536, 1)) << uri << ", " << numerics;
    }
  }
}

// Random123's known answers for counters and keys of zeros and of ones
// (kat_vectors): philox4x32 10 and threefry2x32 20.
TEST(GpuRandom, GivesTheKnownAnswers) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      s = u64[3] constant({0, 0, 0})
      w = (u64[3], u32[4]) rng-bit-generator(s), algorithm=rng_philox
      ROOT r = u32[4] get-tuple-element(w), index=1
    })"),
              (Bits{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      s = u64[3] constant({18446744073709551615, 18446744073709551615,
                           18446744073709551615})
      ROOT r = (u64[3], u32[4]) rng-bit-generator(s), algorithm=rng_philox
    })"),
              (Bits{0xffffffffffffffff, 0, 0, 0x408f276d, 0x41c83b0e,
                    0xa20bc7c6, 0x6d5451fd}))
        << backend->name();
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      s = u64[2] constant({18446744073709551615, 18446744073709551615})
      ROOT r = (u64[2], u32[2]) rng-bit-generator(s), algorithm=rng_three_fry
    })"),
              (Bits{0xffffffffffffffff, 0, 0x1cb996fc, 0xbb002be7}))
        << backend->name();
  }
}

// The third word begins a new block (spec/ops/rng_bit_generator.md).
TEST(GpuRandom, CountsTheBlocksThatAreBegun) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      s = u64[2] constant({1, 2})
      ROOT r = (u64[2], u32[2,2]) rng-bit-generator(s), algorithm=rng_three_fry
    })"),
              (Bits{1, 4, 43444564, 3979645651, 2150618427, 3745730563}))
        << backend->name();
  }
}

// [1, 1 + 2^-23) has one number; [-3, -2) one integer; five draws move the
// state.
TEST(GpuRandom, DrawsFromTheInterval) {
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, R"(ENTRY main {
      a = f32[] constant(1)
      b = f32[] constant(1.00000012)
      x = f32[3] rng(a, b), distribution=rng_uniform
      c = s32[] constant(-3)
      d = s32[] constant(-2)
      y = s32[2] rng(c, d), distribution=rng_uniform
      s = u64[2] rng-get-and-update-state(), delta=-6
      t = u64[2] rng-get-and-update-state(), delta=0
      ROOT r = (f32[3], s32[2], u64[2], u64[2]) tuple(x, y, s, t)
    })"),
              (Bits{0x3f800000, 0x3f800000, 0x3f800000, 0xfffffffd, 0xfffffffd,
                    5, 0, 0xffffffffffffffff, 0xffffffffffffffff}))
        << backend->name();
  }
}

}  // namespace
}  // namespace hlo::gpu
