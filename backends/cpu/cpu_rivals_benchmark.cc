#include <benchmark/benchmark.h>
#include <cblas.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <oneapi/dnnl/dnnl.hpp>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

// What rows of conformance/bench are measured beside: libraries called
// directly, and plain loops, on all cores. A name is ROW/WHO.

namespace {

using Floats = std::vector<float>;

Floats normal_numbers(int64_t count) {
  std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  Floats numbers(static_cast<size_t>(count));
  for (float& number : numbers) number = normal(engine);
  return numbers;
}

/// Calls body(first, last) for parts of 0 ... count - 1, one for each core.
void on_all_cores(int64_t count,
                  const std::function<void(int64_t, int64_t)>& body) {
  const int64_t cores = std::max(1U, std::thread::hardware_concurrency());
  const int64_t part = (count + cores - 1) / cores;
  std::vector<std::thread> threads;
  for (int64_t first = part; first < count; first += part) {
    threads.emplace_back(body, first, std::min(count, first + part));
  }
  body(0, std::min(count, part));
  for (std::thread& thread : threads) thread.join();
}

void sgemm(benchmark::State& state, int n) {
  const Floats a = normal_numbers(int64_t{n} * n);
  const Floats b = a;
  Floats c(a.size());
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a.data(),
                n, b.data(), n, 0, c.data(), n);
    benchmark::DoNotOptimize(c.data());
  }
}

struct Convolution {
  const char* row;
  int64_t size, in, out, kernel, groups, dilation;
};

constexpr Convolution kConvolutions[] = {
    {"convolution_3x3_56", 56, 64, 64, 3, 1, 1},
    {"convolution_3x3_14", 14, 256, 256, 3, 1, 1},
    {"convolution_1x1_28", 28, 512, 128, 1, 1, 1},
    {"convolution_depthwise", 112, 64, 64, 3, 64, 1},
    {"convolution_dilated", 56, 64, 64, 3, 1, 2}};

using dnnl::memory;

memory::desc any_layout(const memory::dims& dims) {
  return {dims, memory::data_type::f32, memory::format_tag::any};
}

dnnl::convolution_forward::primitive_desc described(
    const Convolution& own, const dnnl::engine& engine) {
  const int64_t pad = own.kernel / 2 * own.dilation;
  const int64_t gaps = own.dilation - 1;
  const memory::dims weights =
      own.groups == 1
          ? memory::dims{own.out, own.in, own.kernel, own.kernel}
          : memory::dims{own.groups, own.out / own.groups, own.in / own.groups,
                         own.kernel, own.kernel};
  return {{dnnl::prop_kind::forward_inference,
           dnnl::algorithm::convolution_direct,
           any_layout({1, own.in, own.size, own.size}),
           any_layout(weights),
           any_layout({1, own.out, own.size, own.size}),
           {1, 1},
           {gaps, gaps},
           {pad, pad},
           {pad, pad}},
          engine};
}

/// One image, in the layouts that oneDNN likes best.
void convolution(benchmark::State& state, const Convolution& own) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto chosen = described(own, engine);
  const std::unordered_map<int, memory> arguments = {
      {DNNL_ARG_SRC, memory(chosen.src_desc(), engine)},
      {DNNL_ARG_WEIGHTS, memory(chosen.weights_desc(), engine)},
      {DNNL_ARG_DST, memory(chosen.dst_desc(), engine)}};
  for (const auto& [name, array] : arguments) {
    std::fill_n(static_cast<float*>(array.get_data_handle()),
                array.get_desc().get_size() / sizeof(float), 0.5F);
  }
  const dnnl::convolution_forward primitive(chosen);
  for (auto _ : state) {
    primitive.execute(stream, arguments);
    stream.wait();
  }
}

/// Products of s8 to s32, of matrices in the layouts that oneDNN likes best.
void int8_gemm(benchmark::State& state, int64_t n) {
  using Type = memory::data_type;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto any = [n](Type type) {
    return memory::desc({n, n}, type, memory::format_tag::any);
  };
  const dnnl::matmul::primitive_desc chosen(
      {any(Type::s8), any(Type::s8), any(Type::s32)}, engine);
  const std::unordered_map<int, memory> arguments = {
      {DNNL_ARG_SRC, memory(chosen.src_desc(), engine)},
      {DNNL_ARG_WEIGHTS, memory(chosen.weights_desc(), engine)},
      {DNNL_ARG_DST, memory(chosen.dst_desc(), engine)}};
  for (const auto& [name, array] : arguments) {
    std::fill_n(static_cast<uint8_t*>(array.get_data_handle()),
                array.get_desc().get_size(), uint8_t{3});
  }
  const dnnl::matmul primitive(chosen);
  for (auto _ : state) {
    primitive.execute(stream, arguments);
    stream.wait();
  }
}

