#include <algorithm>
#include <string>
#include <utility>

#include "interpreter/channel_pairs.h"
#include "interpreter/error.h"
#include "interpreter/network.h"

namespace hlo {
namespace {

using Queue = std::deque<std::shared_ptr<Transfer>>;

/// Takes the transfer whose other end `device` holds, else the oldest.
std::shared_ptr<Transfer> take(Queue& queue, int64_t Transfer::*end,
                               int64_t device) {
  if (queue.empty()) return nullptr;
  const auto own = std::ranges::find_if(
      queue, [&](const auto& transfer) { return (*transfer).*end == device; });
  const auto found = own == queue.end() ? queue.begin() : own;
  std::shared_ptr<Transfer> transfer = *found;
  queue.erase(found);
  return transfer;
}

void check_shape(const Transfer& transfer) {
  const Shape& sent = transfer.value->shape().tuple_shapes[0];
  require_evaluable(compatible(sent, *transfer.shape, /*ignore_dynamic=*/true),
                    "channel.shape",
                    "what is received has the shape of what was sent, not " +
                        to_string(*transfer.shape, false) + " and " +
                        to_string(sent, false));
}

}  // namespace

Future Network::send(const Instruction& send, Literal value,
                     const Device& device) {
  const ChannelEnds ends = channel_ends(send, device, grid_);
  // A device that is no source sends nothing.
  if (ends.has_pairs && ends.target < 0) return {Literal(Shape::token())};
  const int64_t self = flattened_id(device, grid_);
  Channel& channel = channels_[{ends.channel, ends.has_pairs ? self : -1,
                                ends.has_pairs ? ends.target : -1}];
  auto transfer = take(channel.wanted, &Transfer::target, self);
  if (transfer == nullptr) {
    transfer = std::make_shared<Transfer>();
    transfer->target = ends.target;
    channel.sent.push_back(transfer);
  }
  transfer->source = self;
  transfer->value = std::move(value);
  if (transfer->shape) check_shape(*transfer);
  return {Future::End{std::move(transfer), /*is_sender=*/true}};
}

Future Network::receive(const Instruction& recv, const Shape& shape,
                        const Device& device) {
  const ChannelEnds ends = channel_ends(recv, device, grid_);
  // A device that is no target gets zeros.
  if (ends.has_pairs && ends.source < 0) {
    return {Literal::tuple({Literal(shape), Literal(Shape::token())})};
  }
  const int64_t self = flattened_id(device, grid_);
  Channel& channel = channels_[{ends.channel, ends.has_pairs ? ends.source : -1,
                                ends.has_pairs ? self : -1}];
  auto transfer = take(channel.sent, &Transfer::source, self);
  if (transfer == nullptr) {
    transfer = std::make_shared<Transfer>();
    transfer->source = ends.source;
    channel.wanted.push_back(transfer);
  }
  transfer->target = self;
  transfer->shape = shape;
  if (transfer->value) check_shape(*transfer);
  return {Future::End{std::move(transfer), /*is_sender=*/false}};
}

uint32_t Network::keep(Future future) {
  const uint32_t number = ++last_number_;
  kept_.insert_or_assign(number, std::move(future));
  return number;
}

Future Network::redeem(uint32_t number) {
  auto node = kept_.extract(number);
  require_evaluable(!node.empty(), "channel.state",
                    "a done ends each send, recv or start once");
  Future future = std::move(node.mapped());
  return future;
}

}  // namespace hlo
