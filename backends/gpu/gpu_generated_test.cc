#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/gpu/device/kernel_source.h"
#include "backends/gpu/device/nvrtc_compiler.h"
#include "backends/gpu/run/evaluate_program.h"
#include "backends/gpu/testing/changed_device.h"
#include "interpreter/verify/verify.h"

// Kernels that are generated against those that interpret tapes: the same bits;
// and that this finds bugs of what writes them.

namespace hlo::gpu {
namespace {

struct Program {
  const char* name;
  size_t kernels;  // that are generated: what is fused is one
  const char* text;
};

// Their arrays are constants, which the host sends, and those of iota, which a
// kernel of its own gives.
const Program kPrograms[] = {
    {"a chain with scalars and rows that are spread", 5, R"(ENTRY main {
      x = f32[3,5] iota(), iota_dimension=1
      c = f32[5] constant({1e-45, -0, inf, nan, 1e38})
      s = f32[] constant(3)
      row = f32[3,5] broadcast(c), dimensions={1}
      all = f32[3,5] broadcast(s), dimensions={}
      i = f32[3,5] iota(), iota_dimension=0
      a = f32[3,5] divide(x, all)
      b = f32[3,5] multiply(a, row)
      d = f32[3,5] maximum(b, i)
      n = f32[3,5] negate(d)
      t = f32[5,3] transpose(x), dimensions={1,0}
      v = f32[3,5] reverse(x), dimensions={1}
      ROOT r = (f32[3,5], f32[5,3], f32[3,5]) tuple(n, t, v) })"},
    {"narrow types", 5, R"(ENTRY main {
      x = f8e4m3fn[6] constant({0.1, -3, 448, nan, 0.002, -0})
      y = bf16[6] convert(x)
      z = bf16[6] multiply(y, y)
      k = s4[6] constant({-8, 7, 1, 0, -1, 3})
      l = s4[6] add(k, k)
      f = f16[6] convert(l)
      g = bf16[6] convert(f)
      p = pred[6] compare(z, g), direction=GE
      h = bf16[6] select(p, z, g)
      q = f6e2m3fn[6] convert(h)
      u = u4[6] constant({15, 1, 2, 3, 4, 5})
      v = u4[6] shift-right-arithmetic(u, u)
      ROOT r = (f6e2m3fn[6], u4[6]) tuple(q, v) })"},
    {"complex numbers", 1, R"(ENTRY main {
      x = c64[3] constant({(1, 2), (nan, -0), (1e30, inf)})
      y = c64[3] constant({(0.1, -2), (3, 4), (1e30, 2)})
      m = c64[3] multiply(x, y)
      a = c64[3] add(m, x)
      i = f32[3] imag(a)
      ROOT r = f32[3] abs(i) })"},
    {"functions of reals", 1, R"(ENTRY main {
      x = f32[4] constant({0.5, -3, 88, nan})
      e = f32[4] exponential(x)
      t = f32[4] tanh(e)
      p = f32[4] power(t, x)
      ROOT r = f32[4] atan2(p, x) })"},
    {"all operations", 1, R"(ENTRY main {
      x = c64[2] constant({(0.5, 1), (2, -3)})
      y = c64[2] divide(x, x)
      z = c64[2] tanh(y)
      ROOT r = f32[2] abs(z) })"},
    {"a sum of squares", 2, R"(
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      ENTRY main {
        x = f32[4,3,2] iota(), iota_dimension=1
        c = f32[2] constant({1e-4, 3})
        w = f32[4,3,2] broadcast(c), dimensions={2}
        y = f32[4,3,2] multiply(x, w)
        z = f32[4,3,2] multiply(y, w)
        i = f32[] constant(0.1)
        ROOT r = f32[3] reduce(z, i), dimensions={0,2}, to_apply=add })"},
    {"a sum of nothing but -0", 1, R"(
      add { a = bf16[] parameter(0)  b = bf16[] parameter(1)
            ROOT c = bf16[] add(a, b) }
      ENTRY main {
        x = bf16[2,2] constant({{-0, -0}, {-0, 0}})
        i = bf16[] constant(-0)
        y = bf16[2,2] copy(x)
        ROOT r = bf16[2] reduce(y, i), dimensions={1}, to_apply=add })"},
    {"a sum beside the middle of two numbers", 1, R"(
      add { a = f64[] parameter(0)  b = f64[] parameter(1)
            ROOT c = f64[] add(a, b) }
      ENTRY main {
        x = f64[2,3] constant({{1, 1.1102230246251565e-16, 1e-300},
                               {1, 1.1102230246251565e-16, -1e-300}})
        i = f64[] constant(-0)
        y = f64[2,3] copy(x)
        ROOT r = f64[2] reduce(y, i), dimensions={1}, to_apply=add })"},
    {"sums of f64 in order", 1, R"(
      add { a = f64[] parameter(0)  b = f64[] parameter(1)
            ROOT c = f64[] add(a, b) }
      ENTRY main {
        x = f64[4] constant({1e300, 1, -1e300, 1e-300})
        i = f64[] constant(0)
        ROOT r = f64[] reduce(x, i), dimensions={0}, to_apply=add })"},
    {"the place of the greatest", 2, R"(
      best { a = f32[] parameter(0)  i = s32[] parameter(1)
             b = f32[] parameter(2)  j = s32[] parameter(3)
             first = pred[] compare(a, b), direction=GE
             x = f32[] select(first, a, b)
             k = s32[] select(first, i, j)
             ROOT r = (f32[], s32[]) tuple(x, k) }
      ENTRY main {
        x = f32[2,3] constant({{1, 3, 3}, {-5, nan, -7}})
        y = f32[2,3] negate(x)
        i = s32[2,3] iota(), iota_dimension=1
        l = f32[] constant(-inf)
        z = s32[] constant(-1)
        ROOT r = (f32[2], s32[2]) reduce(y, i, l, z), dimensions={1},
          to_apply=best })"},
    {"an order that matters", 1, R"(
      f { a = s32[] parameter(0)  b = s32[] parameter(1)
          c = s32[] subtract(b, a)
          ROOT d = s32[] multiply(c, b) }
      ENTRY main {
        x = s32[2,3,2] constant({{{1, 2}, {3, 4}, {5, 6}},
                                 {{7, 8}, {9, 1}, {2, 3}}})
        y = s32[2,3,2] negate(x)
        i = s32[] constant(1)
        ROOT r = s32[3] reduce(y, i), dimensions={2,0}, to_apply=f })"},
};

