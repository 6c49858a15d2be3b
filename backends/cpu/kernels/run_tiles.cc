#include <algorithm>
#include <cstring>
#include <numeric>

#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/tile_program.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kUsualLanes = 1024;
constexpr int64_t kVector = 16;          // of the widest vectors
constexpr int64_t kPerTask = 64 * 1024;  // elements worth another thread

/// After how many elements a view repeats itself; 0: it does not.
int64_t period(const View& view) {
  if (view.dims.empty()) return 1;
  if (view.strides[0] != 0) return 0;
  return view.dims.size() == 1 ? 1 : view.count() / view.dims[0];
}

bool is_direct(const TileInput& input) {
  return input.width == 4 && input.view.is_contiguous();
}

/// A multiple of whole vectors and of the periods of as many inputs as can be.
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

/// One of several threads that compute a program.
class TileRun {
 public:
  TileRun(const TileProgram& program, std::span<const std::byte* const> inputs,
          std::byte* to, int64_t lanes)
      : program_(program), inputs_(inputs), to_(to), lanes_(lanes) {
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

  void run(int64_t first, int64_t last) {
    for (int64_t at = first; at < last; at += lanes_) {
      const int64_t n = std::min(lanes_, last - at);
      for (size_t i = 0; i < inputs_.size(); ++i) {
        if (at == first || !repeats_[i]) read(i, at, n);
      }
      write(at, n);
    }
  }

 private:
  void read(size_t i, int64_t at, int64_t n) {
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

  void write(int64_t at, int64_t n) {
    const size_t result = program_.ops.back().out;
    const bool direct = program_.result_width == 4 && n % kVector == 0;
    places_[result] = direct ? to_ + at * 4 : own_[result];
    run_ops(program_.ops, places_.data(), static_cast<size_t>(n));
    if (direct) return;
    if (program_.result_width == 4) {
      std::memcpy(to_ + at * 4, own_[result], static_cast<size_t>(n) * 4);
      return;
    }
    for (int64_t k = 0; k < n; ++k) to_[at + k] = own_[result][k * 4];
  }

  const TileProgram& program_;
  std::span<const std::byte* const> inputs_;
  std::byte* to_;
  int64_t lanes_;
  std::vector<std::byte*> own_;     // of each register
  std::vector<std::byte*> places_;  // where each register is now
  std::vector<bool> repeats_;
  std::byte* spare_ = nullptr;
};

}  // namespace

void run_tiles(const TileProgram& program,
               std::span<const std::byte* const> inputs, std::byte* to) {
  const int64_t lanes = tile_lanes(program);
  const int64_t task = lanes * std::max<int64_t>(1, kPerTask / lanes);
  share_loop((program.count + task - 1) / task, [&](int64_t i) {
    TileRun(program, inputs, to, lanes)
        .run(i * task, std::min(program.count, (i + 1) * task));
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
