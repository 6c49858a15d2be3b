#include "backends/cpu/graph/build_graph.h"

#include <unordered_map>
#include <utility>

#include "backends/cpu/graph/kernel_nodes.h"
#include "backends/cpu/graph/lane_nodes.h"
#include "backends/cpu/routines/make_routine.h"
#include "backends/cpu/routines/regions/combining_region.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

constexpr size_t kMostNodes = 100'000;

using Leaves = std::vector<Operand>;

/// What a computation is too long or too new for.
struct NoPlan {};

void require_static(const Shape& shape) {
  for (const Shape* leaf : leaves(shape)) {
    if (leaf->has_dynamic_dimensions() ||
        (!leaf->is_array() && !leaf->is_token())) {
      throw NoPlan();
    }
    if (leaf->is_array() &&
        leaf->element_count() >
            Literal::kMaxBytes / storage_bytes(leaf->element_type)) {
      throw NoPlan();
    }
  }
}

const Computation* called(const Instruction& instruction) {
  if (instruction.op->name == "call") {
    return instruction.get<Computation*>("to_apply");
  }
  if (instruction.op->name == "fusion") {
    return instruction.get<Computation*>("calls");
  }
  return nullptr;
}

/// Whether the instruction is its operands, one after the other.
bool is_alias(std::string_view name) {
  return name == "tuple" || name == "opt-barrier" || name == "domain";
}

class GraphBuilder {
 public:
  Leaves build(const Computation& computation,
               const std::vector<Leaves>& arguments) {
    std::unordered_map<const Instruction*, Leaves> known;
    for (const auto& instruction : computation.instructions) {
      if (++seen_ > kMostNodes) throw NoPlan();
      require_static(instruction->shape);
      std::vector<Leaves*> operands;
      for (const Instruction* operand : instruction->operands) {
        operands.push_back(&known.at(operand));
      }
      Leaves result =
          instruction->parameter_number >= 0
              ? arguments.at(static_cast<size_t>(instruction->parameter_number))
              : leaves_of(*instruction, operands);
      known.emplace(instruction.get(), std::move(result));
    }
    return known.at(computation.root);
  }

  /// New values of a shape's leaves.
  Leaves values_of(const Shape& shape) {
    Leaves result;
    for (const Shape* leaf : leaves(shape)) {
      result.push_back({graph_.add_value(*leaf), View::dense(leaf->dims)});
    }
    return result;
  }

  /// The leaves of the parameters; tokens are no arguments.
  std::vector<Leaves> arguments_of(const Computation& computation) {
    std::vector<Leaves> arguments;
    int64_t next = 0;
    for (const Instruction* parameter : computation.parameters) {
      require_static(parameter->shape);
      arguments.push_back(values_of(parameter->shape));
      for (const Operand& leaf : arguments.back()) {
        Value& value = graph_.values[leaf.value];
        if (!value.shape.is_token()) value.argument = next++;
      }
    }
    return arguments;
  }

  Graph& graph() { return graph_; }

 private:
  Leaves leaves_of(const Instruction& instruction,
                   const std::vector<Leaves*>& operands) {
    const std::string_view name = instruction.op->name;
    if (const Computation* body = called(instruction)) {
      std::vector<Leaves> arguments;
      arguments.reserve(operands.size());
      for (const Leaves* operand : operands) arguments.push_back(*operand);
      return build(*body, arguments);
    }
    if (is_alias(name)) {
      Leaves all;
      for (const Leaves* operand : operands) {
        all.insert(all.end(), operand->begin(), operand->end());
      }
      return all;
    }
    if (name == "get-tuple-element")
      return element_of(instruction, *operands[0]);
    if (name == "constant" && is_known(instruction)) {
      Leaves result = values_of(instruction.shape);
      graph_.values[result[0].value].literal = instruction.literal.get();
      return result;
    }
    if (std::optional<Operand> result = by_kernel(instruction, operands)) {
      return {*std::move(result)};
    }
    return function_of(instruction, operands);
  }

  /// An array from arrays, where a kernel takes the instruction.
  std::optional<Operand> by_kernel(const Instruction& instruction,
                                   const std::vector<Leaves*>& operands) {
    if (!instruction.shape.is_array()) return std::nullopt;
    std::vector<Operand*> arrays;
    for (Leaves* operand : operands) {
      if (operand->size() != 1) return std::nullopt;
      arrays.push_back(operand->data());
    }
    return kernel_node(graph_, instruction, arrays);
  }

  static bool is_known(const Instruction& constant) {
    return constant.literal != nullptr && constant.shape.is_array();
  }

  static Leaves element_of(const Instruction& instruction,
                           const Leaves& tuple) {
    const auto index = static_cast<size_t>(instruction.get<int64_t>("index"));
    const Shape& shape = instruction.operand_shape(0);
    size_t first = 0;
    for (size_t i = 0; i < index; ++i) {
      first += leaves(shape.tuple_shapes[i]).size();
    }
    const size_t count = leaves(instruction.shape).size();
    const auto begin = tuple.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  Leaves function_of(const Instruction& instruction,
                     const std::vector<Leaves*>& operands) {
    Node node;
    node.instruction = &instruction;
    if (std::optional<Routine> routine = make_routine(instruction)) {
      node.kind = NodeKind::kRoutine;
      node.routine = std::make_shared<const Routine>(*std::move(routine));
    }
    const bool in_f32 = node.routine != nullptr && node.routine->in_f32;
    for (size_t i = 0; i < operands.size(); ++i) {
      // What is not read is named as another operand, so that it is not made.
      const bool is_read =
          !node.routine || node.routine->unread != static_cast<int64_t>(i);
      for (Operand& leaf : *operands[is_read ? i : 0]) {
        graph_.make_contiguous(leaf);
        node.operands.push_back(in_f32 ? widened(graph_, leaf) : leaf);
      }
    }
    return in_f32 ? results_in_f32(std::move(node), instruction.shape)
                  : results_of(std::move(node), values_of(instruction.shape));
  }

  /// Adds a node that computes these values.
  Leaves results_of(Node node, Leaves values) {
    for (const Operand& leaf : values) {
      node.results.push_back(leaf.value);
      graph_.values[leaf.value].node =
          static_cast<int64_t>(graph_.nodes.size());
    }
    graph_.nodes.push_back(std::move(node));
    return values;
  }

  /// The leaves of a shape, rounded where they are computed in f32.
  Leaves results_in_f32(Node node, const Shape& shape) {
    Leaves values;
    const std::vector<const Shape*> own = leaves(shape);
    for (const Shape* leaf : own) {
      Shape wide = *leaf;
      wide.element_type = combined_type(leaf->element_type);
      values.push_back({graph_.add_value(wide), View::dense(leaf->dims)});
    }
    Leaves results = results_of(std::move(node), std::move(values));
    for (size_t i = 0; i < results.size(); ++i) {
      results[i] = rounded(graph_, results[i], own[i]->element_type);
    }
    return results;
  }

  Graph graph_;
  size_t seen_ = 0;
};

}  // namespace

std::optional<Graph> make_graph(const Computation& computation) {
  GraphBuilder builder;
  try {
    Leaves results =
        builder.build(computation, builder.arguments_of(computation));
    for (Operand& leaf : results) builder.graph().make_contiguous(leaf);
    builder.graph().results = std::move(results);
    builder.graph().drop_unread_nodes();
  } catch (const NoPlan&) {
    return std::nullopt;
  }
  return std::move(builder.graph());
}

}  // namespace hlo::cpu
