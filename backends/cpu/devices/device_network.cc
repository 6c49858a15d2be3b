#include "backends/cpu/devices/device_network.h"

#include <utility>

#include "interpreter/error.h"

namespace hlo::cpu {

Network::Network(Grid grid, HostQueues host)
    : GridNetwork(grid), host_(std::move(host)) {}

Array Network::take_infeed(const Shape& shape) {
  Infeed& infeed = host_.infeed;
  if (infeed.values.empty() && infeed.more) return infeed.more(shape);
  require_evaluable(!infeed.values.empty(), "infeed.empty",
                    {"the queue of the infeed is empty"},
                    "it must hold a value for each infeed");
  require_evaluable(
      compatible(infeed.values.front().shape, shape, /*ignore_dynamic=*/true),
      "infeed.shape",
      {"the next value of the infeed is ", infeed.values.front().shape, " and ",
       shape, " is asked for"},
      "they must be equal");
  Array value = std::move(infeed.values.front());
  infeed.values.pop_front();
  return value;
}

void Network::put_outfeed(const Device& device, const Array& value) const {
  if (host_.outfeed) host_.outfeed(device, value);
}

}  // namespace hlo::cpu
