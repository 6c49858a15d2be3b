#include "backends/cpu/kernels/tiles/tile_run.h"

#include <algorithm>
#include <cstring>
#include <numeric>

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
  return input.stored == Stored::kWord && input.view.is_contiguous();
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

size_t TileRun::memory_bytes(const TileProgram& program, int64_t lanes) {
  return static_cast<size_t>(lanes) * 4 * (program.registers + 1);
}

TileRun::TileRun(const TileProgram& program,
                 std::span<const std::byte* const> inputs, int64_t lanes,
                 std::byte* memory)
    : program_(program), inputs_(inputs), lanes_(lanes) {
  const auto size = static_cast<size_t>(lanes) * 4;
  for (size_t r = 0; r < program.registers; ++r) {
    own_.push_back(memory + r * size);
  }
  spare_ = memory + program.registers * size;
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
    write(n,
          to + (at - first) * static_cast<int64_t>(width_of(program_.result)));
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
  const size_t width = width_of(input.stored);
  if (input.stored == Stored::kWord) {
    copy_elements(input.view, width, inputs_[i], at, n, own_[i]);
    return;
  }
  const std::byte* from = spare_;
  if (input.view.is_contiguous()) {
    from = inputs_[i] + (input.view.offset + at) * static_cast<int64_t>(width);
  } else {
    copy_elements(input.view, width, inputs_[i], at, n, spare_);
  }
  read_lanes(input.stored, from, n, reinterpret_cast<float*>(own_[i]));
}

void TileRun::write(int64_t n, std::byte* to) {
  const size_t result = program_.ops.back().out;
  const bool direct = program_.result == Stored::kWord && n % kVector == 0;
  places_[result] = direct ? to : own_[result];
  run_ops(program_.ops, places_.data(), static_cast<size_t>(n));
  if (direct) return;
  write_lanes(program_.result, reinterpret_cast<const float*>(own_[result]), n,
              to);
}

}  // namespace hlo::cpu