/// The leaves of what the program returns there.
std::vector<Literal> run(Device& device, const char* text, Numerics numerics,
                         Kernels kernels) {
  const Module module = verified_module(text);
  Memory memory(device, numerics, UINT64_MAX, kernels);
  const Literal result = download(memory, evaluate(memory, *module.entry, {}));
  return array_leaves(result);
}

bool are_identical(const std::vector<Literal>& a,
                   const std::vector<Literal>& b) {
  return std::ranges::equal(
      a, b, [](const Literal& x, const Literal& y) { return identical(x, y); });
}

std::unique_ptr<Device> opencl() {
  try {
    auto device = make_opencl_device();
    device->prepare();
    return device;
  } catch (const DeviceError&) {
    return nullptr;
  }
}

TEST(GpuGenerated, GiveTheBitsOfThoseThatInterpret) {
  const auto device = opencl();
  if (!device) GTEST_SKIP() << "there is no OpenCL device";
  const auto fibers = make_fiber_device();
  for (const Numerics numerics : {Numerics::kExact, Numerics::kFast}) {
    for (const Program& own : kPrograms) {
      ChangedDevice counted(*device);
      const auto expected =
          run(*fibers, own.text, numerics, Kernels::kInterpreted);
      EXPECT_TRUE(are_identical(
          run(counted, own.text, numerics, Kernels::kGenerated), expected))
          << own.name;
      EXPECT_EQ(counted.launches(), own.kernels) << own.name;
      EXPECT_EQ(counted.other_launches(), 0U) << own.name;
    }
  }
}

/// A device that runs nothing and keeps the texts that it should run.
class Recorder final : public Device {
 public:
  void prepare() override {}

  std::string description() const override { return "a recorder"; }

  uint64_t memory() const override { return 1 << 30; }

  void grow(uint64_t bytes) override { heap_ = bytes; }

  uint64_t heap() const override { return heap_; }

  void write(uint64_t, std::span<const std::byte>) override {}

  void read(uint64_t, std::span<std::byte>) override {}

  void run(Kernel, std::span<const int64_t>, int64_t) override {}

  bool compiles() const override { return true; }

  void compile(std::span<const KernelText>) override {}

  void run(const KernelText& kernel, std::span<const int64_t>,
           int64_t) override {
    texts.push_back(kernel);
  }

  std::vector<KernelText> texts;

 private:
  uint64_t heap_ = 0;
};

