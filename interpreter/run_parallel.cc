#include "interpreter/run_parallel.h"

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "interpreter/backend_config.h"
#include "interpreter/devices.h"
#include "interpreter/error.h"
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

using Json = nlohmann::json;

/// What backend_config and called_computations say.
struct Plan {
  Grid grid;
  std::vector<const Computation*> programs;  // by flattened id
  std::vector<const Computation*> infeed;    // each gives one value
};

/// The member as an integer in [low, high]; `otherwise` where there is none.
int64_t integer(const Json& config, const char* name, int64_t otherwise) {
  constexpr int64_t kMost = int64_t{1} << 20;
  const auto found = config.find(name);
  if (found == config.end()) return otherwise;
  require(found->is_number_integer() && *found >= 1 && *found <= kMost,
          "run-parallel.config",
          "replicas and partitions are integers from 1 to 2^20");
  return found->get<int64_t>();
}

std::vector<size_t> queue_indices(const Json& config, size_t count) {
  std::vector<size_t> indices;
  const Json list = config.value("infeed", Json::array());
  const auto is_index = [&](const Json& index) {
    return index.is_number_integer() && index >= 0 && index < count;
  };
  require(list.is_array() && std::ranges::all_of(list, is_index),
          "run-parallel.config",
          "infeed is a list of indices into called_computations");
  for (const Json& index : list) indices.push_back(index.get<size_t>());
  return indices;
}

Plan plan_of(const Instruction& custom_call) {
  const Json config = Json::parse(backend_config_text(custom_call), nullptr,
                                  /*allow_exceptions=*/false);
  require(config.is_object(), "run-parallel.config",
          "backend_config is a JSON object");
  const auto called =
      custom_call.get_or<Computations>("called_computations", {});
  Plan plan;
  plan.grid = {integer(config, "replicas", 1),
               integer(config, "partitions", 1)};
  std::vector<bool> is_queue(called.size(), false);
  for (const size_t index : queue_indices(config, called.size())) {
    is_queue[index] = true;
    plan.infeed.push_back(called[index]);
  }
  for (size_t i = 0; i < called.size(); ++i) {
    if (!is_queue[i]) plan.programs.push_back(called[i]);
  }
  return plan;
}

void append_flat(std::vector<Shape>& shapes, const Shape& shape) {
  if (!shape.is_tuple()) {
    shapes.push_back(shape);
    return;
  }
  shapes.insert(shapes.end(), shape.tuple_shapes.begin(),
                shape.tuple_shapes.end());
}

void append_flat(std::vector<Literal>& values, const Literal& value) {
  if (!value.shape().is_tuple()) {
    values.push_back(value);
    return;
  }
  values.insert(values.end(), value.elements().begin(), value.elements().end());
}

bool all_compatible(const std::vector<Shape>& a, const std::vector<Shape>& b) {
  return std::ranges::equal(a, b, [](const Shape& x, const Shape& y) {
    return compatible(x, y, /*ignore_dynamic=*/true);
  });
}

void check_result(const Instruction& custom_call,
                  const std::vector<Shape>& results) {
  const Shape& given = custom_call.shape;
  const bool is_single = results.size() == 1 && !given.is_tuple();
  require(is_single || given.is_tuple(), "run-parallel.result",
          "the result is the tuple of the programs' results");
  const std::vector<Shape> parts =
      is_single ? std::vector<Shape>{given} : given.tuple_shapes;
  require(all_compatible(parts, results), "run-parallel.result",
          "the result is the tuple of the programs' results");
}

}  // namespace

bool is_run_parallel(const Instruction& instruction) {
  return instruction.op->name == "custom-call" &&
         instruction.get<std::string>("custom_call_target") == kRunParallel;
}

ProgramResult program_result(const Instruction& custom_call,
                             const Ints& tuple_index) {
  const Plan plan = plan_of(custom_call);
  int64_t rest = tuple_index.empty() ? 0 : tuple_index[0];
  for (size_t i = 0; i < plan.programs.size(); ++i) {
    const Shape& shape = plan.programs[i]->root->shape;
    const int64_t parts =
        shape.is_tuple() ? std::ssize(shape.tuple_shapes) : int64_t{1};
    if (rest >= parts) {
      rest -= parts;
      continue;
    }
    Ints inner;
    if (shape.is_tuple()) inner.push_back(rest);
    if (tuple_index.size() > 1) {
      inner.insert(inner.end(), tuple_index.begin() + 1, tuple_index.end());
    }
    return {plan.programs[i], device_of(static_cast<int64_t>(i), plan.grid),
            inner};
  }
  throw std::logic_error("the result has one array for each of the programs'");
}

void check_run_parallel(const Instruction& custom_call) {
  const Plan plan = plan_of(custom_call);
  require(std::ssize(plan.programs) == plan.grid.count(),
          "run-parallel.programs", "there is one program for each device");
  const auto takes_nothing = [](const Computation* queue) {
    return queue->parameters.empty();
  };
  require(std::ranges::all_of(plan.infeed, takes_nothing),
          "run-parallel.infeed",
          "a computation that gives a value of the infeed takes none");
  std::vector<Shape> parameters;
  std::vector<Shape> results;
  for (const Computation* program : plan.programs) {
    for (Shape& shape : parameter_shapes(*program)) {
      parameters.push_back(std::move(shape));
    }
    append_flat(results, program->root->shape);
  }
  require(all_compatible(operand_shapes(custom_call), parameters),
          "run-parallel.operands",
          "the operands are the arguments of all programs");
  check_result(custom_call, results);
}

Literal run_parallel(const Instruction& custom_call, Operands operands,
                     Evaluator& evaluator, bool is_watched) {
  const Plan plan = plan_of(custom_call);
  EvaluatorOptions options = evaluator.options();
  options.max_steps -= std::min(options.max_steps, evaluator.steps());
  require_depth(++options.depth);
  // Who watches a program sees its instructions, not what they run inside,
  // unless that is asked for.
  if (!is_watched) {
    options.observer = {};
    options.observer_of = {};
    options.meeting_observer = {};
  }
  options.infeed = {};  // they have a queue of their own
  std::deque<Literal> infeed;
  for (const Computation* queue : plan.infeed) {
    Evaluator source(options);
    infeed.push_back(source.run(*queue, {}));
    evaluator.spend(source.steps());
  }
  std::vector<DeviceProgram> programs;
  auto argument = operands.begin();
  for (const Computation* program : plan.programs) {
    const auto end = argument + std::ssize(program->parameters);
    programs.push_back({program, {argument, end}});
    argument = end;
  }
  GridResult run =
      run_grid(plan.grid, std::move(programs), std::move(infeed), options);
  evaluator.spend(run.steps);
  for (Outfed& value : run.outfeed) {
    evaluator.network().record_outfeed(value.device, std::move(value.value));
  }
  std::vector<Literal> results;
  for (const Literal& result : run.results) append_flat(results, result);
  const Literal whole = custom_call.shape.is_tuple()
                            ? Literal::tuple(std::move(results))
                            : results.at(0);
  return whole.with_shape(custom_call.shape);
}

}  // namespace hlo
