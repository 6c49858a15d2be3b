#pragma once

// Programs that show bugs of kernels (kernel_mutants_test.cc).

namespace hlo::gpu {

// A middle between two f64, and a trifle that two f64 do not hold beside it.
inline constexpr const char* kSum = R"(
  add { a = f64[] parameter(0)  b = f64[] parameter(1)
        ROOT c = f64[] add(a, b) }
  ENTRY main {
    x = f64[3] constant({1, 1.1102230246251565e-16, 1e-300})
    i = f64[] constant(0)
    ROOT r = f64[] reduce(x, i), dimensions={0}, to_apply=add
  })";

// (1 + 2^-30)^2 - (1 + 2^-29) is 2^-60, and rounded products leave nothing.
inline constexpr const char* kLongProducts = R"(ENTRY main {
    x = f64[2] constant({1.0000000009313226, -1})
    y = f64[2] constant({1.0000000009313226, 1.0000000018626451})
    ROOT r = f64[] dot(x, y), lhs_contracting_dims={0},
      rhs_contracting_dims={0} })";

// Three times 5/4 of the least number are 4 of it; rounded, each is 1.
inline constexpr const char* kSmallProducts = R"(ENTRY main {
    x = f64[3] constant({2.470328e-323, 2.470328e-323, 2.470328e-323})
    y = f64[3] constant({0.25, 0.25, 0.25})
    ROOT r = f64[] dot(x, y), lhs_contracting_dims={0},
      rhs_contracting_dims={0} })";

inline constexpr const char* kMinusZero = R"(
  add { a = f32[] parameter(0)  b = f32[] parameter(1)
        ROOT c = f32[] add(a, b) }
  ENTRY main {
    x = f32[2] constant({-0, -0})
    i = f32[] constant(-0)
    ROOT r = f32[] reduce(x, i), dimensions={0}, to_apply=add
  })";

inline constexpr const char* kRoots = R"(ENTRY main {
      x = f64[8] constant({0, 1, 0, 0, 0, 0, 0, 0})
      ROOT r = c128[5] fft(x), fft_type=RFFT, fft_length={8} })";

// Both of a / sqrt 2 - b, which 192 bits do not tell from 0, and -a / sqrt 2.
inline constexpr const char* kNearlyNothing = R"(ENTRY main {
      x = c128[8] constant({(-4217293152016490, 0), (5964153172084899, 0),
                            (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)})
      ROOT y = c128[8] fft(x), fft_type=FFT, fft_length={8} })";

// The roots of unity add up to nothing, and pairs of f64 to nearly nothing.
inline constexpr const char* kSumsOfRoots = R"(ENTRY main {
      o = f32[] constant(1)
      x = f32[35] broadcast(o), dimensions={}
      ROOT y = c64[18] fft(x), fft_type=RFFT, fft_length={35} })";

// More than tiles of 4 by 16 elements, of terms that are no numbers of few
// bits.
inline constexpr const char* kProduct = R"(ENTRY main {
      i = f32[6,20] iota(), iota_dimension=1
      j = f32[6,20] iota(), iota_dimension=0
      c = f32[] constant(1)
      one = f32[6,20] broadcast(c), dimensions={}
      a = f32[6,20] add(i, j)
      b = f32[6,20] add(a, one)
      x = f32[6,20] divide(one, b)
      k = f32[20,18] iota(), iota_dimension=1
      l = f32[20,18] iota(), iota_dimension=0
      three = f32[] constant(3.1)
      t = f32[20,18] broadcast(three), dimensions={}
      m = f32[20,18] add(k, t)
      n = f32[20,18] multiply(l, t)
      y = f32[20,18] divide(n, m)
      ROOT r = f32[6,18] dot(x, y), lhs_contracting_dims={1},
        rhs_contracting_dims={0} })";

// A product that whole tiles cover.
inline constexpr const char* kWholeTiles = R"(ENTRY main {
      i = f32[8,32] iota(), iota_dimension=1
      j = f32[8,32] iota(), iota_dimension=0
      three = f32[] constant(3.1)
      t = f32[8,32] broadcast(three), dimensions={}
      a = f32[8,32] add(j, t)
      b = f32[8,32] add(i, t)
      x = f32[8,32] divide(a, b)
      ROOT r = f32[32,32] dot(x, x), lhs_contracting_dims={0},
        rhs_contracting_dims={0} })";

