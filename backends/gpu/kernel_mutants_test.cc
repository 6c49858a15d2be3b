#include <gtest/gtest.h>

#include <cstdlib>
#include <span>
#include <string_view>

#include "backends/gpu/device/device.h"
#include "backends/gpu/device/kernel_source.h"
#include "backends/gpu/run/evaluate_program.h"
#include "backends/gpu/run/exact_probe.h"
#include "backends/gpu/testing/mutant_programs.h"
#include "interpreter/verify/verify.h"

// A kernel with a bug, and a program that shows it.

namespace hlo::gpu {
namespace {

struct Mutant {
  const char* what;
  const char* right;  // a part of the kernels' text
  const char* wrong;  // what stands there instead
  const char* program;
  Numerics numerics = Numerics::kExact;
};

const Mutant kMutants[] = {
    {"ties go up", "(more || (kept & 1))", "1", R"(ENTRY main {
      x = f32[1] constant({1.00390625})
      ROOT r = bf16[1] convert(x) })"},
    {"cut off", "rest > (u64)1 << 63 ||", "", R"(ENTRY main {
      x = f32[1] constant({1.0058})
      ROOT r = bf16[1] convert(x) })"},
    {"subnormals are flushed", "code == 0) return zero_code(t, negative)",
     "code >> mantissa_bits(t) == 0) return zero_code(t, negative)",
     R"(ENTRY main {
      x = f32[1] constant({3e-6})
      ROOT r = f16[1] convert(x) })"},
    {"division by a reciprocal", "return from_f64(t, DIV64(x, y));",
     "return from_f64(t, MUL64(x, DIV64(1.0, y)));",
     R"(ENTRY main {
      x = f64[1] constant({49})
      ROOT r = f64[1] divide(x, x) })"},
    {"shifts take the amount modulo 64", "inside ? wrap(t, a << by) : 0",
     "wrap(t, a << by)", R"(ENTRY main {
      x = s64[1] constant({5})
      y = s64[1] constant({64})
      ROOT r = s64[1] shift-left(x, y) })"},
    {"either zero is the greater", "sign_of(t, a) != largest", "1",
     R"(ENTRY main {
      x = f32[1] constant({-0})
      y = f32[1] constant({0})
      ROOT r = f32[1] maximum(x, y) })"},
    {"the last element is left out", "i = GLOBAL_ID; i < n;",
     "i = GLOBAL_ID; i < n - 1;", R"(ENTRY main {
      x = s32[3] constant({1, 2, 3})
      ROOT r = s32[3] add(x, x) })"},
    {"low digits are lost", "more |= sum->digits[k] != 0", "more |= 0", kSum},
    {"a sum that may be either of two is the first",
     "lost == 0 ? 0.0 :", "1 ? 0.0 :", kSum},
    {"what a product loses is forgotten", "add_low(sum, product.lo);", "",
     kLongProducts},
    {"what underflow takes is forgotten", "size < 0x1p-960 &&", "0 &&",
     kSmallProducts},
    {"sums start at +0", "minus ? -0.0 : 0.0", "0.0", kMinusZero},
    {"negative indices are large", "(i64)own < 0) return 0",
     "(i64)own < 0) return index[3]", R"(ENTRY main {
      x = s32[3] constant({1, 2, 3})
      i = s32[1] constant({-1})
      ROOT r = s32[1] gather(x, i), offset_dims={}, collapsed_slice_dims={0},
        start_index_map={0}, index_vector_dim=1, slice_sizes={1} })"},
    {"a merge takes the second of equals", "second = registers[p[10]].re != 0",
     "second = 1", R"(
      less { a = s32[] parameter(0)  b = s32[] parameter(1)
             c = s32[] parameter(2)  d = s32[] parameter(3)
             ROOT r = pred[] compare(a, b), direction=LT }
      ENTRY main {
        x = s32[3] constant({1, 1, 1})
        y = s32[3] constant({1, 2, 3})
        ROOT r = (s32[3], s32[3]) sort(x, y), dimensions={0}, to_apply=less
      })"},
    {"a counter does not carry", "(low < steps ? 1 : 0)", "0", R"(ENTRY main {
      s = u64[3] constant({1, 18446744073709551615, 0})
      ROOT r = (u64[3], u32[8]) rng-bit-generator(s), algorithm=rng_philox })"},
    {"terms of all groups count", "o[groups[2]] != group ? -1 : group", "group",
     R"(ENTRY main {
      x = s32[1,2] constant({{1, 2}})
      y = s32[2,1] constant({{1}, {1}})
      n = s32[2] constant({1, 1})
      ROOT r = s32[2,1,1] ragged-dot(x, y, n), lhs_contracting_dims={1},
        rhs_contracting_dims={0}, lhs_ragged_dims={1} })"},
    {"powers that are ties go up", "rounded_wide(t, power, !is_exact)",
     "rounded_wide(t, power, 1)", R"(ENTRY main {
      x = f32[1] constant({4097})
      y = f32[1] constant({2})
      ROOT r = f32[1] power(x, y) })"},
    {"quotients are cut off",
     "with_trifle(divide_wides(top, wide_of_sum(&sum)))",
     "divide_wides(top, wide_of_sum(&sum))", R"(ENTRY main {
      x = f64[1] constant({3.03515625})
      y = f64[1] constant({3})
      ROOT r = bf16[1] divide(x, y) })"},
    {"ties of fractions go up", "value.m[2] >> 32 == 0", "value.m[2] == 1",
     R"(ENTRY main {
      a = f32[2,2] constant({{1, 0}, {-1, 1}})
      b = f32[2,1] constant({{5.9604645e-08}, {1}})
      ROOT r = f32[2,1] triangular-solve(a, b), left_side=true, lower=true })"},
    {"products are added", "larger_slot(s, 6), larger_slot(s, 8), 1",
     "larger_slot(s, 6), larger_slot(s, 8), 0", R"(ENTRY main {
      a = f32[2,2] constant({{3, 0}, {1, 7}})
      b = f32[2,1] constant({{1}, {1}})
      ROOT r = f32[2,1] triangular-solve(a, b), left_side=true, lower=true })"},
    {"minors are not divided", "if (k == 0) {\n      copy_big",
     "if (k < 9) {\n      copy_big", R"(ENTRY main {
      a = f32[3,3] constant({{4, 2, 6}, {0, 2, 5}, {0, 0, 29}})
      ROOT r = f32[3,3] cholesky(a), lower=false })"},
    {"the variance is that of the squares", "add_bigs(c, a, b, 1);\n  multiply",
     "copy_big(c, a);\n  multiply", R"(ENTRY main {
      x = f32[3,1] constant({{0}, {0}, {1}})
      v = f32[1] constant({1})
      ROOT r = (f32[3,1], f32[1], f32[1]) batch-norm-training(x, v, v),
        epsilon=0, feature_index=1 })"},
    {"sines have the other sign", "(turns + n - n / 4) % n",
     "(turns + n / 4) % n", kNearlyNothing},
    {"sines in pairs have the other sign", "minus_pair(multiply_pairs(x, d))",
     "multiply_pairs(x, d)", kRoots},
    {"a bound that is too small", "MUL64(bound, 1.000001)", "0x1p-140",
     kSumsOfRoots},
    {"what is just above a middle is the middle",
     "return image == (middle->negative ? negated_residue(p, own) : own);",
     "return 1;", R"(ENTRY main {
      x = f64[4] constant({9007199254740992, 1, 8.673617379884035e-19, 0})
      ROOT y = c128[3] fft(x), fft_type=RFFT, fft_length={4} })"},
    {"an asymptotic series with a wrong sign", "term.negative = k & 1;",
     "term.negative = !(k & 1);", R"(ENTRY main {
      x = f64[1] constant({2.5})
      ROOT r = f64[1] custom-call(x), custom_call_target="chlo.digamma" })"},
    {"the sum of a zeta function without its tail",
     "multiply_wides(part, hurwitz_tail(s, a))", "part", R"(ENTRY main {
      s = f64[1] constant({2})
      q = f64[1] constant({1})
      ROOT r = f64[1] custom-call(s, q), custom_call_target="chlo.zeta" })"},
    {"a middle that powers miss is their value",
     "return curve > 0 ? -1 : curve < 0 ? 1 : 0", "return 0", R"(ENTRY main {
      x = c128[1] constant({(208067, 1e-300)})
      y = c128[1] constant({(3, 0)})
      ROOT r = c128[1] power(x, y) })"},
    {"low bits of products do not count", "more |= size->m[k] != 0",
     "more |= 0",
     R"(
      f { a = f64[] parameter(0)  b = f64[] parameter(1)
          ROOT r = f64[] multiply(a, b) }
      ENTRY main {
        x = f64[2] constant({1.000000007450581, 1.0000000149011612})
        i = f64[] constant(1)
        ROOT r = f64[] reduce(x, i), dimensions={0}, to_apply=f })"},
    {"what nothing changes goes through the region's type",
     "if (changes > 0) store_change(&c, p[7]", "store_change(&c, p[7]", R"(
      f { a = f16[] parameter(0)  b = f16[] parameter(1)
          ROOT r = f16[] add(a, b) }
      ENTRY main {
        x = f32[2] constant({3, 1e30})
        i = s32[1,1] constant({{0}})
        u = f32[1] constant({5})
        ROOT r = f32[2] scatter(x, i, u), update_window_dims={},
          inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
          index_vector_dim=1, to_apply=f })"},
    {"no third of the angle", "wide_of_f64(z.re)), 3);",
     "wide_of_f64(z.re)), 2);",
     R"(ENTRY main {
      z = c64[1] constant({(2, 11)})
      ROOT r = c64[1] custom-call(z), custom_call_target="stablehlo.cbrt" })"},
    {"the arc of the other square", "*sinh = outside ? large : small",
     "*sinh = outside ? small : large", R"(ENTRY main {
      z = c128[1] constant({(0.5, -0.25)})
      ROOT r = c128[1] asin(z) })"},
    {"fast: an approximate division",
     "return DIV64(1.0, ADD64(1.0, fast_exponential(-x)));",
     "return (f64)(1.0f / (f32)ADD64(1.0, fast_exponential(-x)));",
     R"(ENTRY main {
      x = f32[8] constant({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8})
      ROOT r = f32[8] logistic(x) })",
     Numerics::kFast},
    {"fast: a coarse ln 2", "-MUL64(*k, 0x1.62e42fefa0000p-1)",
     "-MUL64(*k, 0x1.62e43p-1)", R"(ENTRY main {
      x = f32[2] constant({50, -60})
      ROOT r = f32[2] exponential(x) })",
     Numerics::kFast},
    {"fast: powers overflow early", "if (log > 300)", "if (log > 60)",
     R"(ENTRY main {
      x = f32[1] constant({2})
      y = f32[1] constant({100})
      ROOT r = f32[1] power(x, y) })",
     Numerics::kFast},
    {"fast: angles of the right half only",
     "if (x < 0) angle = ADD64(0x1.921fb54442d18p+1, -angle);", "",
     R"(ENTRY main {
      y = f32[1] constant({1})
      x = f32[1] constant({-2})
      ROOT r = f32[1] atan2(y, x) })",
     Numerics::kFast},
    {"fast: subnormals are flushed",
     "return BITS_F32(LOAD32(heap + words[0] + place * 4));",
     "return BITS_F32(LOAD32(heap + words[0] + place * 4)) * 0x1p-126f * "
     "0x1p126f;",
     kFastSum, Numerics::kFast},
    {"fast: the initial value is left out",
     "if (type != T_F64) single = F32_OF_F64(sum);", "", kFastSum,
     Numerics::kFast},
    {"fast: products in tiles are fused",
     "ADD32(tile[r * TILE_COLUMNS + c], MUL32(x[c], y))",
     "fma(x[c], y, tile[r * TILE_COLUMNS + c])", kWholeTiles, Numerics::kFast},
    {"fast: the last column of an edge is left out", "at.column + c < p[2];",
     "at.column + c < p[2] - 1;", kProduct, Numerics::kFast},
    {"fast: the last tile begins a row too early", "own < last ? own : last;",
     "own < last ? own : last - 1;", kProduct, Numerics::kFast},
    {"fast: chains begin at the second term",
     "for (i64 k = 0; k < p[3]; ++k) {\n      f32 x[TILE_COLUMNS];",
     "for (i64 k = 1; k < p[3]; ++k) {\n      f32 x[TILE_COLUMNS];",
     kWholeTiles, Numerics::kFast},
    {"fast: terms go from the last to the first",
     "x[c] = BITS_F32(right_term(heap, at.b + c * 4, k));",
     "x[c] = BITS_F32(right_term(heap, at.b + c * 4, p[3] - 1 - k));",
     kWholeTiles, Numerics::kFast},
    {"fast: infinity is multiplied by what is in the padding",
     "if (sum != sum) {", "if (0) {", kInfinityInThePadding, Numerics::kFast},
    {"fast: the padding is 1", "u32 bits = NO_ELEMENT;",
     "u32 bits = 0x3f800000;", kPaddedWindows, Numerics::kFast},
    {"a running sum keeps the other sign", "if (negative) turn_sum(sum);", "",
     kRunningSums},
    {"parts know nothing of what is before them", "add_sum(&c->re, part);", "",
     kRunningSums},
    {"a part leaves out its last element",
     "first + each < length ? first + each : length;",
     "first + each < length ? first + each - 1 : length;", kRunningSums},
    {"keys of a chunk are moved to one place",
     "put_u64(heap, p[9], own, before + 1);", "", kSortedByKeys},
    {"chunks know nothing of those before",
     "put_u64(heap, p[9], i * p[2] + k, sum);\n      sum",
     "put_u64(heap, p[9], i * p[2] + k, 0);\n      sum", kSortedByKeys},
    {"negative keys are the greatest",
     "is_signed(t) ? (u64)1 << (integer_bits(t) - 1) : 0", "0", kSortedByKeys},
    {"what one update changes is all", "!= key) break;",
     "!= key || changes > 0) break;", kScatteredInOrder},
    {"a window goes on from its first element", "start[d] += u[goes_on[d]];",
     ";", kScatteredInOrder},
    {"functions by f64 lose nothing", "MUL64(y < 0 ? -y : y, 0x1p-36)", "0.0",
     R"(ENTRY main {
      x = f32[1] constant({3.5762786865234375e-07})
      ROOT r = f32[1] logistic(x) })"},
    {"tiles: a product is rounded to f32",
     "ADD64(tile[r * TILE_COLUMNS + c], MUL64(x[c], y))",
     "ADD64(tile[r * TILE_COLUMNS + c], (f64)F32_OF_F64(MUL64(x[c], y)))",
     kProduct},
    {"tiles: chains lose nothing", "MUL64(lost_of_sizes, sizes)", "0.0",
     kTileBesideTheMiddle},
    {"tiles: rows have no size", "of_rows[r] = ADD64(of_rows[r], MUL64(y, y));",
     "", kTileBesideTheMiddle},
    {"tiles: columns have no size",
     "of_columns[c] = ADD64(of_columns[c], MUL64(x[c], x[c]));", "",
     kTileBesideTheMiddle},
    {"tiles: pairs lose nothing",
     "if (has_code(&sum, terms, type, &code)) return code;",
     "if (has_code(&sum, terms, type, &code) || 1) return code;",
     kTileBesideTheMiddle},
    {"tiles: exact elements count what is in the padding",
     "if (left_term(heap, a, k) == NO_ELEMENT) continue;", "",
     kInfinityInThePadding},
};

