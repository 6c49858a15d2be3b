#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/testing/operation_inputs.h"
#include "interpreter/testing/operation_rows.h"
#include "interpreter/testing/timing.h"
#include "interpreter/verify/verify.h"

// Time of every operation at a million elements: per cell of windows and
// contractions, per element of the largest array of the others. The programs
// are in operations.txt. A program runs as a whole, its arguments given.
//
// The plain loops are what one would write for the host, with the functions of
// its libm: they round at every step and write to arrays that exist already.
// Where an operation has no such loop, the nearest one stands for it; its name
// is in the row.

namespace hlo {
namespace {

using timing::Baseline;

constexpr int64_t kSide = 1000;

/// What plain loops read and write; as much as it takes to keep `n` busy.
struct Arrays {
  std::vector<float> x;
  std::vector<float> y;
  std::vector<float> result;
  std::vector<int32_t> index;

  Arrays() : x(kSide * kSide), y(x.size()), result(x.size()), index(x.size()) {
    uint64_t state = 1;
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<float>(rows::next_bits(state)) * 0x1p-32F;
      y[i] = static_cast<float>(rows::next_bits(state)) * 0x1p-32F;
      index[i] = static_cast<int32_t>(rows::next_bits(state) % x.size());
    }
  }
};

Arrays& arrays() {
  static Arrays result;
  return result;
}

using Loop = std::function<void(Arrays&)>;

template <typename Rule>
Loop each(Rule rule) {
  return [rule](Arrays& a) {
    for (size_t i = 0; i < a.x.size(); ++i) a.result[i] = rule(a.x[i], a.y[i]);
  };
}

/// A function of the libm of one number; acosh and its kin get what they take.
template <typename Function>
Loop libm(Function function, float offset = 0) {
  return each([=](float x, float) { return function(x + offset); });
}

template <typename Rule>
Loop each_complex(Rule rule) {
  return [rule](Arrays& a) {
    for (size_t i = 0; i < a.x.size(); ++i) {
      const std::complex<float> z = rule(std::complex<float>(a.x[i], a.y[i]));
      a.result[i] = z.real() + z.imag();
    }
  };
}

float five(float a, float b) {
  const float d = a - b;
  return (std::max(a * b, d) + b) * d;
}

void running_sum(Arrays& a) {
  double sum = 0;
  for (size_t i = 0; i < a.x.size(); ++i) {
    sum += static_cast<double>(a.x[i]);
    a.result[i] = static_cast<float>(sum);
  }
}

void five_loop(Arrays& a) {
  float value = 0;
  for (const float x : a.x) value = five(value, x);
  a.result[0] = value;
}

void random_bits(Arrays& a) {
  uint64_t state = 1;
  for (float& to : a.result) {
    to = static_cast<float>(rows::next_bits(state));
  }
}

void stable_sort(Arrays& a) {
  a.result = a.x;
  std::stable_sort(a.result.begin(), a.result.end());
}

void gather(Arrays& a) {
  for (size_t i = 0; i < a.x.size(); ++i) {
    a.result[i] = a.x[static_cast<size_t>(a.index[i])];
  }
}

void scatter_add(Arrays& a) {
  for (size_t i = 0; i < a.x.size(); ++i) {
    a.result[static_cast<size_t>(a.index[i])] += a.x[i];
  }
}

std::map<std::string, Loop> libm_loops() {
  return {
      {"acos", libm(acosf)},   {"acosh", libm(acoshf, 1)},
      {"asin", libm(asinf)},   {"asinh", libm(asinhf)},
      {"atanh", libm(atanhf)}, {"cbrt", libm(cbrtf)},
      {"cos", libm(cosf)},     {"cosh", libm(coshf)},
      {"erf", libm(erff)},     {"exp", libm(expf)},
      {"expm1", libm(expm1f)}, {"lgamma", libm(lgammaf)},
      {"log", libm(logf)},     {"log1p", libm(log1pf)},
      {"sin", libm(sinf)},     {"sinh", libm(sinhf)},
      {"tan", libm(tanf)},     {"tanh", libm(tanhf)},
      {"atan2", each(atan2f)}, {"fmod", each(fmodf)},
      {"pow", each(powf)},
  };
}

std::map<std::string, Loop> all_loops() {
  std::map<std::string, Loop> loops = {
      {"add", each([](float x, float y) { return x + y; })},
      {"copy", each([](float x, float) { return x; })},
      {"divide", each([](float x, float y) { return x / y; })},
      {"fabs", libm([](float x) { return std::fabs(x); })},
      {"floor", libm([](float x) { return std::floor(x); })},
      {"negate", libm([](float x) { return -x; })},
      {"sqrt", libm([](float x) { return std::sqrt(x); })},
      {"rsqrt", libm([](float x) { return 1 / std::sqrt(x); })},
      {"logistic", libm([](float x) { return 1 / (1 + expf(-x)); })},
      {"multiply_add",
       [](Arrays& a) {
         for (size_t i = 0; i < a.x.size(); ++i) a.result[i] += a.x[i] * a.y[i];
       }},
      {"complex_exp", each_complex([](auto z) { return std::exp(z); })},
      {"complex_multiply", each_complex([](auto z) { return z * z; })},
      {"five_map", each(five)},
      {"five_loop", five_loop},
      {"gather", gather},
      {"random_bits", random_bits},
      {"running_sum", running_sum},
      {"scatter_add", scatter_add},
      {"stable_sort", stable_sort},
  };
  loops.merge(libm_loops());
  return loops;
}

/// The loop's time for as many elements as the row counts.
Baseline plain_loop(const std::string& name, int64_t count) {
  static const std::map<std::string, Loop> loops = all_loops();
  Baseline baseline = timing::baseline(name, [&] {
    loops.at(name)(arrays());
    benchmark::ClobberMemory();
  });
  baseline.seconds *= static_cast<double>(count) / (kSide * kSide);
  return baseline;
}

/// The most elements of an array, over all devices.
int64_t largest(const Module& module) {
  int64_t most = 1;
  const std::function<void(const Shape&)> visit = [&](const Shape& shape) {
    if (shape.is_array()) most = std::max(most, shape.element_count());
    std::ranges::for_each(shape.tuple_shapes, visit);
  };
  for (const auto& instruction : module.entry->instructions) {
    visit(instruction->shape);
  }
  return most * module.replica_count;
}

/// A row's program on arrays of `side` by `side` elements.
struct Job {
  Module module;
  rows::DeviceInputs inputs;
  int64_t count;  // of what its time is divided by