/// Scales 64 MB, as STREAM does.
void stream(benchmark::State& state) {
  constexpr int64_t kCount = int64_t{1} << 24;
  const Floats from = normal_numbers(kCount);
  Floats to(from.size());
  for (auto _ : state) {
    on_all_cores(kCount, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        to[static_cast<size_t>(i)] = 3 * from[static_cast<size_t>(i)];
      }
    });
    benchmark::ClobberMemory();
  }
}

void partial_sum(benchmark::State& state) {
  const Floats from = normal_numbers(1'000'000);
  Floats to(from.size());
  for (auto _ : state) {
    std::partial_sum(from.begin(), from.end(), to.begin());
    benchmark::ClobberMemory();
  }
}

void max_element(benchmark::State& state) {
  const Floats from = normal_numbers(1'000'000);
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::max_element(from.begin(), from.end()));
  }
}

void partial_sort(benchmark::State& state) {
  const Floats from = normal_numbers(1'000'000);
  Floats to(100);
  for (auto _ : state) {
    std::partial_sort_copy(from.begin(), from.end(), to.begin(), to.end(),
                           std::greater{});
    benchmark::ClobberMemory();
  }
}

void sort(benchmark::State& state) {
  const Floats from = normal_numbers(1'000'000);
  for (auto _ : state) {
    Floats to = from;
    std::sort(to.begin(), to.end());
    benchmark::ClobberMemory();
  }
}

struct Table {
  static constexpr int64_t kRows = 50'000;
  static constexpr int64_t kWidth = 512;
  static constexpr int64_t kCount = 8192;
  Floats table = normal_numbers(kRows * kWidth);
  Floats list = normal_numbers(kCount * kWidth);
  std::vector<int64_t> places;  // of rows in the table

  Table() {
    std::mt19937 engine(2);
    for (int64_t i = 0; i < kCount; ++i) {
      places.push_back(static_cast<int64_t>(engine() % kRows) * kWidth);
    }
  }
};

void copy_rows(benchmark::State& state) {
  Table own;
  for (auto _ : state) {
    on_all_cores(Table::kCount, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        std::copy_n(own.table.data() + own.places[static_cast<size_t>(i)],
                    Table::kWidth, own.list.data() + i * Table::kWidth);
      }
    });
    benchmark::ClobberMemory();
  }
}

void add_rows(benchmark::State& state) {
  Table own;
  for (auto _ : state) {
    std::ranges::fill(own.table, 0.0F);
    for (int64_t i = 0; i < Table::kCount; ++i) {
      float* const to = own.table.data() + own.places[static_cast<size_t>(i)];
      const float* const from = own.list.data() + i * Table::kWidth;
      for (int64_t c = 0; c < Table::kWidth; ++c) to[c] += from[c];
    }
    benchmark::ClobberMemory();
  }
}

void add(const std::string& name,
         const std::function<void(benchmark::State&)>& body) {
  benchmark::RegisterBenchmark(name.c_str(), body)
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
}

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

int main(int argc, char** argv) {
  name_processor(argv);
  for (const int n : {64, 128, 256, 512, 1024, 2048}) {
    add("sgemm_" + std::to_string(n) + "/OpenBLAS",
        [n](benchmark::State& state) { sgemm(state, n); });
  }
  for (const int64_t n : {256, 1024}) {
    add("int8_gemm_" + std::to_string(n) + "/oneDNN",
        [n](benchmark::State& state) { int8_gemm(state, n); });
  }
  for (const Convolution& own : kConvolutions) {
    add(std::string(own.row) + "/oneDNN",
        [own](benchmark::State& state) { convolution(state, own); });
  }
  add("chain_of_5/STREAM scale", stream);
  add("cumsum/std::partial_sum", partial_sum);
  add("argmax_1/std::max_element", max_element);
  add("topk/std::partial_sort_copy", partial_sort);
  add("sort/std::sort", sort);
  add("gather_rows/loop over rows", copy_rows);
  add("scatter_add/loop over rows", add_rows);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
