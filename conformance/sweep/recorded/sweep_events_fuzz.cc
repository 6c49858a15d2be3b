#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "conformance/sweep/recorded/sweep_events.h"
#include "conformance/sweep/recorded/sweep_file.h"
#include "interpreter/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace hlo::conformance;

// A tally that is read is printed, and read again as the same.
void check_chunk(std::string_view text) {
  try {
    const RecordedChunk read = read_sweep_chunk(text);
    const RecordedChunk again =
        read_sweep_chunk(sweep_chunk(read.chunk, read.tally));
    if (again.chunk != read.chunk || again.tally != read.tally) std::abort();
    SweepTally twice = read.tally;
    twice.add(again.tally);
  } catch (const hlo::Error& error) {
    if (error.rule() != "sweep.file") std::abort();
  }
}

// A file that is read is told of and drawn.
void check_file(std::string_view text) {
  try {
    const RecordedSweep read = read_sweep(text);
    if (read.known < 1 || read.known > read.chunks) std::abort();
    report(read.result);
    draw_sweep(read.result, SweepPlan(read.result.operation, read.range));
  } catch (const hlo::Error& error) {
    if (!error.rule().starts_with("sweep.")) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_chunk(text);
  check_file(text);
  return 0;
}
