#include "backends/cpu/plan/make_plan.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "backends/cpu/graph/build_graph.h"
#include "backends/cpu/kernels/lanes/run_fast_function.h"
#include "backends/cpu/kernels/tiles/join_operations.h"
#include "backends/cpu/plan/block/pieces.h"
#include "backends/cpu/plan/steps/bands.h"
#include "backends/cpu/plan/steps/divisions.h"
#include "backends/cpu/plan/steps/fuse.h"
#include "backends/cpu/plan/steps/live_ranges.h"
#include "interpreter/rules/op.h"

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

/// Where each step's division ends, or its band, or it by itself.
std::vector<size_t> ends_of_runs(const StepPlan& plan) {
  std::vector<size_t> ends = ends_of_bands(plan);
  for (const Division& division : plan.divisions) {
    std::fill_n(ends.begin() + static_cast<std::ptrdiff_t>(division.first),
                division.count, division.first + division.count);
  }
  return ends;
}

/// Whether the step may write over the value where other steps of its band or
/// division read it before.
bool is_read_before(const StepPlan& plan, size_t step, size_t value) {
  return is_read_by_lines(plan, step, value) &&
         is_read_by_parts(plan, step, value);
}

/// Gives each value that a step writes its place in the block.
class Assignment {
 public:
  explicit Assignment(StepPlan& plan)
      : plan_(plan),
        ends_(ends_of_runs(plan)),
        ranges_(live_ranges(plan)),
        holds_(plan.graph.values.size()),
        piece_of_(plan.graph.values.size()) {
    plan.offsets.assign(plan.graph.values.size(), -1);
    plan.before.assign(plan.graph.values.size(), -1);
  }

  void run() {
    for (size_t s = 0; s < plan_.steps.size(); ++s) place(s);
    plan_.block_bytes = block_.size();
    pack();
  }

 private:
  size_t bytes(size_t value) const {
    return rounded_up(plan_.graph.values[value].bytes);
  }

  void place(size_t s) {
    const Step& step = plan_.steps[s];
    const std::optional<size_t> before = overwritten(s);
    for (const size_t value : step.writes) {
      if (bytes(value) == 0 || plan_.over[value] >= 0) continue;
      holds_[value] = true;
      if (before && value == step.writes[0]) {
        plan_.offsets[value] = plan_.offsets[*before];
        plan_.before[value] = static_cast<int64_t>(*before);
        piece_of_[value] = piece_of_[*before];
        holds_[*before] = false;
      } else {
        const size_t offset = take(value, s);
        plan_.offsets[value] = static_cast<int64_t>(offset);
        piece_of_[value] = piece_at_.at(offset);
      }
    }
    for (const size_t value : step.reads) release(value, s);
    for (const size_t value : step.writes) release(value, s);
    if (s + 1 == ends_[s]) give_back(s);
  }

  size_t take(size_t value, size_t s) {
    const auto own = spare_.find(plan_.graph.values[value].bytes);
    if (own != spare_.end()) return spare_.extract(own).mapped();
    const size_t offset = block_.take(bytes(value));
    piece_at_[offset] = pieces_.size();
    pieces_.push_back({bytes(value), s, plan_.steps.size()});
    return offset;
  }

  /// Puts the pieces of the block closer together where that is known to be
  /// possible, now that it is known how long each is needed.
  void pack() {
    constexpr size_t kMostPieces = 4096;  // each is held against all others
    if (pieces_.size() > kMostPieces ||
        least_bytes_of(pieces_) == plan_.block_bytes) {
      return;
    }
    const Packing packing = packed(pieces_);
    if (packing.bytes >= plan_.block_bytes) return;
    for (size_t value = 0; value < piece_of_.size(); ++value) {
      if (plan_.offsets[value] < 0) continue;
      plan_.offsets[value] =
          static_cast<int64_t>(packing.offsets[piece_of_[value]]);
    }
    plan_.block_bytes = packing.bytes;
  }

