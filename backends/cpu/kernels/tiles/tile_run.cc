#include "backends/cpu/kernels/tiles/tile_run.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "backends/cpu/kernels/lanes/run_narrow_ops.h"
#include "backends/cpu/kernels/lanes/run_ops.h"
#include "backends/cpu/kernels/stream.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kUsualLanes = 1024;
constexpr int64_t kFewLanes = 256;
constexpr int64_t kTogether = int64_t{24} * 1024;  // bytes that lie in L1
constexpr int64_t kLine = 64;                      // bytes

/// Lanes of the widest vectors, and no fewer than kFewestLanes.
int64_t vector_lanes(const TileProgram& program) {
  const auto bytes = static_cast<int64_t>(program.lane_bytes);
  return std::max<int64_t>(kFewestLanes, kLine / bytes);
}

/// After how many elements a view repeats itself; 0: it does not.
int64_t period(const View& view) {
  if (view.dims.empty()) return 1;
  if (view.strides[0] != 0) return 0;
  return view.dims.size() == 1 ? 1 : view.count() / view.dims[0];
}

int64_t place_of(const View& view, int64_t element) {
  int64_t place = view.offset;
  for (size_t d = view.dims.size(); d-- > 0;) {
    place += element % view.dims[d] * view.strides[d];
    element /= view.dims[d];
  }
  return place;
}

/// Whether it reads runs of one number each.
bool repeats_last(const View& view) {
  return view.dims.size() > 1 && view.strides.back() == 0;
}

/// So many lanes or fewer, of which some fill a run: then a tile has one number
/// of it.
int64_t fitted(int64_t lanes, int64_t unit, int64_t run) {
  for (int64_t fewer = lanes; fewer >= kFewLanes; fewer -= unit) {
    if (run % fewer == 0) return fewer;
  }
  return lanes;
}

}  // namespace

int64_t tile_lanes(const TileProgram& program) {
  int64_t unit = vector_lanes(program);
  for (const TileInput& input : program.inputs) {
    const int64_t repeats = period(input.view);
    if (repeats == 0 || repeats > kMostLanes) continue;
    const int64_t both = std::lcm(unit, repeats);
    if (both <= kMostLanes) unit = both;
  }
  const auto bytes =
      static_cast<int64_t>((program.registers + 1) * program.lane_bytes);
  const int64_t usual = kUsualLanes * vector_lanes(program) / kFewestLanes;
  const int64_t wanted = std::clamp(kTogether / bytes, kFewLanes, usual);
  int64_t lanes = unit * std::max<int64_t>(1, wanted / unit);
  for (const TileInput& input : program.inputs) {
    if (repeats_last(input.view)) {
      lanes = fitted(lanes, unit, input.view.dims.back());
    }
  }
  return lanes;
}

size_t TileRun::memory_bytes(const TileProgram& program, int64_t lanes) {
  return static_cast<size_t>(lanes) * program.lane_bytes *
         (program.registers + 1);
}

TileRun::TileRun(const TileProgram& program,
                 std::span<const std::byte* const> inputs, int64_t lanes,
                 std::byte* memory)
    : program_(program),
      inputs_(inputs),
      lanes_(lanes),
      vector_lanes_(vector_lanes(program)) {
  const auto size = static_cast<size_t>(lanes) * program.lane_bytes;
  for (size_t r = 0; r < program.registers; ++r) {
    own_.push_back(memory + r * size);
  }
  spare_ = memory + program.registers * size;
  for (std::byte* const own : own_) places_.push_back({own});
  next_.resize(program.inputs.size());
  for (const TileInput& input : program.inputs) {
    const int64_t repeats = period(input.view);
    repeats_.push_back(repeats > 0 && lanes % repeats == 0);
    kinds_.push_back(kind_of(input));
  }
}

/// Whether lanes have the bits of such elements.
bool TileRun::is_direct(Stored stored) const {
  return width_of(stored) == program_.lane_bytes || cpu::is_direct(stored);
}

TileRun::Kind TileRun::kind_of(const TileInput& input) const {
  if (!is_direct(input.stored)) return Kind::kOther;
  if (input.view.is_contiguous()) return Kind::kDirect;
  return input.view.strides.back() == 0 ? Kind::kRunsOfOne : Kind::kOther;
}

