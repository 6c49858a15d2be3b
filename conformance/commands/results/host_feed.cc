#include "conformance/commands/results/host_feed.h"

#include <memory>

#include "conformance/literals/inputs.h"

namespace hlo::conformance {

std::function<HostSide::Queue()> infeed_queues(
    const std::vector<std::string>& infeed) {
  if (infeed.empty()) return {};
  return [texts = infeed] {
    const auto kept = std::make_shared<const std::vector<std::string>>(texts);
    return [kept, queue = make_infeed(*kept)](const Shape& shape) {
      return queue(shape);
    };
  };
}

std::optional<Failure> feed(Backend& backend, const HostSide& host) {
  auto* const fed = dynamic_cast<HostFed*>(&backend);
  const bool gives = host.infeed || host.custom_calls != nullptr;
  if (fed == nullptr && !gives) return std::nullopt;
  const std::optional<std::string> why =
      fed != nullptr
          ? fed->take(host)
          : "it gets nothing from the host but the arguments of a program";
  if (!why) return std::nullopt;
  return Failure{
      .kind = Failure::Kind::kUnsupported, .rule = {}, .message = *why};
}

}  // namespace hlo::conformance
