#include "backends/interpreter/interpreter_backend.h"

#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"

namespace hlo {
namespace {

class InterpreterBackend : public Backend {
 public:
  /// Definitions may take longer than what they define.
  explicit InterpreterBackend(const PlanSet& plans)
      : plans_(plans),
        most_work_(plans == PlanSet::none() ? kWorkOfDefinitions : 0) {}

  std::string name() const override {
    return plans_ == PlanSet::none() ? "interpreter:definition"
                                     : "interpreter:";
  }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    try {
      return store_results(
          module, evaluate_devices(module, load_arguments(module, arguments),
                                   {.max_work = most_work_, .plans = plans_})
                      .results);
    } catch (const Error& error) {
      return to_failure(error);
    }
  }

 private:
  static constexpr int64_t kWorkOfDefinitions = 100'000'000'000;

  PlanSet plans_;
  int64_t most_work_;
};

}  // namespace

std::unique_ptr<Backend> make_interpreter_backend(const PlanSet& plans) {
  return std::make_unique<InterpreterBackend>(plans);
}

std::vector<std::vector<Literal>> load_arguments(
    const Module& module, std::span<const Buffer> buffers) {
  std::vector<Literal> leaves;
  leaves.reserve(buffers.size());
  for (const Buffer& buffer : buffers) leaves.push_back(load(buffer));
  return device_arguments(module, leaves);
}

std::vector<Buffer> store_results(const Module& module,
                                  std::span<const Literal> results) {
  const std::vector<Shape> shapes = result_shapes(module);
  const std::vector<Literal> leaves = array_leaves(results);
  std::vector<Buffer> buffers;
  buffers.reserve(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) {
    buffers.push_back(store(leaves[i], shapes.at(i)));
  }
  return buffers;
}

}  // namespace hlo
