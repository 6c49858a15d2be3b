#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "interpreter/rules/devices/collective.h"
#include "interpreter/rules/op.h"
#include "interpreter/run/future.h"

// What devices that run side by side share: who has come to which collective,
// what is on its way between two of them, and the queues to the host.

namespace hlo {

/// One collective operation of one group of devices.
struct Meeting {
  const Instruction* collective = nullptr;  // of the member that came first
  Grid grid;
  std::vector<int64_t> devices;                // the members, in their order
  std::vector<std::vector<Literal>> operands;  // of each member
  std::vector<bool> present;                   // which of them have come
  int64_t missing = 0;                         // how many have not
  std::vector<Literal> results;                // of each, once all have come
  /// Gave the results: for those who ask what other operands would have given.
  std::vector<Literal> (*rule)(const Meeting&, Evaluator&) = nullptr;

  size_t size() const { return devices.size(); }
};

/// Gives each member of a group, all of whom have come, its result.
using MeetingRule = std::function<std::vector<Literal>(const Meeting&)>;

/// A value on its way through a channel.
struct Transfer {
  int64_t source = -1;  // flattened ids; -1 where it is not known
  int64_t target = -1;
  std::optional<Literal> value;  // data and token, once they were sent
  std::optional<Shape> shape;    // of the data, once somebody asked for it
};

/// A value that a device sent to the host.
struct Outfed {
  Device device;
  Literal value;
};

/// The connections of the devices of a grid. One thread uses it.
class Network {
 public:
  /// Devices take what they read from the host from `infeed`, in the order in
  /// which they ask.
  explicit Network(Grid grid, std::deque<Literal> infeed = {});

  const Grid& grid() const { return grid_; }

  /// A device comes to the collective with its operands: the result follows
  /// once all of its group have come. The n-th time that a device runs an
  /// operation of that name and channel in a group, it meets the n-th time of
  /// the others. The last to come applies the rule. Nothing where the device is
  /// in no group. Evaluate errors "collective.grid" and "collective.alike".
  std::optional<Future> meet(const Instruction& collective, Operands operands,
                             const Device& who, const MeetingRule& rule);

  /// Sends data and token, or asks for data of `shape`, through the channel of
  /// the instruction. The n-th value that is sent meets the n-th that is asked
  /// for. Evaluate errors "channel.shape" and "collective.grid".
  Future send(const Instruction& send, Literal value, const Device& device);
  Future receive(const Instruction& recv, const Shape& shape,
                 const Device& device);
  /// Keeps what a send, a recv or an asynchronous start has begun under a
  /// number that is not 0, which its state carries, and gives it to its done,
  /// once: evaluate error "channel.state".
  uint32_t keep(Future future);
  Future redeem(uint32_t number);

  /// The next value of the infeed. Evaluate errors "infeed.empty", and
  /// "infeed.shape" where it has not that shape.
  Literal take_infeed(const Shape& shape);
  void record_outfeed(const Device& device, Literal value);

  const std::vector<Outfed>& outfeed() const { return outfeed_; }

 private:
  /// The collectives of one name, channel and group.
  struct Lane {
    std::vector<int64_t> devices;
    std::map<int64_t, size_t> member;  // of each device
    std::vector<int64_t> visits;       // of each member
    std::deque<std::shared_ptr<Meeting>> open;
    int64_t first_open = 0;  // the number of open.front()
  };

  using LaneKey = std::tuple<std::string_view, int64_t, std::vector<int64_t>>;

  /// The lane of each device that runs the instruction.
  struct Lanes {
    std::vector<int64_t> group_of;
    std::vector<Lane*> lanes;  // by group
  };

  /// The values of a channel between two devices that wait for one of its ends.
  struct Channel {
    std::deque<std::shared_ptr<Transfer>> sent;
    std::deque<std::shared_ptr<Transfer>> wanted;
  };

  const Lanes& lanes_of(const Instruction& collective);
  Lane& lane(const Instruction& collective, std::vector<int64_t> devices);
  std::shared_ptr<Meeting> next_meeting(Lane& lane, size_t member,
                                        const Instruction& collective);

  Grid grid_;
  std::map<LaneKey, Lane> lanes_;
  std::map<const Instruction*, Lanes> lanes_of_;
  std::map<std::tuple<int64_t, int64_t, int64_t>, Channel> channels_;
  std::map<uint32_t, Future> kept_;
  uint32_t last_number_ = 0;
  std::deque<Literal> infeed_;
  std::vector<Outfed> outfeed_;
};

}  // namespace hlo
