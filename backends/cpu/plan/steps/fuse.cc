#include "backends/cpu/plan/steps/fuse.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "backends/cpu/plan/steps/fuse_folds.h"
#include "backends/cpu/plan/steps/narrow_lanes.h"
#include "backends/cpu/routines/regions/lane_code.h"

namespace hlo::cpu {
namespace {

constexpr size_t kMostFused = 64;  // so that the registers of a pass fit L2
constexpr int64_t kNobody = -1;
constexpr int64_t kSeveral = -2;

Stored stored_as(const Value& value) {
  return stored_of(value.shape.element_type);
}

/// Whether the operation gives numbers of a narrow float type for such numbers.
bool is_exact(Code code) {
  switch (code) {
    case Code::kAddF32:
    case Code::kSubtractF32:
    case Code::kMultiplyF32:
    case Code::kDivideF32:
    case Code::kSqrtF32:
    case Code::kRsqrtF32:
    case Code::kExponentialF32:
    case Code::kExponentialMinusOneF32:
    case Code::kLogF32:
    case Code::kLogPlusOneF32:
    case Code::kTanhF32:
    case Code::kLogisticF32:
    case Code::kSineF32:
    case Code::kCosineF32:
    case Code::kErfF32:
    case Code::kPowerF32:
    case Code::kS32ToF32:
    case Code::kF64ToOddF32:
      return false;
    default:
      return true;
  }
}

/// What wraps numbers of a type of short integers, and what takes the nearest.
struct Fitting {
  Stored stored;
  Code wrap;
  Code saturate;
};

constexpr Fitting kFittings[] = {
    {Stored::kS8, Code::kWrapS8, Code::kSaturateS8},
    {Stored::kU8, Code::kWrapU8, Code::kSaturateU8},
    {Stored::kS16, Code::kWrapS16, Code::kSaturateS16},
    {Stored::kU16, Code::kWrapU16, Code::kSaturateU16},
};

std::optional<Code> fitted(Code code, const Fitting& to) {
  switch (code) {
    case Code::kF32ToS32:
    case Code::kF64ToS32:
      return to.saturate;
    case Code::kAddS32:
    case Code::kSubtractS32:
    case Code::kMultiplyS32:
    case Code::kNegateS32:
    case Code::kAbsS32:
    case Code::kNotS32:
    case Code::kShiftLeftS32:
    case Code::kS64ToS32:
    case Code::kCopy:
      return to.wrap;
    default:
      return std::nullopt;
  }
}

/// What makes a number of the type of what the operation has in its lane;
/// nothing where it is one.
std::optional<Code> fitted(Code code, Stored type) {
  if (type == Stored::kBf16 && !is_exact(code)) return Code::kRoundToBf16;
  if (type == Stored::kF16 && !is_exact(code)) return Code::kRoundToF16;
  for (const Fitting& to : kFittings) {
    if (to.stored == type) return fitted(code, to);
  }
  return std::nullopt;
}

/// Which pass each node belongs to, named by its last node.
class Passes {
 public:
  explicit Passes(const Graph& graph)
      : graph_(graph),
        readers_(graph.values.size(), kNobody),
        pass_of_(graph.nodes.size()),
        sizes_(graph.nodes.size(), 1) {
    for (const Operand& result : graph.results) {
      readers_[result.value] = kSeveral;
    }
    for (size_t n = graph.nodes.size(); n-- > 0;) place(n);
  }

  size_t of(size_t node) const { return pass_of_[node]; }

 private:
  void place(size_t n) {
    const Node& node = graph_.nodes[n];
    pass_of_[n] = n;
    if (node.kind == NodeKind::kMap) {
      const int64_t reader = readers_[node.results[0]];
      if (reader >= 0 && sizes_[static_cast<size_t>(reader)] < kMostFused) {
        pass_of_[n] = static_cast<size_t>(reader);
        ++sizes_[pass_of_[n]];
      }
    }
    for (const Operand& operand : node.operands) {
      const bool fits = node.kind == NodeKind::kMap && operand.is_whole() &&
                        operand.view.count() == count_of(operand.value);
      note(operand.value, fits ? static_cast<int64_t>(pass_of_[n]) : kSeveral);
    }
  }

  void note(size_t value, int64_t reader) {
    int64_t& own = readers_[value];
    own = own == kNobody || own == reader ? reader : kSeveral;
  }

  int64_t count_of(size_t value) const {
    return graph_.values[value].shape.element_count();
  }

  const Graph& graph_;
  std::vector<int64_t> readers_;  // the only pass that reads each value
  std::vector<size_t> pass_of_;
  std::vector<size_t> sizes_;
};

/// Writes the program of one pass.
class ProgramWriter {
 public:
  ProgramWriter(const Graph& graph, Step& step) : graph_(graph), step_(step) {
    for (const size_t n : step.fused) members_.emplace(result_of(n), 0);
    for (size_t i = 0; i < step.fused.size(); ++i) {
      for (const Operand& operand : graph.nodes[step.fused[i]].operands) {
        if (members_.contains(operand.value)) {
          last_uses_[operand.value] = i;
        } else {
          input(operand);
        }
      }
    }
  }

