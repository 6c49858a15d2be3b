#include "backends/tpu/run/told_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "backends/tpu/memory/trap.h"
#include "interpreter/counted.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kBitsOfByte = 8;

int64_t lane_of(const PlacedElement& element) {
  return element.array.order->lane_of(element.position);
}

std::string array_line(const PlacedElement& element) {
  const TiledArray& array = element.array;
  return fmt::format("{} of replica {}, partition {}, at the address {}: {}",
                     to_string(array.shape), element.device.replica,
                     element.device.partition,
                     hexadecimal(array.memory->address()),
                     counted(array.memory->size(), "byte"));
}

std::string lane_line(const PlacedElement& element) {
  const int64_t lane = lane_of(element);
  const std::string place =
      fmt::format("register {}, sublane {}, lane {}", lane / kLanes,
                  lane % kLanes / kLanesOfSublane, lane % kLanesOfSublane);
  const std::vector<Tile>& tiles = element.array.shape.layout->tiles;
  if (tiles.empty()) return place;
  int64_t size = 1;
  for (const int64_t dim : tiles[0].dims) {
    if (dim != Tile::kCombine) size *= dim;
  }
  return fmt::format("tile {}, place {} in it: {}", lane / size, lane % size,
                     place);
}

std::string slot_line(const PlacedElement& element) {
  const TiledArray& array = element.array;
  const int64_t slot = array.order->slot_of(lane_of(element));
  const int64_t bits = array.slot_bits();
  const int64_t first = array.prefix_bytes() * kBitsOfByte + slot * bits;
  const int64_t last = first + bits - 1;
  const std::string address =
      hexadecimal(array.memory->address() + first / kBitsOfByte);
  const std::string place =
      bits < kBitsOfByte    ? fmt::format("bits {} to {}", first, last)
      : bits == kBitsOfByte ? fmt::format("byte {}", first / kBitsOfByte)
                            : fmt::format("bytes {} to {}", first / kBitsOfByte,
                                          last / kBitsOfByte);
  return fmt::format("slot {}: {}, from the address {} on", slot, place,
                     address);
}

/// A register of an array, or all of its elements.
using PlaceOfArray = std::tuple<const Hbm*, int64_t, int64_t>;

PlaceOfArray place_of(const TileStep& step) {
  return {step.memory, step.address, step.number};
}

/// The stores of a record, by what they stored.
class Stores {
 public:
  explicit Stores(const std::deque<TileStep>& steps) {
    for (size_t k = 0; k < steps.size(); ++k) {
      if (!steps[k].is_store) continue;
      const auto [memory, address, number] = place_of(steps[k]);
      stores_[{memory, address, number}].push_back(static_cast<int64_t>(k));
      any_[{memory, address}].push_back(static_cast<int64_t>(k));
    }
  }

  /// The last one of that place before step `end`, or -1.
  int64_t last(const PlaceOfArray& place, int64_t end) const {
    const auto [memory, address, number] = place;
    if (number == TileStep::kOneByOne) {
      return last_of(any_, std::pair(memory, address), end);
    }
    return std::max(
        last_of(stores_, place, end),
        last_of(stores_, PlaceOfArray(memory, address, TileStep::kOneByOne),
                end));
  }

 private:
  template <typename Key>
  static int64_t last_of(const std::map<Key, std::vector<int64_t>>& stores,
                         const Key& key, int64_t end) {
    const auto found = stores.find(key);
    if (found == stores.end()) return -1;
    const auto& steps = found->second;
    const auto next = std::ranges::lower_bound(steps, end);
    return next == steps.begin() ? -1 : *std::prev(next);
  }

  std::map<PlaceOfArray, std::vector<int64_t>> stores_;
  std::map<std::pair<const Hbm*, int64_t>, std::vector<int64_t>> any_;
};

/// "3", "0 to 5", "0 to 2, 7"; what is much is cut.
std::string numbers_text(const std::set<int64_t>& numbers) {
  constexpr int kMostRanges = 12;
  std::string text;
  int ranges = 0;
  for (auto at = numbers.begin(); at != numbers.end(); ++ranges) {
    if (ranges == kMostRanges) return text + ", ...";
    const int64_t first = *at;
    int64_t last = first;
    while (++at != numbers.end() && *at == last + 1) ++last;
    if (ranges > 0) text += ", ";
    text += std::to_string(first);
    if (last > first) text += " to " + std::to_string(last);
  }
  return text;
}

