#include "backends/tpu/counts/cycle_model.h"

#include <algorithm>

namespace hlo::tpu {
namespace {

constexpr int64_t Counters::*kAll[] = {&Counters::loads,
                                       &Counters::stores,
                                       &Counters::shifts,
                                       &Counters::vector_operations,
                                       &Counters::matrix_passes,
                                       &Counters::relayouts,
                                       &Counters::bytes_moved,
                                       &Counters::padding_moved,
                                       &Counters::elements_one_by_one,
                                       &Counters::untiled_bytes,
                                       &Counters::splits,
                                       &Counters::pieces};

static_assert(sizeof(kAll) / sizeof(kAll[0]) * sizeof(int64_t) ==
              sizeof(Counters));

}  // namespace

Counters counted_since(const Counters& from, const Counters& to) {
  Counters counted = to;
  for (int64_t Counters::*const one : kAll) counted.*one -= from.*one;
  return counted;
}

void add(Counters& sum, const Counters& more) {
  for (int64_t Counters::*const one : kAll) sum.*one += more.*one;
}

int64_t Cycles::most() const {
  return std::max({memory, lanes, matrix, scalar});
}

Cycles cycles_of(const Counters& counters, const Generation& generation) {
  const int64_t width = generation.bytes_of_cycle;
  return {.memory = (counters.bytes_moved + width - 1) / width,
          .lanes = counters.vector_operations + counters.shifts,
          .matrix = counters.matrix_passes * generation.matrix_size,
          .scalar = counters.elements_one_by_one};
}

int64_t operations_of(const Counters& counters, const Generation& generation) {
  constexpr int64_t kOfCell = 2;  // a product and a sum
  const int64_t size = generation.matrix_size;
  return counters.vector_operations * kLanes +
         counters.matrix_passes * kOfCell * size * size * size;
}

}  // namespace hlo::tpu
