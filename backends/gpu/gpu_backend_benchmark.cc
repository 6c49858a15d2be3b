#include <benchmark/benchmark.h>

#include <array>
#include <cstring>

#include "backends/gpu/device/device.h"
#include "backends/gpu/run/evaluate_program.h"
#include "interpreter/verify/verify.h"

// Programs on each device that is here, whose arguments lie there already.

namespace hlo::gpu {
namespace {

struct Program {
  const char* name;
  double bytes;  // that have to be read and written; 0 where flops count
  double flops;
  const char* text;
};

constexpr double kMega = 1 << 20;

const Program kPrograms[] = {
    {"multiply_add/f32/16Mi", 16 * 16 * kMega, 0, R"(ENTRY main {
      x = f32[16777216] parameter(0)
      y = f32[16777216] parameter(1)
      z = f32[16777216] parameter(2)
      p = f32[16777216] multiply(x, y)
      ROOT r = f32[16777216] add(p, z) })"},
    {"exponential/f32/4Mi", 8 * 4 * kMega, 0, R"(ENTRY main {
      x = f32[4194304] parameter(0)
      ROOT r = f32[4194304] exponential(x) })"},
    {"transpose/f32/4096x4096", 8 * 16 * kMega, 0, R"(ENTRY main {
      x = f32[4096,4096] parameter(0)
      ROOT r = f32[4096,4096] transpose(x), dimensions={1,0} })"},
    {"sum_rows/f32/4096x4096", 4 * 16 * kMega, 0, R"(
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      ENTRY main {
        x = f32[4096,4096] parameter(0)
        i = f32[] constant(0)
        ROOT r = f32[4096] reduce(x, i), dimensions={1}, to_apply=add })"},
    {"sort/f32/4096x256", 8 * kMega, 0, R"(
      less { a = f32[] parameter(0)  b = f32[] parameter(1)
             ROOT c = pred[] compare(a, b), direction=LT }
      ENTRY main {
        x = f32[4096,256] parameter(0)
        ROOT r = f32[4096,256] sort(x), dimensions={1}, to_apply=less })"},
    {"sort/f32/1Mi", 8 * kMega, 0, R"(
      less { a = f32[] parameter(0)  b = f32[] parameter(1)
             ROOT c = pred[] compare(a, b), direction=LT }
      ENTRY main {
        x = f32[1048576] parameter(0)
        ROOT r = f32[1048576] sort(x), dimensions={0}, to_apply=less })"},
    {"running_sum/f32/1Mi", 8 * kMega, 0, R"(
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      ENTRY main {
        x = f32[1048576] parameter(0)
        i = f32[] constant(0)
        ROOT r = f32[1048576] reduce-window(x, i),
          window={size=1048576 pad=1048575_0}, to_apply=add })"},
    {"scatter_add/f32/8192x64", 64 * 8192 * 4 * 3, 0, R"(
      add { a = f32[] parameter(0)  b = f32[] parameter(1)
            ROOT c = f32[] add(a, b) }
      ENTRY main {
        x = f32[32768,64] parameter(0)
        u = f32[8192,64] parameter(1)
        k = s32[8192] iota(), iota_dimension=0
        f = s32[] constant(7919)
        fs = s32[8192] broadcast(f), dimensions={}
        p = s32[8192] multiply(k, fs)
        m = s32[] constant(32768)
        ms = s32[8192] broadcast(m), dimensions={}
        i = s32[8192] remainder(p, ms)
        ROOT r = f32[32768,64] scatter(x, i, u), update_window_dims={1},
          inserted_window_dims={0}, scatter_dims_to_operand_dims={0},
          index_vector_dim=1, to_apply=add })"},
    {"dot/f32/1024", 0, 2048 * kMega, R"(ENTRY main {
      x = f32[1024,1024] parameter(0)
      y = f32[1024,1024] parameter(1)
      ROOT r = f32[1024,1024] dot(x, y), lhs_contracting_dims={1},
        rhs_contracting_dims={0} })"},
    {"dot/bf16/1024", 0, 2048 * kMega, R"(ENTRY main {
      x = bf16[1024,1024] parameter(0)
      y = bf16[1024,1024] parameter(1)
      ROOT r = bf16[1024,1024] dot(x, y), lhs_contracting_dims={1},
        rhs_contracting_dims={0} })"},
};

/// Codes of numbers from 1 to 2, by a linear congruential generator.
Literal filled(const Shape& shape) {
  Literal literal(shape);
  uint64_t state = 1;
  const bool is_wide = shape.element_type == ElementType::kF32;
  for (int64_t i = 0; i < shape.element_count(); ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const uint64_t drawn = state >> 40;
    literal.set(i, {shape.element_type,
                    {is_wide ? 0x3f800000U | (drawn & 0x7fffffU)
                             : 0x3f80U | (drawn & 0x7fU),
                     0}});
  }
  return literal;
}

void run(benchmark::State& state, Device& device, const Program& program) {
  const Module module = verified_module(program.text);
  Memory memory(device);
  std::vector<Value> values;
  for (const Instruction* parameter : module.entry->parameters) {
    values.push_back(upload(memory, filled(parameter->shape)));
  }
  Values arguments;
  for (const Value& value : values) arguments.push_back(&value);
  const auto evaluated = [&] {
    const Value result = evaluate(memory, *module.entry, arguments);
    std::array<std::byte, 1> last{};  // waits for the device
    device.read(result.place->offset(), last);
  };
  evaluated();
  for (auto _ : state) evaluated();
  const bool is_flops = program.bytes == 0;
  state.counters[is_flops ? "flops" : "bytes"] =
      benchmark::Counter(is_flops ? program.flops : program.bytes,
                         benchmark::Counter::kIsIterationInvariantRate);
}

void add_device(const char* name, std::unique_ptr<Device> (*make)()) {
  std::shared_ptr<Device> device;
  try {
    device = make();
    device->prepare();
  } catch (const DeviceError& error) {
    return;
  }
  for (const Program& program : kPrograms) {
    benchmark::RegisterBenchmark(
        (std::string(name) + "/" + program.name).c_str(),
        [device, &program](benchmark::State& state) {
          run(state, *device, program);
        })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
  }
}

}  // namespace
}  // namespace hlo::gpu

int main(int argc, char** argv) {
  hlo::gpu::add_device("cuda", hlo::gpu::make_cuda_device);
  hlo::gpu::add_device("opencl", hlo::gpu::make_opencl_device);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