void TileRun::run(int64_t first, int64_t last, std::byte* to) {
  for (int64_t at = first; at < last; at += lanes_) {
    const int64_t n = std::min(lanes_, last - at);
    for (size_t i = 0; i < program_.inputs.size(); ++i) {
      if (at == first || !repeats_[i]) read(i, at, n, last);
    }
    write(n,
          to + (at - first) * static_cast<int64_t>(width_of(program_.result)));
  }
}

void TileRun::compute(size_t n) const {
  const auto count = std::ssize(program_.ops);
  const bool is_narrow = program_.lane_bytes < sizeof(float);
  if (!fetches_ && !is_narrow) {
    return run_ops(program_.ops, places_.data(), n);
  }
  for (int64_t k = 0; k < count; ++k) {
    const LaneOp& op = program_.ops[static_cast<size_t>(k)];
    if (fetches_) fetch(k, count);
    if (is_narrow) {
      run_narrow_op(op, program_.lane_bytes, places_.data(), n);
    } else {
      run_ops({&op, 1}, places_.data(), n);
    }
  }
}

/// Asks for one of so many parts of what is read next: while a tile is computed
/// memory would have nothing to do.
void TileRun::fetch(int64_t part, int64_t parts) const {
  for (const Next& next : next_) {
    const int64_t lines = next.bytes / kLine;
    const int64_t end = (part + 1) * lines / parts;
    for (int64_t i = part * lines / parts; i < end; ++i) {
      hwy::Prefetch(next.first + i * kLine);
    }
  }
}

/// Whether a view whose last dimension repeats has only one for these.
bool TileRun::is_one_number(size_t i, int64_t at, int64_t n) const {
  if (kinds_[i] != Kind::kRunsOfOne) return false;
  const int64_t inner = program_.inputs[i].view.dims.back();
  return at % inner + n <= inner;
}

void TileRun::read(size_t i, int64_t at, int64_t n, int64_t last) {
  const TileInput& input = program_.inputs[i];
  const size_t width = width_of(input.stored);
  const auto bytes = static_cast<int64_t>(width);
  next_[i] = {};
  if (kinds_[i] == Kind::kDirect) {
    const std::byte* const first =
        inputs_[i] + (input.view.offset + at) * bytes;
    if (n % vector_lanes_ == 0) {
      // Only read: nothing but the last operation writes outside of own_.
      places_[i] = {const_cast<std::byte*>(first)};
      next_[i] = {first + n * bytes, std::min(n, last - at - n) * bytes};
    } else {
      std::memcpy(own_[i], first, static_cast<size_t>(n) * width);
      places_[i] = {own_[i]};
    }
    return;
  }
  if (is_one_number(i, at, n)) {
    repeat_element(inputs_[i] + place_of(input.view, at) * bytes, width,
                   static_cast<size_t>(vector_lanes_), own_[i]);
    places_[i] = {own_[i], 0};
    return;
  }
  places_[i] = {own_[i]};
  if (is_direct(input.stored)) {
    copy_elements(input.view, width, inputs_[i], at, n, own_[i]);
    return;
  }
  const std::byte* from = spare_;
  if (input.view.is_contiguous()) {
    from = inputs_[i] + (input.view.offset + at) * bytes;
  } else {
    copy_elements(input.view, width, inputs_[i], at, n, spare_);
  }
  read_lanes(input.stored, from, n, reinterpret_cast<float*>(own_[i]));
}

void TileRun::write(int64_t n, std::byte* to) {
  const size_t result = program_.ops.back().out;
  const bool whole = is_direct(program_.result);
  const bool direct = whole && n % vector_lanes_ == 0;
  const size_t bytes = static_cast<size_t>(n) * width_of(program_.result);
  const bool streams = direct && streams_ &&
                       reinterpret_cast<uintptr_t>(to) % uintptr_t{kLine} == 0;
  places_[result] = {direct && !streams ? to : own_[result]};
  compute(static_cast<size_t>(n));
  if (streams) {
    return stream_bytes(own_[result], bytes, to);
  }
  if (direct) return;
  if (whole) {
    std::memcpy(to, own_[result], bytes);
    return;
  }
  write_lanes(program_.result, reinterpret_cast<const float*>(own_[result]), n,
              to);
}

}  // namespace hlo::cpu
