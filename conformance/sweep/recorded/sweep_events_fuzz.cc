#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "conformance/sweep/recorded/sweep_events.h"
#include "interpreter/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A tally that is read is printed, and read again as the same.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hlo::conformance;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
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
  return 0;
}