inline constexpr const char* kPaddedWindows = R"(ENTRY main {
      i = f32[1,8,8,4] iota(), iota_dimension=1
      k = f32[3,3,4,8] iota(), iota_dimension=3
      ROOT r = f32[1,8,8,8] convolution(i, k), window={size=3x3 pad=1_1x1_1},
        dim_labels=b01f_01io->b01f })";

// 1 + 2^-24, a middle, and 2^-120 beside it, which f64 lose beside 2^-60.
inline constexpr const char* kTileBesideTheMiddle = R"(ENTRY main {
      o = f32[] constant(1)
      y = f32[5,256] broadcast(o), dimensions={}
      x = f32[5] constant({1, 5.9604645e-08, 8.6736174e-19, 7.5231638e-37,
                           -8.6736174e-19})
      b = f32[4,5] broadcast(x), dimensions={1}
      ROOT r = f32[4,256] dot(b, y), lhs_contracting_dims={1},
        rhs_contracting_dims={0} })";

// -1, -2, ... -300, up to each and from each on; parts have 64 elements.
inline constexpr const char* kRunningSums = R"(
    add { a = f32[] parameter(0)  b = f32[] parameter(1)
          ROOT c = f32[] add(a, b) }
    ENTRY main {
      k = f32[300] iota(), iota_dimension=0
      n = f32[300] negate(k)
      i = f32[] constant(-1)
      a = f32[300] reduce-window(n, i), window={size=300 pad=299_0},
        to_apply=add
      b = f32[300] reduce-window(n, i), window={size=300 pad=0_299},
        to_apply=add
      ROOT r = f32[600] concatenate(a, b), dimensions={0} })";

// Keys from -1000 on that repeat, and their places.
inline constexpr const char* kSortedByKeys = R"(
    less { a = s16[] parameter(0)  b = s16[] parameter(1)
           c = s32[] parameter(2)  d = s32[] parameter(3)
           ROOT r = pred[] compare(a, b), direction=LT }
    ENTRY main {
      k = s32[3000] iota(), iota_dimension=0
      m = s32[] constant(677)
      ms = s32[3000] broadcast(m), dimensions={}
      x = s32[3000] multiply(k, ms)
      n = s32[] constant(2000)
      ns = s32[3000] broadcast(n), dimensions={}
      y = s32[3000] remainder(x, ns)
      h = s32[] constant(1000)
      hs = s32[3000] broadcast(h), dimensions={}
      z = s32[3000] subtract(y, hs)
      w = s16[3000] convert(z)
      s = (s16[3000], s32[3000]) sort(w, k), dimensions={0}, to_apply=less
      ROOT r = s32[3000] get-tuple-element(s), index=1 })";

// Windows of 3 that cover each other in part.
inline constexpr const char* kScatteredInOrder = R"(
    f { a = s32[] parameter(0)  b = s32[] parameter(1)
        ROOT r = s32[] subtract(b, a) }
    ENTRY main {
      o = s32[] constant(1)
      x = s32[40] broadcast(o), dimensions={}
      k = s32[2000] iota(), iota_dimension=0
      m = s32[] constant(43)
      ms = s32[2000] broadcast(m), dimensions={}
      i = s32[2000] remainder(k, ms)
      u = s32[2000,3] broadcast(k), dimensions={0}
      ROOT r = s32[40] scatter(x, i, u), update_window_dims={1},
        inserted_window_dims={}, scatter_dims_to_operand_dims={0},
        index_vector_dim=1, to_apply=f })";

inline constexpr const char* kInfinityInThePadding = R"(ENTRY main {
      o = f32[] constant(1)
      i = f32[1,64,4] broadcast(o), dimensions={}
      z = f32[] constant(inf)
      k = f32[1,4,8] broadcast(z), dimensions={}
      l = f32[1,4,8] broadcast(o), dimensions={}
      w = f32[2,4,8] concatenate(k, l), dimensions={0}
      ROOT r = f32[1,64,8] convolution(i, w), window={size=2 pad=1_0},
        dim_labels=b0f_0io->b0f })";

// Subnormal terms, and an initial value.
inline constexpr const char* kFastSum = R"(
    add { a = f32[] parameter(0)  b = f32[] parameter(1)
          ROOT c = f32[] add(a, b) }
    ENTRY main {
      x = f32[3] constant({1e-40, 2e-40, 3e-40})
      i = f32[] constant(1e-39)
      ROOT r = f32[] reduce(x, i), dimensions={0}, to_apply=add })";

}  // namespace hlo::gpu
