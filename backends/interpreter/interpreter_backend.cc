#include "backends/interpreter/interpreter_backend.h"

#include <utility>

#include "backends/host_side.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"

namespace hlo {
namespace {

class InterpreterBackend : public Backend, public HostFed {
 public:
  /// Definitions may take longer than what they define.
  InterpreterBackend(const PlanSet& plans, int threads)
      : plans_(plans),
        threads_(threads),
        most_work_(plans == PlanSet::none() ? kWorkOfDefinitions : 0) {}

  std::vector<std::string> tags() override {
    return {"devices", "dynamic-sizes", "explicit-layouts"};
  }

  std::string name() const override {
    if (plans_ == PlanSet::none()) return "interpreter:definition";
    return threads_ == 1 ? "interpreter:"
                         : "interpreter:threads=" + std::to_string(threads_);
  }

  std::optional<std::string> take(const HostSide& host) override {
    host_ = host;
    return std::nullopt;
  }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    try {
      EvaluatorOptions options{
          .threads = threads_, .max_work = most_work_, .plans = plans_};
      options.custom_calls = host_.custom_calls.get();
      if (host_.infeed) options.infeed = host_.infeed();
      GridResult run =
          evaluate_devices(module, load_arguments(module, arguments), options);
      if (host_.outfeed) {
        const HostSide::Sink put = host_.outfeed();
        for (Outfed& value : run.outfeed) {
          put(value.device, std::move(value.value));
        }
      }
      return store_results(module, run.results);
    } catch (const Error& error) {
      return to_failure(error);
    }
  }

 private:
  static constexpr int64_t kWorkOfDefinitions = 100'000'000'000;

  PlanSet plans_;
  int threads_;
  int64_t most_work_;
  HostSide host_;
};

}  // namespace

std::unique_ptr<Backend> make_interpreter_backend(const PlanSet& plans,
                                                  int threads) {
  return std::make_unique<InterpreterBackend>(plans, threads);
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
