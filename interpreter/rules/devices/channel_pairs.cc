#include "interpreter/rules/devices/channel_pairs.h"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "interpreter/error.h"

namespace hlo {
namespace {

constexpr std::string_view kRule = "channel.pairs";

[[noreturn]] void fail() {
  throw Error(
      Phase::kEvaluate, kRule,
      "_xla_send_recv_source_target_pairs is no list of pairs of ids, or an id "
      "sends or receives twice: it must be like {{0,1},{1,2}}");
}

/// The quoted text of the attribute; nothing where there is none.
std::optional<std::string_view> pairs_text(std::string_view attributes) {
  constexpr std::string_view kKey = "_xla_send_recv_source_target_pairs=";
  const size_t at = attributes.find(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  attributes.remove_prefix(at + kKey.size());
  if (attributes.starts_with('"')) {
    attributes.remove_prefix(1);
    return attributes.substr(0, attributes.find('"'));
  }
  const size_t end = attributes.find("}}");
  return attributes.substr(0, end == std::string_view::npos ? end : end + 2);
}

/// The numbers in the text, whatever stands between them but digits.
Ints numbers(std::string_view text) {
  Ints found;
  for (size_t i = text.find_first_of("0123456789"); i < text.size();
       i = text.find_first_of("0123456789", i)) {
    int64_t number = 0;
    const auto [end, error] =
        std::from_chars(text.data() + i, text.data() + text.size(), number);
    if (error != std::errc()) fail();
    found.push_back(number);
    i = static_cast<size_t>(end - text.data());
  }
  if (text.find_first_not_of("0123456789{}, ") != std::string_view::npos ||
      found.size() % 2 != 0) {
    fail();
  }
  return found;
}

}  // namespace

ChannelEnds channel_ends(const Instruction& transfer, const Device& device,
                         const Grid& grid) {
  ChannelEnds ends{.channel = transfer.get_or<int64_t>("channel_id", -1)};
  const auto attributes =
      transfer.get_or<Verbatim>("frontend_attributes", Verbatim{}).text;
  const auto text = pairs_text(attributes);
  if (!text) return ends;
  ends.has_pairs = true;
  const GroupMode mode =
      ends.channel > 0 ? GroupMode::kCrossPartition : GroupMode::kCrossReplica;
  const int64_t self = id_of(device, mode, grid);
  const auto named = [&](int64_t id) {
    require_evaluable(id < id_count(mode, grid), "collective.grid",
                      {"the pairs of a channel name ", id, " of ",
                       Count{id_count(mode, grid), "device"}},
                      "they must name what there is");
    return flattened_id(mode == GroupMode::kCrossPartition
                            ? Device{device.replica, id}
                            : Device{id, device.partition},
                        grid);
  };
  const Ints ids = numbers(*text);
  for (size_t i = 0; i < ids.size(); i += 2) {
    const int64_t source = named(ids[i]);
    const int64_t target = named(ids[i + 1]);
    if (ids[i] == self) {
      if (ends.target >= 0) fail();
      ends.target = target;
    }
    if (ids[i + 1] == self) {
      if (ends.source >= 0) fail();
      ends.source = source;
    }
  }
  return ends;
}

}  // namespace hlo