Literal run(Device& device, const Mutant& mutant) {
  const Module module = verified_module(mutant.program);
  Memory memory(device, mutant.numerics);
  return download(memory, evaluate(memory, *module.entry, {}));
}

/// OpenCL's device with that text; null where there is none.
std::unique_ptr<Device> device_of(const std::string& source) {
  std::unique_ptr<Device> device;
  try {
    device = make_opencl_device_of(source);
  } catch (const DeviceError&) {
    return nullptr;
  }
  device->prepare();
  return device;
}

/// The driver takes many seconds to compile each: by day one, by night
/// (ASSAY_CASES=all) all.
template <typename Row, size_t kCount>
std::span<const Row> chosen(const Row (&rows)[kCount]) {
  const char* wanted = std::getenv("ASSAY_CASES");
  const bool all = wanted != nullptr && std::string_view(wanted) == "all";
  return std::span(rows).first(all ? kCount : 1);
}

TEST(GpuKernels, AreCaughtWithABug) {
  const std::string source = kernel_source("port_opencl");
  const auto right = device_of(source);
  if (!right) GTEST_SKIP() << "there is no OpenCL device";
  for (const Mutant& mutant : chosen(kMutants)) {
    const size_t at = source.find(mutant.right);
    ASSERT_NE(at, std::string::npos) << mutant.what;
    ASSERT_EQ(source.find(mutant.right, at + 1), std::string::npos)
        << mutant.what;
    std::string other = source;
    other.replace(at, std::string_view(mutant.right).size(), mutant.wrong);
    const Literal expected = run(*make_fiber_device(), mutant);
    EXPECT_TRUE(identical(run(*right, mutant), expected)) << mutant.what;
    EXPECT_FALSE(identical(run(*device_of(other), mutant), expected))
        << mutant.what;
  }
}