  /// What the step reads last, and writes its first result over.
  std::optional<size_t> overwritten(size_t s) const {
    const Step& step = plan_.steps[s];
    for (size_t i = 0; i < step.reads.size(); ++i) {
      const size_t value = step.reads[i];
      if (holds_[value] && ranges_[value].last == s &&
          may_write_over(plan_, step, i) && is_read_before(plan_, s, value)) {
        return value;
      }
    }
    return std::nullopt;
  }

  void release(size_t value, size_t s) {
    if (!holds_[value] || ranges_[value].last != s) return;
    holds_[value] = false;
    const auto offset = static_cast<size_t>(plan_.offsets[value]);
    if (s + 1 < ends_[s] && is_read_before(plan_, s + 1, value)) {
      spare_.emplace(plan_.graph.values[value].bytes, offset);
    } else {
      unused_.emplace_back(offset, bytes(value));
    }
  }

  /// What the steps of a band, whose last one this is, do not need any more.
  void give_back(size_t s) {
    for (const auto& [own, offset] : spare_) {
      unused_.emplace_back(offset, rounded_up(own));
    }
    for (const auto& [offset, own] : unused_) {
      block_.give_back(offset, own);
      pieces_[piece_at_.at(offset)].last = s;
    }
    spare_.clear();
    unused_.clear();
  }

  StepPlan& plan_;
  std::vector<size_t> ends_;       // of steps: of their bands
  std::vector<LiveRange> ranges_;  // of values
  std::vector<bool> holds_;        // of values: a place in the block
  // Places in a band, by their bytes, of arrays that no step reads any more. A
  // later step may have them for an array of as many bytes, as line follows
  // line in both.
  std::multimap<size_t, size_t> spare_;
  std::vector<std::pair<size_t, size_t>> unused_;  // no later step has those
  Block block_;
  std::vector<Piece> pieces_;          // that were taken from it
  std::map<size_t, size_t> piece_at_;  // by their offsets
  std::vector<size_t> piece_of_;       // of values that lie in it
};

/// What of the body of a loop is written over the state, and so is there when
/// the body begins anew: a result that nothing but its step and the end reads
/// together with the argument that it becomes.
class StateAssignment {
 public:
  explicit StateAssignment(StepPlan& plan)
      : plan_(plan), uses_(plan.graph.values.size()) {
    for (const Operand& result : plan.graph.results) ++uses_[result.value];
  }

  void run() {
    // The leaves of the only parameter are the first values.
    for (size_t i = 0; i < plan_.graph.results.size(); ++i) {
      const Operand& result = plan_.graph.results[i];
      if (uses_[i] == 0 && uses_[result.value] == 1 && result.is_whole() &&
          may_lie_over(result.value, i)) {
        plan_.over[result.value] = plan_.graph.values[i].argument;
      }
    }
  }

 private:
  bool may_lie_over(size_t value, size_t argument) const {
    const size_t bytes = plan_.graph.values[value].bytes;
    for (const Step& step : plan_.steps) {
      const bool reads = std::ranges::count(step.reads, argument) != 0;
      if (std::ranges::count(step.writes, value) == 0) continue;
      const auto s = static_cast<size_t>(&step - plan_.steps.data());
      return bytes != 0 && bytes == plan_.graph.values[argument].bytes &&
             is_last(step, argument) && is_read_before(plan_, s, argument) &&
             (!reads || writes_over(step, value, argument));
    }
    return false;
  }

  /// Whether no step behind this one reads the value.
  bool is_last(const Step& step, size_t value) const {
    const auto next = plan_.steps.begin() + (&step - plan_.steps.data()) + 1;
    return std::none_of(next, plan_.steps.end(), [&](const Step& later) {
      return std::ranges::count(later.reads, value) != 0;
    });
  }

  bool writes_over(const Step& step, size_t value, size_t argument) const {
    const auto at = std::ranges::find(step.reads, argument);
    return step.writes[0] == value &&
           may_write_over(plan_, step,
                          static_cast<size_t>(at - step.reads.begin()));
  }