/// The kernels of the programs on elements as PTX; nothing without a compiler.
std::optional<std::string> ptx_of_programs() {
  Recorder recorder;
  for (const Program& own : kPrograms) {
    const Module module = verified_module(own.text);
    Memory memory(recorder, Numerics::kExact, UINT64_MAX, Kernels::kGenerated);
    evaluate(memory, *module.entry, {});
  }
  // What functions stand on is seen where all kernels are compiled.
  std::erase_if(recorder.texts, [](const KernelText& own) {
    return own.base != Base::kElements;
  });
  const std::vector<KernelText> all =
      new_kernels(recorder.texts, [](const std::string&) { return false; });
  try {
    return as_ptx(kernel_source("port_cuda", all), "90");
  } catch (const DeviceError& error) {
    const std::string_view why = error.what();
    if (why.find("no library") == std::string_view::npos) throw;
    return std::nullopt;
  }
}

TEST(GpuGenerated, HaveNoApproximationAndNoFusedProductInPtx) {
  const std::optional<std::string> ptx = ptx_of_programs();
  if (!ptx) GTEST_SKIP() << "there is no NVRTC";
  EXPECT_NE(ptx->find(".entry " + generated_name(0) + "("), std::string::npos);
  for (const char* const wrong :
       {".approx", ".ftz", "fma.rn.f32", "fma.rn.f64", "mad.rn.f"}) {
    EXPECT_EQ(ptx->find(wrong), std::string::npos) << wrong;
  }
  for (const char* const right : {"div.rn.f64", "mul.rn.f64"}) {
    EXPECT_NE(ptx->find(right), std::string::npos) << right;
  }
}

/// A bug of what writes the text, and a program that shows it.
struct Mutant {
  const char* what;
  std::string_view right;  // a part of a text
  std::string_view wrong;
  const char* program;  // the name of one above
  Numerics numerics = Numerics::kExact;
};

constexpr Mutant kMutants[] = {
    {"the last element is left out", "if (i >= p[0]) return;",
     "if (i + 1 >= p[0]) return;", "a sum of squares"},
    {"a register too early", "apply_plain(22, 17, 17, r4, r2, r4, 0)",
     "apply_plain(22, 17, 17, r0, r2, r4, 0)",
     "a chain with scalars and rows that are spread"},
    {"no row", "p[3], i1)", "p[3], 0)",
     "a chain with scalars and rows that are spread"},
    {"the columns of the other array", "i0 + i1 * 5", "i0 + i1 * 3",
     "a chain with scalars and rows that are spread"},
    {"a number of another format", "apply_plain(1, 16, 22,",
     "apply_plain(1, 16, 23,", "narrow types"},
    {"an integer without its sign", "apply_plain(1, 15, 3,",
     "apply_plain(1, 15, 10,", "narrow types"},
    {"no imaginary part", "apply_plain(14, 17, 30,", "apply_plain(13, 17, 30,",
     "complex numbers"},
    {"functions of the wrong operand", "function_of_reals(81, 17, r",
     "function_of_reals(80, 17, r", "functions of reals"},
    {"sums without the initial value", "add_near(&near_it, to_f64(17, s0.re));",
     "", "a sum of squares"},
    {"exact sums without their terms", "add_number(&sum, to_f64(18, e0.re));",
     "", "a sum beside the middle of two numbers"},
    {"the same term each time", "t += 1;", "", "sums of f64 in order"},
    {"the second result for the first", "s1 = r", "s1 = s1; r",
     "the place of the greatest"},
    {"states and elements change places", "const cell r0 = s0;",
     "const cell r0 = e0;", "an order that matters"},
    {"a sum of -0 is 0", "start_near(&near_it, 1)", "start_near(&near_it, 0)",
     "a sum of nothing but -0"},
    {"fast: only the last term counts", "sum = ADD64(sum, ",
     "sum = ADD64(1.0, ", "sums of f64 in order", Numerics::kFast},
};

const char* program_of(std::string_view name) {
  return std::ranges::find(kPrograms, name, &Program::name)->text;
}

TEST(GpuGenerated, AreCaughtWithABug) {
  const auto device = opencl();
  if (!device) GTEST_SKIP() << "there is no OpenCL device";
  const auto fibers = make_fiber_device();
  for (const Mutant& mutant : kMutants) {
    const char* const program = program_of(mutant.program);
    ChangedDevice changed(*device, mutant.right, mutant.wrong);
    const auto seen =
        run(changed, program, mutant.numerics, Kernels::kGenerated);
    EXPECT_GT(changed.changes(), 0U) << mutant.what;
    EXPECT_FALSE(are_identical(
        seen, run(*fibers, program, mutant.numerics, Kernels::kInterpreted)))
        << mutant.what;
  }
}

}  // namespace
}  // namespace hlo::gpu
