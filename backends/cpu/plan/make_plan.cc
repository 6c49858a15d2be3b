#include "backends/cpu/plan/make_plan.h"

#include <algorithm>
#include <map>

#include "backends/cpu/graph/build_graph.h"
#include "backends/cpu/plan/fuse.h"

namespace hlo::cpu {
namespace {

constexpr size_t kBoundary = 64;

/// A block of memory that pieces are taken from and given back to.
class Block {
 public:
  size_t take(size_t bytes) {
    auto best = free_.end();
    for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
      if (piece->second >= bytes &&
          (best == free_.end() || piece->second < best->second)) {
        best = piece;
      }
    }
    if (best == free_.end()) return grow(bytes);
    const auto [offset, size] = *best;
    free_.erase(best);
    if (size > bytes) free_.emplace(offset + bytes, size - bytes);
    return offset;
  }

  void give_back(size_t offset, size_t bytes) {
    auto piece = free_.emplace(offset, bytes).first;
    const auto next = std::next(piece);
    if (next != free_.end() && piece->first + piece->second == next->first) {
      piece->second += next->second;
      free_.erase(next);
    }
    if (piece == free_.begin()) return;
    const auto before = std::prev(piece);
    if (before->first + before->second == piece->first) {
      before->second += piece->second;
      free_.erase(piece);
    }
  }

  size_t size() const { return size_; }

 private:
  /// The free piece at the end, if there is one, grows.
  size_t grow(size_t bytes) {
    size_t offset = size_;
    if (!free_.empty()) {
      const auto last = std::prev(free_.end());
      if (last->first + last->second == size_) {
        offset = last->first;
        free_.erase(last);
      }
    }
    size_ = offset + bytes;
    return offset;
  }

  std::map<size_t, size_t> free_;  // offsets and sizes
  size_t size_ = 0;
};

size_t rounded_up(size_t bytes) {
  return (bytes + kBoundary - 1) / kBoundary * kBoundary;
}

/// Gives each value that a step writes its place in the block.
class Assignment {
 public:
  explicit Assignment(StepPlan& plan)
      : plan_(plan),
        last_reads_(plan.graph.values.size()),
        holds_(plan.graph.values.size()) {
    plan.offsets.assign(plan.graph.values.size(), -1);
    for (size_t s = 0; s < plan.steps.size(); ++s) {
      for (const size_t value : plan.steps[s].reads) last_reads_[value] = s;
      for (const size_t value : plan.steps[s].writes) last_reads_[value] = s;
    }
    for (const Operand& result : plan.graph.results) {
      last_reads_[result.value] = plan.steps.size();
    }
  }

  void run() {
    for (size_t s = 0; s < plan_.steps.size(); ++s) place(s);
    plan_.block_bytes = block_.size();
  }

 private:
  size_t bytes(size_t value) const {
    return rounded_up(plan_.graph.values[value].bytes);
  }

  void place(size_t s) {
    const Step& step = plan_.steps[s];
    const std::optional<size_t> before = overwritten(s);
    for (const size_t value : step.writes) {
      if (bytes(value) == 0) continue;
      holds_[value] = true;
      if (before && value == step.writes[0]) {
        plan_.offsets[value] = plan_.offsets[*before];
        holds_[*before] = false;
      } else {
        plan_.offsets[value] = static_cast<int64_t>(block_.take(bytes(value)));
      }
    }
    for (const size_t value : step.reads) release(value, s);
    for (const size_t value : step.writes) release(value, s);
  }

  /// The input that a pass reads last, element for element, and once.
  std::optional<size_t> overwritten(size_t s) const {
    const Step& step = plan_.steps[s];
    if (!step.writes_tiles()) return std::nullopt;
    for (size_t i = 0; i < step.program.inputs.size(); ++i) {
      const TileInput& input = step.program.inputs[i];
      const size_t value = step.reads[i];
      if (holds_[value] && last_reads_[value] == s &&
          input.width == step.program.result_width && input.view.offset == 0 &&
          input.view.is_contiguous() && bytes(value) == bytes(step.writes[0]) &&
          std::ranges::count(step.reads, value) == 1) {
        return value;
      }
    }
    return std::nullopt;
  }

  void release(size_t value, size_t s) {
    if (!holds_[value] || last_reads_[value] != s) return;
    holds_[value] = false;
    block_.give_back(static_cast<size_t>(plan_.offsets[value]), bytes(value));
  }

  StepPlan& plan_;
  std::vector<size_t> last_reads_;  // of values: steps
  std::vector<bool> holds_;         // of values: a place in the block
  Block block_;
};

}  // namespace

std::optional<StepPlan> make_plan(const Computation& computation) {
  std::optional<Graph> graph = make_graph(computation);
  if (!graph) return std::nullopt;
  StepPlan plan;
  plan.graph = *std::move(graph);
  plan.steps = make_steps(plan.graph);
  Assignment(plan).run();
  return plan;
}

}  // namespace hlo::cpu
