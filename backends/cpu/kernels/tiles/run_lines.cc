#include "backends/cpu/kernels/tiles/run_lines.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/stream.h"
#include "backends/cpu/kernels/tiles/tile_run.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPerTask =
    int64_t{64} * 1024;  // numbers worth another thread
// Numbers of all steps: some of them stand in one place, and half of these lie
// in L2. Of fewer each step does too little.
constexpr int64_t kGroup = int64_t{64} * 1024;
constexpr int64_t kMostOfGroup = 2 * kGroup;
constexpr int64_t kBoundary = 64;  // bytes

/// Asks for numbers that are read next; most of them where they are many.
void fetch(const float* numbers, int64_t count) {
  constexpr int64_t kInLine = 16;  // of the cache
  constexpr int64_t kMost = 64 * kInLine;
  for (int64_t i = 0; i < std::min(count, kMost); i += kInLine) {
    hwy::Prefetch(numbers + i);
  }
}

/// Numbers of a line of a step.
int64_t length(const LineStep& step, int64_t lines) {
  return step.program == nullptr ? step.fold->folded
                                 : step.program->count / lines;
}

/// The inputs that are multiplied number by number where a step computes no
/// more than that, and only sums it.
struct Factors {
  size_t x = 0;
  size_t y = 0;
};

std::optional<Factors> factors_of(const LineStep& step) {
  if (step.program == nullptr || step.to.exists()) return std::nullopt;
  const TileProgram& program = *step.program;
  const LaneOp& op = program.ops.front();
  if (program.ops.size() != 1 || op.code != Code::kMultiplyF32 ||
      program.result != Stored::kWord || step.fold->fold != Fold::kAdd) {
    return std::nullopt;
  }
  const auto lies_there = [&](size_t i) {
    const TileInput& input = program.inputs[i];
    return input.stored == Stored::kWord && input.view.is_contiguous();
  };
  const Factors found{op.operands[0], op.operands[1]};
  if (!lies_there(found.x) || !lies_there(found.y)) return std::nullopt;
  return found;
}

/// What is the same for all threads.
struct Lines {
  Lines(std::span<const LineStep> all_steps,
        std::span<const InnerLine> all_inner, int64_t all_lines);

  /// Lines of so many that are worth a task; each makes what it runs anew, so
  /// tasks are not many.
  int64_t of_task(int64_t count) const;

  std::span<const LineStep> steps;
  std::span<const InnerLine> inner;
  int64_t lines;
  int64_t numbers = 0;                          // of a line of all steps
  std::vector<int64_t> lengths;                 // of a line of each step
  std::vector<int64_t> tile_lanes;              // of each step
  std::vector<std::optional<Factors>> factors;  // of each step
  int64_t group = 1;                            // lines
  size_t registers = 0;                         // bytes
  std::vector<int64_t> places;  // of inner arrays, behind what is only folded
  int64_t bytes = 0;            // of both

 private:
  int64_t grouped(int64_t unit) const;
  void place_inner();
};

Lines::Lines(std::span<const LineStep> all_steps,
             std::span<const InnerLine> all_inner, int64_t all_lines)
    : steps(all_steps), inner(all_inner), lines(all_lines) {
  int64_t unit = 1;
  int64_t unit_of_long = 1;  // of lines longer than a vector
  for (const LineStep& step : steps) {
    const int64_t own = length(step, lines);
    lengths.push_back(own);
    numbers += own;
    tile_lanes.push_back(0);
    factors.push_back(factors_of(step));
    if (step.program == nullptr || factors.back()) continue;
    const int64_t whole = kFewestLanes / std::gcd(kFewestLanes, own);
    unit = std::max(unit, whole);
    if (own > kFewestLanes) unit_of_long = std::max(unit_of_long, whole);
    tile_lanes.back() = cpu::tile_lanes(*step.program);
    registers = std::max(
        registers, TileRun::memory_bytes(*step.program, tile_lanes.back()));
  }
  group = unit * numbers > kGroup ? grouped(unit_of_long) : grouped(unit);
  place_inner();
}

int64_t Lines::of_task(int64_t count) const {
  constexpr int64_t kTasksOfThread = 16;
  const int64_t tasks = kTasksOfThread * most_threads();
  const int64_t wanted = std::max(kPerTask / numbers, count / tasks);
  return group * std::max<int64_t>(wanted / group, 1);
}

/// About kGroup numbers, whole vectors where these are not too many.
int64_t Lines::grouped(int64_t unit) const {
  if (unit * numbers > kMostOfGroup) {
    return std::max<int64_t>(kGroup / numbers, 1);
  }
  return unit * std::max<int64_t>(kGroup / (unit * numbers), 1);
}

void Lines::place_inner() {
  const auto grow = [this](int64_t line) {
    bytes += (group * line + kBoundary - 1) / kBoundary * kBoundary;
  };
  int64_t unwritten = 0;
  for (size_t s = 0; s < steps.size(); ++s) {
    if (steps[s].program == nullptr || steps[s].to.exists()) continue;
    unwritten = std::max(unwritten, lengths[s] * int64_t{sizeof(float)});
  }
  grow(unwritten);
  std::map<int64_t, int64_t> longest;  // of the lines of each place
  for (const InnerLine& own : inner) {
    int64_t& line = longest[own.place];
    line = std::max(line, own.bytes);
  }
  std::map<int64_t, int64_t> begins;
  for (const auto& [place, line] : longest) {
    begins[place] = bytes;
    grow(line);
  }
  for (const InnerLine& own : inner) places.push_back(begins[own.place]);
}