  StepPlan& plan_;
  std::vector<size_t> uses_;  // of values: results that they are
};

/// Whether many elements of the result divide by one and the same of an input.
bool divides_by_one_of_many(const TileProgram& program, const LaneOp& op) {
  if (op.operands[1] >= program.inputs.size()) return false;
  const View& view = program.inputs[op.operands[1]].view;
  return view.dims.empty() || view.strides.back() == 0;
}

/// Puts cheaper operations in the place of those of passes over tiles.
void use_fast_codes(std::vector<Step>& steps) {
  for (Step& step : steps) {
    for (LaneOp& op : step.program.ops) {
      const bool is_cheap = op.code != Code::kDivideF32 ||
                            divides_by_one_of_many(step.program, op);
      if (is_cheap) op.code = fast_code(op.code).value_or(op.code);
    }
  }
}

/// Plans of the computations that loops run, each made once.
class Planner {
 public:
  explicit Planner(Numerics numerics) : numerics_(numerics) {}

  std::optional<StepPlan> made(const Computation& computation, bool is_body) {
    std::optional<Graph> graph = make_graph(computation);
    if (!graph) return std::nullopt;
    StepPlan plan;
    plan.graph = *std::move(graph);
    nodes_ += plan.graph.nodes.size();
    plan.steps = make_steps(plan.graph);
    if (numerics_ == Numerics::kFast) use_fast_codes(plan.steps);
    for (Step& step : plan.steps) {
      join_operations(step.program);
      plan_loop(plan.graph, step);
    }
    plan.bands = find_bands(plan);
    plan.divisions = find_divisions(plan);
    plan.over.assign(plan.graph.values.size(), -1);
    if (is_body) StateAssignment(plan).run();
    Assignment(plan).run();
    return plan;
  }

 private:
  using Known = std::shared_ptr<const StepPlan>;

  /// Makes a loop of a function that is one, where its computations have plans.
  void plan_loop(Graph& graph, Step& step) {
    Node& node = graph.nodes[step.node];
    if (node.kind != NodeKind::kFunction ||
        node.instruction->op->name != "while") {
      return;
    }
    step.loop.condition =
        known(*node.instruction->get<Computation*>("condition"), false);
    if (step.loop.condition == nullptr) return;
    step.loop.body = known(*node.instruction->get<Computation*>("body"), true);
    if (step.loop.body == nullptr) return;
    node.kind = NodeKind::kLoop;
    const size_t bytes =
        std::max(step.loop.condition->block_bytes, step.loop.body->block_bytes);
    step.writes.push_back(graph.add_value(
        Shape::array(ElementType::kU8, {static_cast<int64_t>(bytes)})));
  }

  Known known(const Computation& computation, bool is_body) {
    constexpr size_t kMostNodes = 100'000;  // of all plans
    constexpr size_t kMostLevels = 30;      // loops in each other
    constexpr size_t kCostOfNone = 10'000;
    const auto [at, is_new] =
        known_.try_emplace(std::pair{&computation, is_body});
    if (!is_new) return at->second;
    if (nodes_ > kMostNodes || levels_ >= kMostLevels) return nullptr;
    ++levels_;
    std::optional<StepPlan> plan = made(computation, is_body);
    --levels_;
    if (!plan) {
      nodes_ += kCostOfNone;
      return nullptr;
    }
    return known_[{&computation, is_body}] =
               std::make_shared<const StepPlan>(*std::move(plan));
  }

  Numerics numerics_;
  std::map<std::pair<const Computation*, bool>, Known> known_;
  size_t nodes_ = 0;
  size_t levels_ = 0;
};

}  // namespace

std::optional<StepPlan> make_plan(const Computation& computation,
                                  Numerics numerics) {
  return Planner(numerics).made(computation, /*is_body=*/false);
}

}  // namespace hlo::cpu
