#include "backends/cpu/kernels/tiles/run_lines.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <numeric>

#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/tiles/tile_run.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kPerTask =
    int64_t{64} * 1024;                        // numbers worth another thread
constexpr int64_t kGroup = int64_t{4} * 1024;  // numbers that lie in L1
constexpr int64_t kMostOfGroup = 32 * kGroup;  // in L2

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

/// Two arrays of as many numbers.
struct Factors {
  const float* x = nullptr;
  const float* y = nullptr;
};

/// What is multiplied number by number where a step computes no more than that,
/// and only sums it.
std::optional<Factors> factors_of(const LineStep& step) {
  if (step.program == nullptr || step.to != nullptr) return std::nullopt;
  const TileProgram& program = *step.program;
  const TileOp& op = program.ops.front();
  if (program.ops.size() != 1 || op.code != Code::kMultiplyF32 ||
      program.result != Stored::kWord || step.fold->fold != Fold::kAdd) {
    return std::nullopt;
  }
  const auto numbers = [&](uint16_t i) -> const float* {
    const TileInput& input = program.inputs[i];
    const bool lies_there =
        input.stored == Stored::kWord && input.view.is_contiguous();
    return lies_there ? reinterpret_cast<const float*>(step.inputs[i]) +
                            input.view.offset
                      : nullptr;
  };
  const Factors found{numbers(op.operands[0]), numbers(op.operands[1])};
  if (found.x == nullptr || found.y == nullptr) return std::nullopt;
  return found;
}

/// The steps for some lines at a time.
class Lines {
 public:
  Lines(std::span<const LineStep> steps, int64_t lines)
      : steps_(steps), lines_(lines) {
    int64_t unit = 1;
    int64_t unit_of_long = 1;  // of lines longer than a vector
    for (const LineStep& step : steps) {
      const int64_t own = length(step, lines);
      lengths_.push_back(own);
      numbers_ += own;
      tile_lanes_.push_back(0);
      factors_.push_back(factors_of(step));
      if (step.program == nullptr || factors_.back()) continue;
      const int64_t whole = kFewestLanes / std::gcd(kFewestLanes, own);
      unit = std::max(unit, whole);
      if (own > kFewestLanes) unit_of_long = std::max(unit_of_long, whole);
      tile_lanes_.back() = tile_lanes(*step.program);
      memory_ = std::max(
          memory_, TileRun::memory_bytes(*step.program, tile_lanes_.back()));
      if (step.to == nullptr) unwritten_ = std::max(unwritten_, own);
    }
    group_ = unit * numbers_ > kGroup ? group(unit_of_long) : group(unit);
  }

  void run(int64_t first, int64_t last) const {
    // Each task makes what it runs anew, so they are not many.
    constexpr int64_t kTasksOfThread = 16;
    const int64_t tasks = kTasksOfThread * most_threads();
    const int64_t wanted =
        std::max(kPerTask / numbers_, (last - first) / tasks);
    const int64_t some = group_ * std::max<int64_t>(wanted / group_, 1);
    share_loop((last - first + some - 1) / some, [&](int64_t task) {
      run_task(first + task * some, std::min(last, first + (task + 1) * some));
    });
  }

 private:
  /// About kGroup numbers, whole vectors where these are not too many.
  int64_t group(int64_t unit) const {
    if (unit * numbers_ > kMostOfGroup) {
      return std::max<int64_t>(kGroup / numbers_, 1);
    }
    return unit * std::max<int64_t>(kGroup / (unit * numbers_), 1);
  }

  void run_task(int64_t first, int64_t last) const {
    std::byte* const memory = scratch_bytes(Scratch::kTiles, memory_);
    std::byte* const unwritten =
        scratch_bytes(Scratch::kLines,
                      sizeof(float) * static_cast<size_t>(group_ * unwritten_));
    std::vector<std::optional<TileRun>> runs(steps_.size());
    for (size_t s = 0; s < steps_.size(); ++s) {
      if (steps_[s].program == nullptr || factors_[s]) continue;
      runs[s].emplace(*steps_[s].program, steps_[s].inputs, tile_lanes_[s],
                      memory);
    }
    for (int64_t begin = first; begin < last; begin += group_) {
      const int64_t end = std::min(begin + group_, last);
      for (size_t s = 0; s < steps_.size(); ++s) {
        if (factors_[s]) {
          sum(s, *factors_[s], begin, end);
          continue;
        }
        const std::byte* computed =
            runs[s] ? compute(s, *runs[s], begin, end, unwritten)
                    : reinterpret_cast<const std::byte*>(steps_[s].from +
                                                         begin * lengths_[s]);
        if (steps_[s].fold) fold(s, computed, begin, end);
      }
    }
  }

  void sum(size_t s, const Factors& factors, int64_t begin, int64_t end) const {
    const LineFold& own = *steps_[s].fold;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i * own.folded;
      steps_[s].folds[i] = sum_products(factors.x + first, factors.y + first,
                                        own.folded, own.init);
    }
  }

  /// Where the lines are then.
  const std::byte* compute(size_t s, TileRun& run, int64_t begin, int64_t end,
                           std::byte* unwritten) const {
    const LineStep& step = steps_[s];
    const auto width = static_cast<int64_t>(width_of(step.program->result));
    std::byte* const to =
        step.to == nullptr ? unwritten : step.to + begin * lengths_[s] * width;
    run.run(begin * lengths_[s], end * lengths_[s], to);
    return to;
  }

  void fold(size_t s, const std::byte* lines, int64_t begin,
            int64_t end) const {
    const LineFold& fold = *steps_[s].fold;
    const auto* const numbers = reinterpret_cast<const float*>(lines);
    for (int64_t i = begin; i < end; ++i) {
      const float* const line = numbers + (i - begin) * fold.folded;
      if (steps_[s].program == nullptr && i + 1 < lines_) {
        fetch(line + fold.folded, fold.folded);
      }
      steps_[s].folds[i] = fold_line(fold.fold, line, fold.folded, fold.init);
    }
  }

  std::span<const LineStep> steps_;
  int64_t lines_;
  int64_t numbers_ = 0;                          // of a line of all steps
  std::vector<int64_t> lengths_;                 // of a line of each step
  std::vector<int64_t> tile_lanes_;              // of each step
  std::vector<std::optional<Factors>> factors_;  // of each step
  int64_t group_ = 1;                            // lines
  size_t memory_ = 0;                            // bytes of the registers
  int64_t unwritten_ = 0;  // numbers of the longest line that is only folded
};

}  // namespace

void run_lines(std::span<const LineStep> steps, int64_t lines) {
  run_lines(steps, lines, 0, lines);
}

void run_lines(std::span<const LineStep> steps, int64_t lines, int64_t first,
               int64_t last) {
  if (first < last) Lines(steps, lines).run(first, last);
}

}  // namespace hlo::cpu
