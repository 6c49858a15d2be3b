#include "backends/cpu/devices/host_queues.h"

#include "backends/cpu/arrays/literals.h"

namespace hlo::cpu {

HostQueues queues_of(const HostSide& host) {
  HostQueues queues;
  if (host.infeed) {
    queues.infeed.more = [queue = host.infeed()](const Shape& shape) {
      return array_of(queue(shape));
    };
  }
  if (host.outfeed) {
    queues.outfeed = [put = host.outfeed()](const Device& device,
                                            const Array& value) {
      put(device, literal_of(value));
    };
  }
  return queues;
}

}  // namespace hlo::cpu