  void write() {
    TileProgram& program = step_.program;
    program.registers = program.inputs.size();
    for (size_t i = 0; i < step_.fused.size(); ++i) {
      const Node& node = graph_.nodes[step_.fused[i]];
      LaneOp op = node.op;
      for (size_t k = 0; k < node.operands.size(); ++k) {
        op.operands[k] = static_cast<uint16_t>(place_of(node.operands[k]));
      }
      const size_t out = place_of_result(node, i);
      op.out = static_cast<uint16_t>(out);
      members_[node.results[0]] = out;
      program.ops.push_back(op);
      const Stored type = stored_of_result(step_.fused[i]);
      if (type == Stored::kWide) program.lane_bytes = sizeof(uint64_t);
      if (const std::optional<Code> fit = fitted(op.code, type)) {
        program.ops.push_back({*fit, op.out, {op.out}});
      }
    }
    const Value& result = graph_.values[result_of(step_.fused.back())];
    program.result = stored_as(result);
    program.count = result.shape.element_count();
  }

 private:
  size_t result_of(size_t node) const { return graph_.nodes[node].results[0]; }

  Stored stored_of_result(size_t node) const {
    return stored_as(graph_.values[result_of(node)]);
  }

  /// Whether lanes of 64 bits are made of such of 32, which lie in half of
  /// their register: it may not be that of the result.
  bool widens(const Node& node) const {
    const auto is_wide = [this](size_t value) {
      return stored_as(graph_.values[value]) == Stored::kWide;
    };
    return is_wide(node.results[0]) &&
           !std::ranges::all_of(node.operands, is_wide, &Operand::value);
  }

  /// The register of an input.
  size_t input(const Operand& operand) {
    const TileInput wanted{operand.view.collapsed(),
                           stored_as(graph_.values[operand.value])};
    std::vector<TileInput>& inputs = step_.program.inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (step_.reads[i] == operand.value && inputs[i] == wanted) return i;
    }
    inputs.push_back(wanted);
    if (wanted.stored == Stored::kWide) {
      step_.program.lane_bytes = sizeof(uint64_t);
    }
    step_.reads.push_back(operand.value);
    return inputs.size() - 1;
  }

  /// The register of what operation i computes.
  size_t place_of_result(const Node& node, size_t i) {
    // The last operation has one of its own: it is memory outside.
    if (i + 1 == step_.fused.size()) return step_.program.registers++;
    if (!widens(node)) {
      release(node, i);
      return fresh();
    }
    const size_t own = fresh();
    release(node, i);
    return own;
  }

  size_t place_of(const Operand& operand) {
    const auto member = members_.find(operand.value);
    return member != members_.end() ? member->second : input(operand);
  }

  /// Gives back the registers that operation i reads last.
  void release(const Node& node, size_t i) {
    for (const Operand& operand : node.operands) {
      const auto last = last_uses_.find(operand.value);
      if (last == last_uses_.end() || last->second != i) continue;
      free_.push_back(members_.at(operand.value));
      last_uses_.erase(last);
    }
  }

  size_t fresh() {
    if (free_.empty()) return step_.program.registers++;
    const size_t own = free_.back();
    free_.pop_back();
    return own;
  }

  const Graph& graph_;
  Step& step_;
  std::unordered_map<size_t, size_t> members_;    // values and registers
  std::unordered_map<size_t, size_t> last_uses_;  // values and operations
  std::vector<size_t> free_;
};

/// Makes a step of each pass and of each node that belongs to none.
class StepMaker {
 public:
  explicit StepMaker(const Graph& graph)
      : graph_(graph),
        passes_(graph),
        members_(graph.nodes.size()),
        folds_(folds_of_nodes(graph)),
        uses_(uses_of_values(graph)) {
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      members_[passes_.of(n)].push_back(n);
    }
  }

  std::vector<Step> made() {
    std::vector<bool> done(graph_.nodes.size());
    for (const int64_t fold : folds_) {
      if (fold >= 0) done[static_cast<size_t>(fold)] = true;
    }
    std::vector<Step> steps;
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (passes_.of(n) == n && !done[n]) steps.push_back(step(n));
    }
    return steps;
  }

 private:
  Step step(size_t n) {
    const Node& node = graph_.nodes[n];
    Step step;
    step.node = n;
    step.writes = node.results;
    if (node.kind == NodeKind::kMap) {
      step.fused = std::move(members_[n]);
      ProgramWriter(graph_, step).write();
      if (folds_[n] >= 0) {
        add_fold(step, static_cast<size_t>(folds_[n]));
      } else {
        use_narrow_lanes(step.program);
      }
    } else {
      for (const Operand& operand : node.operands) {
        step.reads.push_back(operand.value);
      }
    }
    return step;
  }

  /// A node that a fold reads is the last of its pass, as no other pass does.
  void add_fold(Step& step, size_t n) const {
    const Node& fold = graph_.nodes[n];
    step.fold = static_cast<int64_t>(n);
    step.reads.push_back(fold.operands[1].value);
    if (uses_[step.writes[0]] == 1) step.writes.clear();
    step.writes.push_back(fold.results[0]);
  }

  const Graph& graph_;
  Passes passes_;
  std::vector<std::vector<size_t>> members_;  // of passes
  std::vector<int64_t> folds_;                // of nodes
  std::vector<size_t> uses_;                  // of values
};

}  // namespace

std::vector<Step> make_steps(const Graph& graph) {
  return StepMaker(graph).made();
}

}  // namespace hlo::cpu
