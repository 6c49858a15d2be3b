#include <algorithm>

#include "backends/cpu/kernels/tile_program.h"
#include "backends/cpu/kernels/tile_run.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPerTask = 64 * 1024;  // elements worth another thread

}  // namespace

void run_tiles(const TileProgram& program,
               std::span<const std::byte* const> inputs, std::byte* to) {
  const int64_t lanes = tile_lanes(program);
  const int64_t task = lanes * std::max<int64_t>(1, kPerTask / lanes);
  share_loop((program.count + task - 1) / task, [&](int64_t i) {
    const int64_t first = i * task;
    TileRun(program, inputs, lanes)
        .run(first, std::min(program.count, first + task),
             to + first * static_cast<int64_t>(width_of(program.result)));
  });
}

void copy_view(const View& view, size_t width, const std::byte* from,
               std::byte* to) {
  const View collapsed = view.collapsed();
  const int64_t count = view.count();
  share_loop((count + kPerTask - 1) / kPerTask, [&](int64_t i) {
    const int64_t first = i * kPerTask;
    copy_elements(collapsed, width, from, first,
                  std::min(kPerTask, count - first),
                  to + first * static_cast<int64_t>(width));
  });
}

}  // namespace hlo::cpu
