#include <algorithm>

#include "backends/cpu/kernels/lanes/run_function.h"
#include "backends/cpu/kernels/lanes/run_wide_function.h"
#include "backends/cpu/kernels/moves/copy_turned.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/stream.h"
#include "backends/cpu/kernels/tiles/tile_program.h"
#include "backends/cpu/kernels/tiles/tile_run.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPerTask =
    int64_t{64} * 1024;                         // elements worth another thread
constexpr int64_t kFetched = int64_t{1} << 20;  // elements that lie in no cache

constexpr int64_t kWork =
    int64_t{128} * 1024;  // operations on elements worth another thread

/// Elements worth another thread; a function is many operations.
int64_t task_elements(const TileProgram& program, int64_t lanes) {
  constexpr int64_t kOfFunction = 32;
  int64_t work = 0;
  for (const LaneOp& op : program.ops) {
    const bool is_long = is_function(op.code) || is_wide_function(op.code);
    work += is_long ? kOfFunction : 1;
  }
  const int64_t wanted = std::min(kPerTask, kWork / std::max<int64_t>(1, work));
  return lanes * std::max<int64_t>(1, wanted / lanes);
}

}  // namespace

void run_tiles(const TileProgram& program,
               std::span<const std::byte* const> inputs, std::byte* to) {
  const int64_t lanes = tile_lanes(program);
  const int64_t task = task_elements(program, lanes);
  const size_t width = width_of(program.result);
  const bool streams = static_cast<size_t>(program.count) * width >= kStreamed;
  share_loop((program.count + task - 1) / task, [&](int64_t i) {
    const int64_t first = i * task;
    TileRun run(
        program, inputs, lanes,
        scratch_bytes(Scratch::kTiles, TileRun::memory_bytes(program, lanes)));
    if (streams) run.stream_results();
    if (program.count >= kFetched) run.fetch_inputs();
    run.run(first, std::min(program.count, first + task),
            to + first * static_cast<int64_t>(width));
    if (streams) end_stream();
  });
}

void run_tiles(const TileProgram& program,
               std::span<const std::byte* const> inputs, std::byte* to,
               int64_t first, int64_t last) {
  const int64_t lanes = tile_lanes(program);
  TileRun run(
      program, inputs, lanes,
      scratch_bytes(Scratch::kTiles, TileRun::memory_bytes(program, lanes)));
  run.run(first, last,
          to + first * static_cast<int64_t>(width_of(program.result)));
}

void copy_view(const View& view, size_t width, const std::byte* from,
               std::byte* to) {
  const View collapsed = view.collapsed();
  if (copy_turned(collapsed, width, from, to)) return;
  const int64_t count = view.count();
  share_loop((count + kPerTask - 1) / kPerTask, [&](int64_t i) {
    const int64_t first = i * kPerTask;
    copy_elements(collapsed, width, from, first,
                  std::min(kPerTask, count - first),
                  to + first * static_cast<int64_t>(width));
  });
}

void copy_runs(const View& view, size_t width, const std::byte* from,
               int64_t run, std::byte* to, int64_t step) {
  const View collapsed = view.collapsed();
  const int64_t runs = view.count() / run;
  const int64_t some = std::max<int64_t>(kPerTask / run, 1);
  share_loop((runs + some - 1) / some, [&](int64_t task) {
    const int64_t last = std::min(runs, (task + 1) * some);
    for (int64_t i = task * some; i < last; ++i) {
      copy_elements(collapsed, width, from, i * run, run, to + i * step);
    }
  });
}

}  // namespace hlo::cpu