  Job(const rows::OperationRows& all, const rows::OperationRow& row,
      int64_t side)
      : module(verified_module(rows::module_text(all, row, side))),
        inputs(rows::inputs_of(module, row)),
        count(row.cells.empty() ? largest(module)
                                : rows::cell_count(row, side)) {}

  /// How many units of work the program is charged for.
  int64_t work() const {
    const auto budget = std::make_shared<Budget>(Budget::kEndless);
    run({.budget = budget});
    return budget->spent();
  }

  void run(const EvaluatorOptions& options) const {
    benchmark::DoNotOptimize(run_grid(kReference, grid_of(module),
                                      inputs.programs, inputs.infeed, options));
  }
};

/// The definition's time for as many elements as the row counts. It takes as
/// long for each of a few.
Baseline definition(const rows::OperationRows& all,
                    const rows::OperationRow& row, int64_t count) {
  constexpr int64_t kFew = 32;
  const Job job(all, row, kFew);
  Baseline baseline = timing::baseline("definition", [&] {
    job.run({.max_work = Budget::kEndless, .plans = PlanSet::none()});
  });
  baseline.seconds *=
      static_cast<double>(count) / static_cast<double>(job.count);
  return baseline;
}

void run(benchmark::State& state, const rows::OperationRows& all,
         const rows::OperationRow& row) {
  const Job job(all, row, kSide);
  timing::Row(state, [&] { job.run({.max_work = Budget::kEndless}); })
      .per(row.cells.empty() ? "element" : "cell", job.count)
      .charged(job.work())
      .against(plain_loop(row.baseline, job.count))
      .gain_over(definition(all, row, job.count));
}

void register_rows() {
  const auto all = std::make_shared<rows::OperationRows>(
      rows::read_rows(ASSAY_SOURCE_DIR "/interpreter/testing/operations.txt"));
  for (const rows::OperationRow& row : all->rows) {
    benchmark::RegisterBenchmark(
        row.name().c_str(),
        [all, &row](benchmark::State& state) { run(state, *all, row); })
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace hlo

int main(int argc, char** argv) {
  hlo::register_rows();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
