#include "backends/cpu/plan/fuse.h"

#include <algorithm>
#include <unordered_map>

namespace hlo::cpu {
namespace {

constexpr size_t kMostFused = 64;  // so that the registers of a pass fit L2
constexpr int64_t kNobody = -1;
constexpr int64_t kSeveral = -2;

size_t width_of(const Value& value) {
  return static_cast<size_t>(storage_bytes(value.shape.element_type));
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
      TileOp op = node.op;
      for (size_t k = 0; k < node.operands.size(); ++k) {
        op.operands[k] = static_cast<uint16_t>(place_of(node.operands[k]));
      }
      // The last operation has a register of its own: it is memory outside.
      if (i + 1 < step_.fused.size()) release(node, i);
      const size_t out =
          i + 1 < step_.fused.size() ? fresh() : program.registers++;
      op.out = static_cast<uint16_t>(out);
      members_[node.results[0]] = out;
      program.ops.push_back(op);
    }
    const Value& result = graph_.values[result_of(step_.fused.back())];
    program.result_width = width_of(result);
    program.count = result.shape.element_count();
  }

 private:
  size_t result_of(size_t node) const { return graph_.nodes[node].results[0]; }

  /// The register of an input.
  size_t input(const Operand& operand) {
    const TileInput wanted{operand.view.collapsed(),
                           width_of(graph_.values[operand.value])};
    std::vector<TileInput>& inputs = step_.program.inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (step_.reads[i] == operand.value && inputs[i] == wanted) return i;
    }
    inputs.push_back(wanted);
    step_.reads.push_back(operand.value);
    return inputs.size() - 1;
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

}  // namespace

std::vector<Step> make_steps(const Graph& graph) {
  const Passes passes(graph);
  std::vector<std::vector<size_t>> members(graph.nodes.size());
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    members[passes.of(n)].push_back(n);
  }
  std::vector<Step> steps;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (passes.of(n) != n) continue;
    const Node& node = graph.nodes[n];
    Step step;
    step.node = n;
    step.writes = node.results;
    if (node.kind == NodeKind::kMap) {
      step.fused = std::move(members[n]);
      ProgramWriter(graph, step).write();
    } else {
      for (const Operand& operand : node.operands) {
        step.reads.push_back(operand.value);
      }
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace hlo::cpu
