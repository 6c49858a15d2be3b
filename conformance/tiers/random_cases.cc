#include "conformance/tiers/random_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "backends/backend.h"
#include "conformance/judge/collective_calls.h"
#include "conformance/judge/judge_instruction.h"
#include "conformance/random/draw.h"
#include "conformance/random/random_program.h"
#include "conformance/tiers/drawn_layout.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/clone.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// What the inputs of a case have at most.
constexpr int64_t kMostElements = 4096;

/// Layouts for what the program takes and gives.
EntryLayout draw_layouts(Draw& draw, const Computation& entry) {
  EntryLayout layout;
  const auto with_layouts = [&](Shape shape) {
    if (shape.is_array()) draw_layout(draw, shape);
    for (Shape& part : shape.tuple_shapes) {
      if (part.is_array()) draw_layout(draw, part);
    }
    return shape;
  };
  for (const Instruction* parameter : entry.parameters) {
    layout.parameters.push_back(with_layouts(parameter->shape));
  }
  layout.result = with_layouts(entry.root->shape);
  return layout;
}

bool is_of_arrays(const Shape& shape) {
  const std::vector<const Shape*> parts = leaves(shape);
  return !parts.empty() && std::ranges::all_of(parts, [](const Shape* leaf) {
    return leaf->is_array();
  });
}

int64_t element_count(const std::vector<Literal>& leaves) {
  int64_t count = 0;
  for (const Literal& leaf : leaves) count += leaf.element_count();
  return count;
}

/// Gathers the cases of one program while the reference runs it.
class Gatherer {
 public:
  Gatherer(uint32_t seed, uint32_t number)
      : seed_(seed),
        number_(number),
        draw_(program_seed() ^ uint64_t{1} << 63U) {}

  std::vector<Case> gather() {
    const Module module = verified_module(random_program(program_seed()));
    EvaluatorOptions options;
    options.observer_of = [this](const Device& device) -> Observer {
      if (device.replica + device.partition > 0) return nullptr;
      return [this](const Instruction& instruction, Operands operands,
                    const Literal&) { see(instruction, operands); };
    };
    options.meeting_observer = [this](const Meeting& meeting) {
      if (const auto call = calls_.add(meeting)) see(*call);
    };
    options.infeed = [this](const Shape& shape) {
      return draw_.literal(shape);
    };
    try {
      evaluate_devices(module, arguments(module), options);
    } catch (const Error&) {  // what came before it is there
    }
    return std::move(cases_);
  }

 private:
  uint64_t program_seed() const { return uint64_t{seed_} << 32U | number_; }

  std::vector<std::vector<Literal>> arguments(const Module& module) {
    std::vector<std::vector<Literal>> lists(
        static_cast<size_t>(device_count(module)));
    for (std::vector<Literal>& list : lists) {
      for (const Instruction* parameter : module.entry->parameters) {
        list.push_back(draw_.literal(parameter->shape));
      }
    }
    return lists;
  }

  void see(const Instruction& instruction, Operands operands) {
    if (!is_compared(instruction) || instruction.op->form == Form::kConstant) {
      return;
    }
    add(instruction, extract_sized(instruction, operands),
        arguments_of_one(instruction, operands));
  }

  void see(const CollectiveCall& call) {
    const auto module = module_of(call);
    if (module == nullptr) return;
    std::vector<Literal> inputs;
    for (const std::vector<Literal>& own : arguments_of(call)) {
      std::ranges::move(array_leaves(own), std::back_inserter(inputs));
    }
    add(*call.collective, clone(*module), std::move(inputs));
  }

  void add(const Instruction& instruction, Module module,
           std::vector<Literal> inputs) {
    if (!is_of_arrays(module.entry->root->shape) ||
        element_count(inputs) > kMostElements) {
      return;
    }
    module.entry_layout = draw_layouts(draw_, *module.entry);
    Case c;
    c.id =
        fmt::format("{}/{}/full-{}-{}-{}", instruction.op->name,
                    type_of(instruction.shape), seed_, number_, cases_.size());
    c.statement = "an instruction of a random program";
    c.why = {"Random"};
    c.hlo = text::print(module);
    c.inputs = std::move(inputs);
    c.asks_reference = true;
    c.from_reference = true;
    c.file = "full";
    c.line = static_cast<int>(number_);
    cases_.push_back(std::move(c));
  }

  static std::string type_of(const Shape& shape) {
    return std::string(name(leaves(shape).at(0)->element_type));
  }

  uint32_t seed_;
  uint32_t number_;
  Draw draw_;
  CollectiveCalls calls_;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<Case> cases_of_program(uint32_t seed, uint32_t number) {
  return Gatherer(seed, number).gather();
}

std::vector<Case> cases_from_program(uint32_t seed, uint32_t number,
                                     size_t count) {
  std::vector<Case> cases;
  while (cases.size() < count) {
    std::ranges::move(cases_of_program(seed, number++),
                      std::back_inserter(cases));
  }
  cases.resize(count);
  return cases;
}

}  // namespace hlo::conformance
