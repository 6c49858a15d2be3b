#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/cpu/cpu_backend.h"
#include "backends/cpu/engine.h"
#include "backends/cpu/plan/execute.h"
#include "backends/cpu/plan/make_plan.h"
#include "interpreter/verify/verify.h"

// Programs as a user would run them, each beside the same program run one
// instruction after the other (`functions`), and the parts of which they are
// made beside a plain loop of the same run. Programs of ASSAY_DATA are left out
// where it is missing.

namespace {

using hlo::Buffer;
using hlo::Module;

std::string program_text(const std::string& name) {
  const char* data = std::getenv("ASSAY_DATA");
  const std::filesystem::path path =
      std::filesystem::path(data == nullptr ? "../shared/data" : data) / "hlo" /
      (name + ".hlo");
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Without collectives each of several devices does the same.
Module on_one_device(const std::string& text) {
  Module module = hlo::verified_module(text);
  module.replica_count = 1;
  module.num_partitions = 1;
  return module;
}

std::vector<Buffer> random_arguments(const Module& module) {
  std::mt19937 engine(1);
  std::normal_distribution<float> normal(0, 0.1F);
  std::vector<Buffer> buffers;
  for (const hlo::Shape& shape : hlo::argument_shapes(module)) {
    const auto count = static_cast<size_t>(shape.element_count());
    std::vector<float> values(count);
    for (float& value : values) value = std::abs(normal(engine)) + 0.01F;
    Buffer buffer{shape, hlo::Bytes(4 * count)};
    std::copy_n(reinterpret_cast<const std::byte*>(values.data()), 4 * count,
                buffer.bytes.data());
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

void run_planned(benchmark::State& state, const std::string& text) {
  if (text.empty()) return state.SkipWithError("ASSAY_DATA has no such file");
  const Module module = on_one_device(text);
  const std::vector<Buffer> arguments = random_arguments(module);
  const auto backend = hlo::make_cpu_backend();
  for (auto _ : state) {
    const hlo::Outcome outcome = backend->run(module, arguments);
    if (const auto* failure = std::get_if<hlo::Failure>(&outcome)) {
      return state.SkipWithError(failure->message.c_str());
    }
  }
}

void compile(benchmark::State& state, const std::string& text) {
  if (text.empty()) return state.SkipWithError("ASSAY_DATA has no such file");
  const Module module = on_one_device(text);
  for (auto _ : state) {
    benchmark::DoNotOptimize(hlo::cpu::make_plan(*module.entry));
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::string name : {"efficientnet_predict", "imagenette_predict",
                                 "vit_predict", "detr_predict"}) {
    const std::string text = program_text(name);
    benchmark::RegisterBenchmark(
        (name + "/cpu").c_str(),
        [text](benchmark::State& state) { run_planned(state, text); })
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime();
    benchmark::RegisterBenchmark(
        (name + "/compile").c_str(),
        [text](benchmark::State& state) { compile(state, text); })
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
