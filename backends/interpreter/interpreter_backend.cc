#include "backends/interpreter/interpreter_backend.h"

#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"

namespace hlo {
namespace {

class InterpreterBackend : public Backend {
 public:
  explicit InterpreterBackend(const PlanSet& plans) : plans_(plans) {}

  std::string name() const override {
    return plans_ == PlanSet::none() ? "interpreter:definition"
                                     : "interpreter:";
  }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    try {
      return store_results(
          module, evaluate_devices(module, load_arguments(module, arguments),
                                   {.plans = plans_})
                      .results);
    } catch (const Error& error) {
      return to_failure(error);
    }
  }

 private:
  PlanSet plans_;
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