/// Tells which registers were read before one was stored. Where the same
/// instruction had stored such a register, it tells how that was made, too.
class Making {
 public:
  explicit Making(const PlacedElement& element)
      : element_(element),
        steps_(element.record.steps),
        stores_(element.record.steps) {}

  std::vector<std::string> lines() {
    const auto& memory = element_.array.memory;
    tell({&memory->memory(), memory->address(), lane_of(element_) / kLanes},
         std::ssize(steps_), "made by");
    if (lines_.empty()) {
      lines_.emplace_back(
          "the instruction stores nothing itself: the array was there");
    }
    return std::move(lines_);
  }

 private:
  const TileStep& step(int64_t k) const {
    return steps_[static_cast<size_t>(k)];
  }

  void tell(const PlaceOfArray& place, int64_t end, const std::string& title) {
    constexpr size_t kMostLines = 48;
    const int64_t store = stores_.last(place, end);
    if (store < 0 || lines_.size() > kMostLines) return;
    if (!told_.insert(store).second) return;
    int64_t first_store = store;
    while (first_store > 0 && step(first_store - 1).is_store) --first_store;
    int64_t first_read = first_store;
    while (first_read > 0 && !step(first_read - 1).is_store) --first_read;
    // Without reads, what was done is done since the store before.
    const bool has_reads = first_read < first_store;
    lines_.push_back(title);
    tell_reads(first_read, first_store);
    tell_work(has_reads ? first_read : store, has_reads ? first_store : store);
    lines_.push_back("  stored as " + place_text(step(store)));
    for (int64_t k = first_read; k < first_store; ++k) {
      tell(place_of(step(k)), k,
           "where " + place_text(step(k)) + " was made by");
    }
  }

  /// A line for each array.
  void tell_reads(int64_t begin, int64_t end) {
    std::vector<TileStep> arrays;
    std::map<std::pair<const Hbm*, int64_t>, std::set<int64_t>> numbers;
    for (int64_t k = begin; k < end; ++k) {
      auto& of_array = numbers[{step(k).memory, step(k).address}];
      if (of_array.empty()) arrays.push_back(step(k));
      of_array.insert(step(k).number);
    }
    for (const TileStep& each : arrays) {
      lines_.push_back(
          "  " + place_text(each, numbers.at({each.memory, each.address})));
    }
  }

  void tell_work(int64_t begin, int64_t end) {
    const TileWork from =
        begin == 0 ? element_.record.begin : step(begin - 1).before;
    const TileWork& to = step(end).before;
    lines_.push_back(
        fmt::format("  {} on registers, {} of lanes, {}",
                    counted(to.operations - from.operations, "operation"),
                    counted(to.moves - from.moves, "move"),
                    counted(to.passes - from.passes, "pass", "passes")));
  }

  std::string place_text(const TileStep& each) const {
    return place_text(each, {each.number});
  }

  std::string place_text(const TileStep& array,
                         std::set<int64_t> numbers) const {
    const bool has_all = numbers.erase(TileStep::kOneByOne) > 0;
    std::string what = has_all ? "all elements, one by one," : "";
    if (!numbers.empty()) {
      what += fmt::format("{}register{} {}", has_all ? " and " : "",
                          numbers.size() > 1 ? "s" : "", numbers_text(numbers));
    }
    return fmt::format("{} of {} at {}", what, name_of(array),
                       hexadecimal(array.address));
  }

  std::string name_of(const TileStep& each) const {
    const Hbm& own = element_.array.memory->memory();
    if (each.memory != &own) return "an array of another device";
    if (each.address == element_.array.memory->address()) return "the result";
    const auto found =
        std::ranges::find_if(element_.read, [&](const NamedArray& named) {
          return named.array->memory->is_in(own) &&
                 named.array->memory->address() == each.address;
        });
    return found == element_.read.end() ? "an array between" : found->name;
  }

  const PlacedElement& element_;
  const std::deque<TileStep>& steps_;
  Stores stores_;
  std::vector<std::string> lines_;
  std::set<int64_t> told_;  // stores
};

}  // namespace

std::string told_element(const PlacedElement& element) {
  std::string text = array_line(element) + "\n" + lane_line(element) + "\n" +
                     slot_line(element) + "\n";
  for (const std::string& line : Making(element).lines()) text += line + "\n";
  return text;
}

}  // namespace hlo::tpu
