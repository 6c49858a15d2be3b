#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "backends/cpu/arrays/function.h"
#include "interpreter/rules/devices/collective.h"

namespace hlo::cpu {

/// A value that others may still have to bring: null until it is there.
using Pending = std::function<const Array*()>;
Pending at_once(Array value);

/// One collective of one group, to which its members come one after the other.
struct Meeting {
  const Instruction* collective = nullptr;  // of the member that came first
  Grid grid;
  std::vector<int64_t> devices;              // flattened ids, in their order
  std::vector<std::vector<Array>> operands;  // of each member
  std::vector<bool> present;
  size_t missing = 0;
  std::vector<std::shared_ptr<const Array>> results;  // once all have come
};

/// Gives each member its result.
using MeetingRule =
    std::function<std::vector<std::shared_ptr<const Array>>(const Meeting&)>;

/// What the host has for the devices: values that are there, then those that it
/// is asked for, of a shape, if it has any.
struct Infeed {
  std::deque<Array> values = {};
  std::function<Array(const Shape&)> more = {};
};

/// Takes what a device writes for the host. Null: nobody reads it.
using Outfeed = std::function<void(const Device&, const Array&)>;

/// The two ends of the host.
struct HostQueues {
  Infeed infeed = {};
  Outfeed outfeed = {};
};

/// What the devices of a grid share: who has come to which collective, what is
/// on its way through channels, the queues of the host (spec/collectives.md).
class Network {
 public:
  explicit Network(Grid grid, HostQueues host = {});

  const Grid& grid() const { return grid_; }

  /// The device's part in the collective; nothing where it is in no group.
  /// Evaluate errors "collective.grid", "collective.alike".
  std::optional<Pending> meet(const Instruction& collective, Operands operands,
                              const Device& device, const MeetingRule& rule);
  /// Data and token go into the channel; a token once somebody receives.
  /// Evaluate errors "channel.shape", "channel.pairs", "collective.grid".
  Pending send(const Instruction& send, Array value, const Device& device);
  /// Data and token once somebody sends. Errors as of send.
  Pending receive(const Instruction& recv, const Shape& data,
                  const Device& device);

  /// Keeps a value for the done that names the number, which is not 0.
  uint32_t keep(Pending pending);
  /// Evaluate error "channel.state" where that number is not kept.
  Pending redeem(uint32_t number);

  /// The next value of the queue. Evaluate errors "infeed.empty",
  /// "infeed.shape".
  Array take_infeed(const Shape& shape);
  void put_outfeed(const Device& device, const Array& value) const;

  const Outfeed& outfeed() const { return host_.outfeed; }

 private:
  /// The meetings of a group under one name and channel.
  struct Lane {
    std::vector<int64_t> devices;
    std::map<int64_t, size_t> member;  // by device
    std::vector<size_t> visits;        // of each member
    std::deque<std::shared_ptr<Meeting>> open;
    size_t ended = 0;
  };

  struct Lanes {
    std::vector<int64_t> group_of;
    std::vector<Lane*> lanes;  // by group
  };

  /// A value between two devices.
  struct Transfer {
    int64_t source = -1;
    int64_t target = -1;
    std::optional<Array> value;  // data and token
    std::optional<Shape> wanted;
  };

  using Queue = std::deque<std::shared_ptr<Transfer>>;

  struct Channel {
    Queue sent;    // nobody wants them yet
    Queue wanted;  // nobody has sent them yet
  };

  const Lanes& lanes_of(const Instruction& collective);
  static std::shared_ptr<Transfer> take(Queue& queue, int64_t Transfer::*end,
                                        int64_t device);
  static void check(const Transfer& transfer);

  Grid grid_;
  std::map<std::tuple<std::string_view, int64_t, std::vector<int64_t>>, Lane>
      lanes_;
  std::map<const Instruction*, Lanes> lanes_of_;
  std::map<std::tuple<int64_t, int64_t, int64_t>, Channel> channels_;
  std::map<uint32_t, Pending> kept_;
  uint32_t last_number_ = 0;
  HostQueues host_;
};

}  // namespace hlo::cpu
