#include "conformance/sweep/recorded/sweep_file.h"

#include <algorithm>

#include "conformance/sweep/recorded/sweep_events.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kEnd = "{\"event\":\"end\"";

/// The next whole line, without its end; nothing where there is none.
std::optional<std::string_view> take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

/// A sweep without chunks, of the first line.
RecordedSweep begun(const SweepIdentity& sweep) {
  RecordedSweep recorded{
      .result = {.operation = swept_operation(sweep.operation, sweep.type),
                 .backend = sweep.backend,
                 .profile = sweep.profile,
                 .total = {},
                 .worst = {}}};
  if (!sweep.range.empty()) {
    recorded.range =
        parse_sweep_range(sweep.range, recorded.result.operation.type);
  }
  recorded.chunks =
      SweepPlan(recorded.result.operation, recorded.range).chunk_count();
  return recorded;
}

}  // namespace

void add_chunk(SweepResult& result, const SweepTally& tally) {
  constexpr size_t kShown = 8;
  result.total.add(tally);
  if (tally.worst.units < 0) return;
  std::vector<SweepWorst>& worst = result.worst;
  worst.push_back(tally.worst);
  std::ranges::stable_sort(worst, std::ranges::greater(), &SweepWorst::units);
  if (worst.size() > kShown) worst.pop_back();
}

void finish_sweep(SweepResult& result) {
  // Some chunks may be symmetric in both ways, and the function in none.
  SweepTally& total = result.total;
  if (total.odd == total.even) total.fault(SweepFault::kSymmetry) = {};
}

RecordedSweep read_sweep(std::string_view text) {
  const auto first = take_line(text);
  require_evaluable(first.has_value(), "sweep.file", {"there is no whole line"},
                    "the first must be what a sweep began with");
  RecordedSweep recorded = begun(read_sweep_begin(*first));
  while (const auto line = take_line(text)) {
    if (line->starts_with(kEnd)) break;
    const RecordedChunk chunk = read_sweep_chunk(*line);
    require_evaluable(
        chunk.chunk == recorded.known && chunk.chunk < recorded.chunks,
        "sweep.file",
        {"chunk ", chunk.chunk, " stands where ", recorded.known, " of ",
         recorded.chunks, " is to come"},
        "the chunks of the file must stand in their order");
    add_chunk(recorded.result, chunk.tally);
    ++recorded.known;
  }
  require_evaluable(recorded.known > 0, "sweep.file", {"there is no chunk"},
                    "there must be one behind the first line");
  finish_sweep(recorded.result);
  return recorded;
}

}  // namespace hlo::conformance