/// Why a device with that text is not exact; "" where it is.
std::string refusal(const std::string& source) {
  const auto device = device_of(source);
  Memory memory(*device);
  try {
    require_exact(memory);
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "";
}

struct WrongDevice {
  const char* right;  // a part of its text
  const char* wrong;  // what stands there instead
  const char* refusal;
};

const WrongDevice kWrongDevices[] = {
    {"SQRT64(a) sqrt(a)", "SQRT64(a) (sqrt(a) * (1 + 0x1p-52))",
     "its square roots are not those of IEEE 754"},
    {"DIV64(a, b) ((a) / (b))",
     "DIV64(a, b) ((a) * (1.0 / (b)) * (1 + 0x1p-52))",
     "its quotients are not those of IEEE 754"},
    {"MUL64(a, b) ((a) * (b))",
     "MUL64(a, b) (fabs((a) * (b)) < 0x1p-1022 ? 0.0 : (a) * (b))",
     "its subnormal f64 are not those of IEEE 754"},
    {"ADD64(product, BITS_F64((u64)p[4]))",
     "FMA64(BITS_F64((u64)p[2]), BITS_F64((u64)p[3]), BITS_F64((u64)p[4]))",
     "its products before a sum in f64 are not rounded as IEEE 754 says"},
    {"ADD32(product, BITS_F32((u32)p[9]))",
     "fma(BITS_F32((u32)p[7]), BITS_F32((u32)p[8]), BITS_F32((u32)p[9]))",
     "its products before a sum in f32 are not rounded as IEEE 754 says"},
    {"ADD64(sum, -a)", "BITS_F64((u64)p[6])",
     "its sums in f64 are not rounded as IEEE 754 says"},
    {"ADD32(sum, -a)", "BITS_F32((u32)p[11])",
     "its sums in f32 are not rounded as IEEE 754 says"},
};

TEST(GpuProbe, FindsADeviceThatIsNotExact) {
  const std::string source = kernel_source("port_opencl");
  if (!device_of(source)) GTEST_SKIP() << "there is no OpenCL device";
  EXPECT_EQ(refusal(source), "");
  for (const WrongDevice& device : chosen(kWrongDevices)) {
    const std::string_view right = device.right;
    std::string other = source;
    other.replace(other.find(right), right.size(), device.wrong);
    EXPECT_EQ(refusal(other), device.refusal);
  }
}

}  // namespace
}  // namespace hlo::gpu