/// The steps on one thread, for some lines at a time.
class LineRun {
 public:
  explicit LineRun(const Lines& all)
      : all_(all),
        own_(scratch_bytes(Scratch::kLines, static_cast<size_t>(all.bytes))),
        inputs_(all.steps.size()),
        runs_(all.steps.size()) {
    std::byte* const registers = scratch_bytes(Scratch::kTiles, all.registers);
    for (size_t s = 0; s < all.steps.size(); ++s) {
      const LineStep& step = all.steps[s];
      for (size_t i = 0; i < step.inputs.size(); ++i) {
        inputs_[s].push_back(step.inputs[i].memory);
        if (step.inputs[i].inner >= 0) moved_.push_back({s, i});
      }
      if (step.program == nullptr || all.factors[s]) continue;
      runs_[s].emplace(*step.program, inputs_[s], all.tile_lanes[s], registers);
      if (step.streams) runs_[s]->stream_results();
      streams_ = streams_ || step.streams;
    }
  }

  void run(int64_t first, int64_t last) {
    for (begin_ = first; begin_ < last; begin_ = end_) {
      end_ = std::min(begin_ + all_.group, last);
      for (const auto& [s, i] : moved_) {
        inputs_[s][i] = array(all_.steps[s].inputs[i]);
      }
      for (size_t s = 0; s < all_.steps.size(); ++s) run_step(s);
    }
    if (streams_) end_stream();
  }

 private:
  /// An input of a step that lies elsewhere for each group.
  struct Moved {
    size_t step, input;
  };

  void run_step(size_t s) {
    if (all_.factors[s]) return sum(s, *all_.factors[s]);
    const std::byte* const lines = runs_[s] ? compute(s) : stored(s);
    if (all_.steps[s].fold) fold(s, lines);
  }

  /// Where the array begins; if these lines lie in memory of the thread, so
  /// many before them, where nothing is read or written.
  template <typename Byte>
  Byte* array(const LineArray<Byte>& of) const {
    if (of.inner < 0) return of.memory;
    const auto k = static_cast<size_t>(of.inner);
    return own_ + all_.places[k] - begin_ * all_.inner[k].bytes;
  }

  void sum(size_t s, const Factors& factors) const {
    const auto numbers = [&](size_t i) {
      return reinterpret_cast<const float*>(inputs_[s][i]) +
             all_.steps[s].program->inputs[i].view.offset;
    };
    const LineFold& own = *all_.steps[s].fold;
    for (int64_t i = begin_; i < end_; ++i) {
      const int64_t first = i * own.folded;
      all_.steps[s].folds[i] =
          sum_products(numbers(factors.x) + first, numbers(factors.y) + first,
                       own.folded, own.init);
    }
  }

  const std::byte* stored(size_t s) const {
    return array(all_.steps[s].from) +
           begin_ * all_.lengths[s] * int64_t{sizeof(float)};
  }

  /// Where the lines are then.
  const std::byte* compute(size_t s) {
    const LineStep& step = all_.steps[s];
    const int64_t length = all_.lengths[s];
    const auto width = static_cast<int64_t>(width_of(step.program->result));
    std::byte* const to =
        step.to.exists() ? array(step.to) + begin_ * length * width : own_;
    runs_[s]->run(begin_ * length, end_ * length, to);
    return to;
  }

  void fold(size_t s, const std::byte* lines) const {
    const LineFold& fold = *all_.steps[s].fold;
    const auto* const numbers = reinterpret_cast<const float*>(lines);
    const bool comes_from_memory = !runs_[s] && all_.steps[s].from.inner < 0;
    for (int64_t i = begin_; i < end_; ++i) {
      const float* const line = numbers + (i - begin_) * fold.folded;
      if (comes_from_memory && i + 1 < all_.lines) {
        fetch(line + fold.folded, fold.folded);
      }
      all_.steps[s].folds[i] =
          fold_line(fold.fold, line, fold.folded, fold.init);
    }
  }

  const Lines& all_;
  std::byte* own_;
  std::vector<std::vector<const std::byte*>> inputs_;  // of each step
  std::vector<Moved> moved_;
  std::vector<std::optional<TileRun>> runs_;  // of each step
  bool streams_ = false;
  int64_t begin_ = 0;  // of the lines of a group
  int64_t end_ = 0;
};

}  // namespace

void run_lines(std::span<const LineStep> steps,
               std::span<const InnerLine> inner, int64_t lines) {
  run_lines(steps, inner, lines, 0, lines);
}

void run_lines(std::span<const LineStep> steps,
               std::span<const InnerLine> inner, int64_t lines, int64_t first,
               int64_t last) {
  if (first >= last) return;
  const Lines all(steps, inner, lines);
  const int64_t some = all.of_task(last - first);
  share_loop((last - first + some - 1) / some, [&](int64_t task) {
    LineRun(all).run(first + task * some,
                     std::min(last, first + (task + 1) * some));
  });
}

}  // namespace hlo::cpu
