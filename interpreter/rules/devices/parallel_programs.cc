#include "interpreter/rules/devices/parallel_programs.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/rules/attributes/backend_config.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

using Json = nlohmann::json;

/// The member as an integer in [low, high]; `otherwise` where there is none.
int64_t integer(const Json& config, const char* name, int64_t otherwise) {
  constexpr int64_t kMost = int64_t{1} << 20;
  const auto found = config.find(name);
  if (found == config.end()) return otherwise;
  require(found->is_number_integer() && *found >= 1 && *found <= kMost,
          "run-parallel.config", {name, " is ", [&] { return found->dump(); }},
          "it must be an integer from 1 to 2^20");
  return found->get<int64_t>();
}

std::vector<size_t> queue_indices(const Json& config, size_t count) {
  std::vector<size_t> indices;
  const Json list = config.value("infeed", Json::array());
  const auto is_index = [&](const Json& index) {
    return index.is_number_integer() && index >= 0 && index < count;
  };
  require(list.is_array() && std::ranges::all_of(list, is_index),
          "run-parallel.config", {"infeed is ", [&] { return list.dump(); }},
          "it must be a list of indices into called_computations");
  for (const Json& index : list) indices.push_back(index.get<size_t>());
  return indices;
}

}  // namespace

ParallelPrograms parallel_programs(const Instruction& custom_call) {
  const Json config = Json::parse(backend_config_text(custom_call), nullptr,
                                  /*allow_exceptions=*/false);
  require(
      config.is_object(), "run-parallel.config",
      {"backend_config is ", [&] { return backend_config_text(custom_call); }},
      "it must be a JSON object");
  const auto called =
      custom_call.get_or<Computations>("called_computations", {});
  ParallelPrograms plan;
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

namespace {

void append_flat(std::vector<Shape>& shapes, const Shape& shape) {
  if (!shape.is_tuple()) {
    shapes.push_back(shape);
    return;
  }
  shapes.insert(shapes.end(), shape.tuple_shapes.begin(),
                shape.tuple_shapes.end());
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
          {"the result is ", given, " and the programs return ", results},
          "it must be the tuple of what they return");
  const std::vector<Shape> parts =
      is_single ? std::vector<Shape>{given} : given.tuple_shapes;
  require(all_compatible(parts, results), "run-parallel.result",
          {"the result is ", given, " and the programs return ", results},
          "it must be the tuple of what they return");
}

}  // namespace

bool is_run_parallel(const Instruction& instruction) {
  return instruction.op->form == Form::kForeign &&
         instruction.get<std::string>("custom_call_target") == kRunParallel;
}

ProgramResult program_result(const Instruction& custom_call,
                             const Ints& tuple_index) {
  const ParallelPrograms plan = parallel_programs(custom_call);
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
  const ParallelPrograms plan = parallel_programs(custom_call);
  require(std::ssize(plan.programs) == plan.grid.count(),
          "run-parallel.programs",
          {"there are ", Count{std::ssize(plan.programs), "program"}, " and ",
           Count{plan.grid.count(), "device"}},
          "there must be one program for each device");
  const auto takes_nothing = [](const Computation* queue) {
    return queue->parameters.empty();
  };
  require(std::ranges::all_of(plan.infeed, takes_nothing),
          "run-parallel.infeed",
          {"a computation that gives a value of the infeed takes arguments"},
          "it must take none");
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
          {"the operands are ", OperandShapes{custom_call},
           " and the programs take ", parameters},
          "the operands must be the arguments of all programs");
  check_result(custom_call, results);
}

}  // namespace hlo
