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

/// Tells which registers were read before one was stored. Where the same run
/// had stored such a register, it tells how that was made, too; where another
/// had, it does so as deep as is asked for.
class Making {
 public:
  explicit Making(const PlacedElement& element)
      : element_(element),
        steps_(element.record.steps()),
        stores_(element.record.steps()) {
    for (size_t k = 0; k < steps_.size(); ++k) {
      of_runs_[steps_[k].run].push_back(static_cast<int64_t>(k));
    }
  }

  std::vector<std::string> lines() {
    const auto& memory = element_.array.memory;
    const PlaceOfArray place{&memory->memory(), memory->address(),
                             lane_of(element_) / kLanes};
    const int64_t store = stores_.last(place, std::ssize(steps_));
    if (store < 0) {
      line(0, element_.record.is_cut()
                  ? "made before all steps of the record"
                  : "no operation made it: it was given to the program");
    } else {
      tell(store, 0, "made by" + maker_text(store, element_.run));
    }
    return std::move(lines_);
  }

 private:
  /// Steps of one run that follow each other: reads, then stores.
  struct Steps {
    std::vector<int64_t> reads;
    std::vector<int64_t> done;  // the steps in which this was worked
  };

  const TileStep& step(int64_t k) const {
    return steps_[static_cast<size_t>(k)];
  }

  void line(int64_t level, const std::string& text) {
    constexpr size_t kIndent = 4;
    lines_.push_back(std::string(static_cast<size_t>(level) * kIndent, ' ') +
                     text);
  }

  /// Which instruction made it, where that is not the run's own.
  std::string maker_text(int64_t store, int64_t run) const {
    if (step(store).run == run) return "";
    const RecordedRun* const maker = element_.record.run(step(store).run);
    if (maker == nullptr) return " what began before all of the record";
    return fmt::format(" %{} ({})", maker->instruction->name,
                       maker->instruction->op->name);
  }

  /// What the run did before that store.
  Steps steps_before(int64_t store) const {
    const std::vector<int64_t>& own = of_runs_.at(step(store).run);
    const auto at = std::ranges::lower_bound(own, store);
    auto first_store = at;
    while (first_store != own.begin() && step(*std::prev(first_store)).is_store)
      --first_store;
    auto first_read = first_store;
    while (first_read != own.begin() && !step(*std::prev(first_read)).is_store)
      --first_read;
    // Without reads, what was done is done since the store before.
    if (first_read == first_store) return {{}, {store}};
    return {{first_read, first_store}, {first_read, std::next(first_store)}};
  }

  void tell(int64_t store, int64_t level, const std::string& title) {
    constexpr size_t kMostLines = 48;  // of each depth
    const auto most = kMostLines * static_cast<size_t>(element_.depth);
    if (lines_.size() > most || !told_.insert(store).second) return;
    const Steps before = steps_before(store);
    line(level, title);
    tell_reads(before, level);
    tell_work(before, level);
    line(level, "  stored as " + place_text(step(store)));
    tell_own(store, before, level);
    if (level + 1 < element_.depth) tell_others(store, before, level + 1);
  }

  /// How what the run had stored itself was made.
  void tell_own(int64_t store, const Steps& before, int64_t level) {
    for (const int64_t k : before.reads) {
      const int64_t made = stores_.last(place_of(step(k)), k);
      if (made < 0 || step(made).run != step(store).run) continue;
      tell(made, level, "where " + place_text(step(k)) + " was made by");
    }
  }

  /// How others had made what was read.
  void tell_others(int64_t store, const Steps& before, int64_t level) {
    constexpr size_t kMost = 16;
    std::set<PlaceOfArray> told;
    for (const int64_t k : before.reads) {
      const int64_t made = stores_.last(place_of(step(k)), k);
      if (made >= 0 && step(made).run == step(store).run) continue;
      if (told.size() == kMost || !told.insert(place_of(step(k))).second) {
        continue;
      }
      const std::string what = place_text(step(k));
      if (made >= 0) {
        tell(made, level,
             what + " was made by" + maker_text(made, step(store).run));
      } else if (!element_.record.is_cut()) {
        line(level, what + " was given to the program");
      }
    }
  }

  /// A line for each array.
  void tell_reads(const Steps& before, int64_t level) {
    std::vector<TileStep> arrays;
    std::map<std::pair<const Hbm*, int64_t>, std::set<int64_t>> numbers;
    for (const int64_t k : before.reads) {
      auto& of_array = numbers[{step(k).memory, step(k).address}];
      if (of_array.empty()) arrays.push_back(step(k));
      of_array.insert(step(k).number);
    }
    for (const TileStep& each : arrays) {
      line(level,
           "  " + place_text(each, numbers.at({each.memory, each.address})));
    }
  }

  void tell_work(const Steps& before, int64_t level) {
    TileWork work;
    for (const int64_t k : before.done) {
      work.operations += step(k).work.operations;
      work.moves += step(k).work.moves;
      work.passes += step(k).work.passes;
    }
    line(level, fmt::format("  {} on registers, {} of lanes, {}",
                            counted(work.operations, "operation"),
                            counted(work.moves, "move"),
                            counted(work.passes, "pass", "passes")));
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

  /// As the run calls the array whose step it is.
  std::string name_of(const TileStep& each) const {
    const RecordedRun* const run = element_.record.run(each.run);
    if (run == nullptr) return "an array";
    if (each.memory != run->memory) return "an array of another device";
    const auto found =
        std::ranges::find_if(run->arrays, [&](const RecordedArray& array) {
          return array.memory == each.memory && array.address == each.address;
        });
    return found == run->arrays.end() ? "an array between" : found->name;
  }

  const PlacedElement& element_;
  const std::deque<TileStep>& steps_;
  Stores stores_;
  std::map<int64_t, std::vector<int64_t>> of_runs_;  // steps, by run
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
