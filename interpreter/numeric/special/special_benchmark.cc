#include <benchmark/benchmark.h>
#include <mpfr.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "interpreter/numeric/rounded.h"
#include "interpreter/numeric/special/special_bessel.h"
#include "interpreter/numeric/special/special_error.h"
#include "interpreter/numeric/special/special_gamma.h"
#include "interpreter/numeric/special/special_zeta.h"
#include "interpreter/numeric/special/testing/oracle_functions.h"
#include "interpreter/testing/timing.h"

// The special functions on arrays of useful arguments: what an element costs,
// and, where MPFR has the function, how many times as long it takes at the
// precision of the format (mpfr_x).
namespace hlo::numeric {
namespace {

using enum ElementType;
using Evaluate = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

constexpr int64_t kCount = 100'000;
constexpr size_t kShare = 200;  // one of so many elements goes through MPFR

struct Row {
  Function function;
  const char* name;
  Evaluate mpfr;
  double low;
  double high;
};

constexpr std::array<Row, 6> kRows = {{
    {Function::kErfc, "erfc", mpfr_erfc, -4, 10},
    {Function::kErfInv, "erf_inv", nullptr, -1, 1},
    {Function::kLgamma, "lgamma", special::lgamma, 0.1, 50},
    {Function::kLgamma, "lgamma/negative", special::lgamma, -10, 10},
    {Function::kDigamma, "digamma", mpfr_digamma, 0.1, 50},
    {Function::kBesselI1e, "bessel_i1e", nullptr, -50, 50},
}};

double mpfr_nanoseconds(const Row& row, const std::vector<double>& x,
                        mpfr_prec_t precision) {
  Real operand(53);
  Real result(precision);
  const timing::Baseline mpfr = timing::baseline("mpfr", [&] {
    for (size_t i = 0; i < x.size(); i += kShare) {
      mpfr_set_d(operand.get(), x[i], MPFR_RNDN);
      row.mpfr(result.get(), operand.get(), MPFR_RNDN);
      benchmark::DoNotOptimize(mpfr_get_flt(result.get(), MPFR_RNDN));
    }
  });
  return mpfr.seconds * 1e9 * kShare / kCount;
}

void run(benchmark::State& state, const Row& row, ElementType type) {
  oracle::Random random(1);
  std::vector<double> x(kCount);
  for (double& each : x) each = oracle::useful(random, row.low, row.high);
  std::vector<uint64_t> from(kCount);  // storage of any type
  std::vector<uint64_t> to(kCount);
  encode_array(x.data(), from.data(), kCount, format(type));
  const auto body = [&] {
    round_function_array(row.function, from.data(), to.data(), kCount,
                         format(type));
  };
  body();  // makes the table
  timing::Row(state, body).per("element", kCount);
  if (row.mpfr == nullptr) return;
  state.counters["mpfr_x"] =
      mpfr_nanoseconds(row, x, format(type).precision()) /
      state.counters["ns/element"];
}

void register_rows() {
  for (const Row& row : kRows) {
    for (const ElementType type : {kF32, kF16, kBF16}) {
      const std::string title =
          std::string(row.name) + "/" + hlo::name(type).data();
      benchmark::RegisterBenchmark(
          title.c_str(),
          [&row, type](benchmark::State& state) { run(state, row, type); });
    }
  }
}

}  // namespace
}  // namespace hlo::numeric

int main(int argc, char** argv) {
  hlo::numeric::register_rows();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
