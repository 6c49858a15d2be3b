#include "backends/cpu/kernels/tile_run.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "backends/cpu/kernels/scratch.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kUsualLanes = 1024;
constexpr int64_t kVector = 16;  // of the widest vectors

/// After how many elements a view repeats itself; 0: it does not.
int64_t period(const View& view) {
  if (view.dims.empty()) return 1;
  if (view.strides[0] != 0) return 0;
  return view.dims.size() == 1 ? 1 : view.count() / view.dims[0];
}

bool is_direct(const TileInput& input) {
  return input.width == 4 && input.view.is_contiguous();
}

}  // namespace

int64_t tile_lanes(const TileProgram& program) {
  int64_t unit = kVector;
  for (const TileInput& input : program.inputs) {
    const int64_t repeats = period(input.view);
    if (repeats == 0 || repeats > kMostLanes) continue;
    const int64_t both = std::lcm(unit, repeats);
    if (both <= kMostLanes) unit = both;
  }
  return unit * std::max<int64_t>(1, kUsualLanes / unit);
}

TileRun::TileRun(const TileProgram& program,
                 std::span<const std::byte* const> inputs, int64_t lanes)
    : program_(program), inputs_(inputs), lanes_(lanes) {
  const auto size = static_cast<size_t>(lanes) * 4;
  std::byte* scratch =
      scratch_bytes(Scratch::kTiles, size * (program.registers + 1));
  for (size_t r = 0; r < program.registers; ++r) {
    own_.push_back(scratch + r * size);
  }
  spare_ = scratch + program.registers * size;
  places_ = own_;
  for (const TileInput& input : program.inputs) {
    const int64_t repeats = period(input.view);
    repeats_.push_back(repeats > 0 && lanes % repeats == 0);
  }
}

void TileRun::run(int64_t first, int64_t last, std::byte* to) {
  for (int64_t at = first; at < last; at += lanes_) {
    const int64_t n = std::min(lanes_, last - at);
    for (size_t i = 0; i < program_.inputs.size(); ++i) {
      if (at == first || !repeats_[i]) read(i, at, n);
    }
    write(n, to + (at - first) * static_cast<int64_t>(program_.result_width));
  }
}

void TileRun::read(size_t i, int64_t at, int64_t n) {
  const TileInput& input = program_.inputs[i];
  const bool whole = n % kVector == 0;
  if (whole && is_direct(input)) {
    // Only read: nothing but the last operation writes outside of own_.
    places_[i] =
        const_cast<std::byte*>(inputs_[i]) + (input.view.offset + at) * 4;
    return;
  }
  places_[i] = own_[i];
  if (input.width == 4) {
    copy_elements(input.view, 4, inputs_[i], at, n, own_[i]);
    return;
  }
  copy_elements(input.view, 1, inputs_[i], at, n, spare_);
  for (int64_t k = 0; k < n; ++k) {
    const auto word = std::to_integer<uint32_t>(spare_[k]);
    std::memcpy(own_[i] + k * 4, &word, 4);
  }
}

void TileRun::write(int64_t n, std::byte* to) {
  const size_t result = program_.ops.back().out;
  const bool direct = program_.result_width == 4 && n % kVector == 0;
  places_[result] = direct ? to : own_[result];
  run_ops(program_.ops, places_.data(), static_cast<size_t>(n));
  if (direct) return;
  if (program_.result_width == 4) {
    std::memcpy(to, own_[result], static_cast<size_t>(n) * 4);
    return;
  }
  for (int64_t k = 0; k < n; ++k) to[k] = own_[result][k * 4];
}

}  // namespace hlo::cpu
