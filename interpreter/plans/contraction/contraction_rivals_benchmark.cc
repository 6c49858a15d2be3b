#include <benchmark/benchmark.h>
#include <cblas.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <random>
#include <string_view>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/testing/random_case.h"
#include "interpreter/testing/timing.h"

// Exact sums of products, rounded once, beside libraries that round at every
// step, in turn and on one thread: "ratio" is the quotient of the median times.
// OpenBLAS says in the label for which processor its kernels are.

extern "C" void omp_set_num_threads(int threads);  // of oneDNN's OpenMP

namespace hlo {
namespace {

using testing::make_instruction;
using testing::Owned;
using timing::median;
using timing::thread_seconds;

Literal normal_numbers(const Shape& shape, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  Literal literal(shape);
  for (float& x : literal.mutable_data<float>()) x = normal(engine);
  return literal;
}

/// Times ours and theirs in turn.
void compare(benchmark::State& state, const Owned& owned,
             const std::vector<Literal>& operands,
             const std::function<void()>& rival, double products) {
  Evaluator evaluator(kReference, {.max_work = Budget::kEndless});
  std::vector<double> ours;
  std::vector<double> theirs;
  rival();
  for (auto _ : state) {
    double begin = thread_seconds();
    benchmark::DoNotOptimize(
        evaluate_instruction(owned.instruction, operands, evaluator));
    double end = thread_seconds();
    ours.push_back(end - begin);
    begin = thread_seconds();
    rival();
    end = thread_seconds();
    theirs.push_back(end - begin);
  }
  state.counters["ns/MAC"] = median(ours) * 1e9 / products;
  state.counters["rival"] = median(theirs) * 1e9 / products;
  state.counters["ratio"] = median(ours) / median(theirs);
}

void gemm(benchmark::State& state, bool cancels) {
  const auto n = static_cast<int>(state.range(0));
  const Shape shape = Shape::array(ElementType::kF32, {n, n});
  std::vector<Literal> operands = {normal_numbers(shape, 1),
                                   normal_numbers(shape, 2)};
  if (cancels) {
    const int half = n / 2;
    float* const a = operands[0].mutable_data<float>().data();
    float* const b = operands[1].mutable_data<float>().data();
    for (int i = 0; i < n; ++i) {
      for (int k = half; k < n; ++k) {
        a[i * n + k] = -a[i * n + k - half];
        b[k * n + i] = b[(k - half) * n + i];
      }
    }
  }
  const auto owned = make_instruction(
      "dot", {shape, shape},
      {{"lhs_contracting_dims", Ints{1}}, {"rhs_contracting_dims", Ints{0}}});
  std::vector<float> result(static_cast<size_t>(n) * static_cast<size_t>(n));
  const float* const a = operands[0].data<float>().data();
  const float* const b = operands[1].data<float>().data();
  openblas_set_num_threads(1);
  compare(
      state, *owned, operands,
      [&] {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n,
                    b, n, 0, result.data(), n);
      },
      static_cast<double>(n) * n * n);
  state.SetLabel(openblas_get_corename());
}

/// oneDNN's convolution of operands in the layouts that it likes best.
class DnnlConvolution {
 public:
  DnnlConvolution(int64_t batch, int64_t size, int64_t in, int64_t out,
                  int64_t kernel)
      : stream_(engine_) {
    omp_set_num_threads(1);
    using dnnl::memory;
    const int64_t pad = kernel / 2;
    const auto any = [](const memory::dims& dims) {
      return memory::desc(dims, memory::data_type::f32,
                          memory::format_tag::any);
    };
    const dnnl::convolution_forward::desc description(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
        any({batch, in, size, size}), any({out, in, kernel, kernel}),
        any({batch, out, size, size}), {1, 1}, {pad, pad}, {pad, pad});
    const dnnl::convolution_forward::primitive_desc chosen(description,
                                                           engine_);
    arguments_ = {{DNNL_ARG_SRC, memory(chosen.src_desc(), engine_)},
                  {DNNL_ARG_WEIGHTS, memory(chosen.weights_desc(), engine_)},
                  {DNNL_ARG_DST, memory(chosen.dst_desc(), engine_)}};
    for (auto& [name, array] : arguments_) {
      auto* const data = static_cast<float*>(array.get_data_handle());
      std::fill_n(data, array.get_desc().get_size() / sizeof(float), 0.5F);
    }
    convolution_ = dnnl::convolution_forward(chosen);
  }

  void run() {
    convolution_.execute(stream_, arguments_);
    stream_.wait();
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_;
  std::unordered_map<int, dnnl::memory> arguments_;
  dnnl::convolution_forward convolution_;
};

/// One image, NHWC, HWIO.
void convolution(benchmark::State& state) {
  const int64_t size = state.range(0);
  const int64_t in = state.range(1);
  const int64_t out = state.range(2);
  const int64_t kernel = state.range(3);
  const DimLabels labels{.input = {0, 3, {1, 2}, {}},
                         .kernel = {2, 3, {0, 1}, {}},
                         .output = {0, 3, {1, 2}, {}}};
  const WindowDimension window{
      .size = kernel, .low = kernel / 2, .high = kernel / 2};
  const Shape lhs = Shape::array(ElementType::kF32, {1, size, size, in});
  const Shape rhs = Shape::array(ElementType::kF32, {kernel, kernel, in, out});
  const auto owned = make_instruction(
      "convolution", {lhs, rhs},
      {{"window", Window{{window, window}}}, {"dim_labels", labels}});
  DnnlConvolution rival(1, size, in, out, kernel);
  compare(
      state, *owned, {normal_numbers(lhs, 1), normal_numbers(rhs, 2)},
      [&] { rival.run(); },
      static_cast<double>(size * size * in * out * kernel * kernel));
}

BENCHMARK_CAPTURE(gemm, normal, false)->Arg(512)->Arg(256);
BENCHMARK_CAPTURE(gemm, cancels, true)->Arg(512);
// The shapes of ResNet-50's 3x3 and 1x1 convolutions.
BENCHMARK(convolution)
    ->Args({56, 64, 64, 3})
    ->Args({28, 128, 128, 3})
    ->Args({14, 256, 256, 3})
    ->Args({7, 512, 512, 3})
    ->Args({56, 64, 256, 1})
    ->Args({28, 512, 128, 1});

/// OpenBLAS takes its oldest kernels for a processor that it does not know: a
/// weak rival. It reads what it should take only when it is loaded, so the
/// program starts anew.
void name_processor(char** arguments) {
  const char* const variable = "OPENBLAS_CORETYPE";
  const bool unknown = std::string_view(openblas_get_corename()) == "Prescott";
  if (!unknown || std::getenv(variable) != nullptr) return;
#if defined(__x86_64__)
  const bool wide = __builtin_cpu_supports("avx512f") != 0 &&
                    __builtin_cpu_supports("avx512vl") != 0;
  if (!wide && __builtin_cpu_supports("avx2") == 0) return;
  setenv(variable, wide ? "SkylakeX" : "Haswell", 1);
  execv("/proc/self/exe", arguments);
#endif
}

}  // namespace
}  // namespace hlo

int main(int argc, char** argv) {
  hlo::name_processor(argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
