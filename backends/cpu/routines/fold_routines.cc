#include "backends/cpu/routines/fold_routines.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "backends/cpu/kernels/folds/fold_numbers.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/tiles/tile_program.h"
#include "backends/cpu/routines/regions/combining_region.h"
#include "backends/cpu/routines/regions/extreme_region.h"
#include "backends/cpu/routines/regions/lane_region.h"
#include "backends/cpu/threads/share_loop.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

constexpr int64_t kFoldedPerTask =
    int64_t{32} * 1024;               // elements worth another thread
constexpr int64_t kFewestLines = 16;  // that are folded together
constexpr int64_t kMostLines = 512;

/// The lines of a reduce, where its dimensions lie beside each other.
std::optional<LineSizes> lines_of(const Shape& operand, const Ints& reduced) {
  LineSizes sizes;
  int64_t* part = &sizes.outer;
  for (size_t d = 0; d < operand.dims.size(); ++d) {
    const bool inside =
        std::ranges::count(reduced, static_cast<int64_t>(d)) != 0;
    if (operand.dims[d] == 1) continue;
    if (inside && part == &sizes.outer) part = &sizes.length;
    if (!inside && part == &sizes.length) part = &sizes.inner;
    if (inside && part == &sizes.inner) return std::nullopt;
    *part *= operand.dims[d];
  }
  return sizes;
}

ElementType type_of(const Instruction& instruction, size_t operand) {
  return instruction.operand_shape(operand).element_type;
}

std::optional<Routine> combining_routine(Combine how, ElementType type,
                                         const LineSizes& sizes) {
  const ElementType as = combined_type(type);
  Routine routine{[=](auto operands, auto results) {
    fold_numbers(how, as, sizes, operands[0], operands[1], results[0]);
  }};
  routine.in_f32 = as != type;
  return routine;
}

template <typename T>
bool is_nan(T number) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(number);
  return false;
}

/// The pair that the region selects of init and a line's.
template <typename T>
void select_pair(const Extreme<T>& found, int32_t place, bool largest,
                 T& number, int32_t& own_place) {
  const bool wins = (largest ? number > found.number : number < found.number) ||
                    is_nan(number);
  if (wins) return;
  if (!(number == found.number && own_place < place)) own_place = place;
  number = found.number;
}

template <typename T>
void select_lines(const LineSizes& sizes, bool largest,
                  std::span<const std::byte* const> operands,
                  std::span<std::byte* const> results) {
  const auto* const numbers = reinterpret_cast<const T*>(operands[0]);
  const int64_t some = std::max<int64_t>(1, kFoldedPerTask / sizes.length);
  share_loop((sizes.outer + some - 1) / some, [&](int64_t task) {
    const int64_t last = std::min(sizes.outer, (task + 1) * some);
    for (int64_t i = task * some; i < last; ++i) {
      const Extreme<T> found =
          extreme_of(numbers + i * sizes.length, sizes.length, largest);
      T number = *reinterpret_cast<const T*>(operands[2]);
      int32_t place = *reinterpret_cast<const int32_t*>(operands[3]);
      const auto own = static_cast<int32_t>(found.place);
      select_pair(found, own, largest, number, place);
      reinterpret_cast<T*>(results[0])[i] = number;
      reinterpret_cast<int32_t*>(results[1])[i] = place;
    }
  });
}

/// Whether the array counts along the only dimension of more than one element
/// that is reduced.
bool counts_along(const Instruction& places, const Ints& reduced) {
  if (reduced.size() != 1) return false;
  if (places.op->name == "iota") {
    return places.get<int64_t>("iota_dimension") == reduced[0];
  }
  if (places.op->name != "broadcast" ||
      places.operands[0]->op->name != "iota") {
    return false;
  }
  const Instruction& iota = *places.operands[0];
  const Ints dimensions = places.get_or<Ints>("dimensions", {});
  const auto along = static_cast<size_t>(iota.get<int64_t>("iota_dimension"));
  return along < dimensions.size() && dimensions[along] == reduced[0] &&
         iota.shape.dims[along] ==
             places.shape.dims[static_cast<size_t>(reduced[0])];
}

std::optional<Routine> selecting_routine(const Instruction& reduce,
                                         ExtremeRegion region,
                                         const LineSizes& sizes) {
  const bool floats = type_of(reduce, 0) == ElementType::kF32;
  if ((!floats && type_of(reduce, 0) != ElementType::kS32) ||
      type_of(reduce, 1) != ElementType::kS32 || sizes.inner != 1 ||
      !counts_along(*reduce.operands[1], reduce.get<Ints>("dimensions"))) {
    return std::nullopt;
  }
  const bool largest = region == ExtremeRegion::kLargest;
  Routine routine{[=](auto operands, auto results) {
    if (floats) return select_lines<float>(sizes, largest, operands, results);
    return select_lines<int32_t>(sizes, largest, operands, results);
  }};
  routine.unread = 1;
  return routine;
}

/// Folds of several arrays by a region on lanes.
class LaneFold {
 public:
  LaneFold(const Instruction& reduce, const LineSizes& sizes, LaneRegion region)
      : sizes_(sizes), region_(std::move(region)) {
    for (const Shape* leaf : leaves(reduce.shape)) {
      widths_.push_back(lane_width(leaf->element_type));
    }
    exchanges_ = std::ranges::any_of(region_.results, [&](uint16_t result) {
      return result < region_.parameters;
    });
  }

  void run(std::span<const std::byte* const> operands,
           std::span<std::byte* const> results) const {
    const int64_t count = sizes_.outer * sizes_.inner;
    const int64_t some = std::clamp(count / 4, kFewestLines, kMostLines);
    share_loop((count + some - 1) / some, [&](int64_t task) {
      const int64_t first = task * some;
      const int64_t n = std::min(some, count - first);
      const LaneRun lanes(region_, static_cast<size_t>(n));
      fold(operands, results, first, n, lanes);
    });
  }

 private:
  void fold(std::span<const std::byte* const> operands,
            std::span<std::byte* const> results, int64_t first, int64_t n,
            const LaneRun& lanes) const {
    const size_t arrays = widths_.size();
    std::vector<int64_t> begins;
    for (int64_t i = first; i < first + n; ++i) {
      begins.push_back(i / sizes_.inner * sizes_.length * sizes_.inner +
                       i % sizes_.inner);
    }
    for (size_t k = 0; k < arrays; ++k) {
      std::fill_n(lanes.parameter(k), n,
                  lane_at(operands[arrays + k], widths_[k], 0));
    }
    for (int64_t step = 0; step < sizes_.length; ++step) {
      for (size_t k = 0; k < arrays; ++k) {
        load(operands[k], widths_[k], begins, step * sizes_.inner,
             lanes.parameter(arrays + k));
      }
      lanes.run(static_cast<size_t>(n));
      keep_results(lanes, n);
    }
    for (size_t k = 0; k < arrays; ++k) {
      store(lanes.parameter(k), widths_[k], n, results[k], first);
    }
  }

  static uint32_t lane_at(const std::byte* from, size_t width, int64_t place) {
    uint32_t word = 0;
    std::memcpy(&word, from + place * static_cast<int64_t>(width), width);
    return word;
  }

  static void load(const std::byte* from, size_t width,
                   const std::vector<int64_t>& begins, int64_t offset,
                   uint32_t* to) {
    if (width == 4) {
      const auto* const words = reinterpret_cast<const uint32_t*>(from);
      for (const int64_t begin : begins) *to++ = words[begin + offset];
    } else {
      for (const int64_t begin : begins) {
        *to++ = lane_at(from, width, begin + offset);
      }
    }
  }

  /// Results may be parameters that other results replace.
  void keep_results(const LaneRun& lanes, int64_t n) const {
    if (!exchanges_) {
      for (size_t k = 0; k < widths_.size(); ++k) {
        std::copy_n(lanes.result(k), n, lanes.parameter(k));
      }
      return;
    }
    std::vector<std::vector<uint32_t>> kept;
    for (size_t k = 0; k < widths_.size(); ++k) {
      kept.emplace_back(lanes.result(k), lanes.result(k) + n);
    }
    for (size_t k = 0; k < widths_.size(); ++k) {
      std::ranges::copy(kept[k], lanes.parameter(k));
    }
  }

  static void store(const uint32_t* lanes, size_t width, int64_t n,
                    std::byte* to, int64_t first) {
    for (int64_t i = 0; i < n; ++i) {
      std::memcpy(to + (first + i) * static_cast<int64_t>(width), lanes + i,
                  width);
    }
  }

  LineSizes sizes_;
  LaneRegion region_;
  std::vector<size_t> widths_;  // of an element of each array
  bool exchanges_ = false;      // a result is a parameter
};

std::optional<Routine> lane_routine(const Instruction& reduce,
                                    const Computation& computation,
                                    const LineSizes& sizes) {
  std::optional<LaneRegion> region = lane_region(computation);
  if (!region) return std::nullopt;
  const auto fold =
      std::make_shared<LaneFold>(reduce, sizes, *std::move(region));
  return Routine{
      [fold](auto operands, auto results) { fold->run(operands, results); }};
}

}  // namespace

bool folds_in_one_type(const Instruction& reduce, const Computation& region) {
  const size_t arrays = reduce.operands.size() / 2;
  const auto results = leaves(reduce.shape);
  const auto returned = leaves(region.root->shape);
  for (size_t k = 0; k < arrays; ++k) {
    const ElementType type = type_of(reduce, k);
    const ElementType others[] = {
        type_of(reduce, arrays + k), results.at(k)->element_type,
        returned.at(k)->element_type,
        region.parameters.at(k)->shape.element_type,
        region.parameters.at(arrays + k)->shape.element_type};
    if (std::ranges::any_of(others,
                            [&](ElementType one) { return one != type; })) {
      return false;
    }
  }
  return true;
}

Ints folded_last(size_t rank, const Ints& folded) {
  Ints order;
  for (const bool inside : {false, true}) {
    for (int64_t d = 0; d < static_cast<int64_t>(rank); ++d) {
      if ((std::ranges::count(folded, d) != 0) == inside) order.push_back(d);
    }
  }
  return order;
}

namespace {

/// The routine of a reduce whose lines lie one after the other, on copies of
/// its arrays where they do.
Routine on_copies(Routine routine, const Instruction& reduce) {
  const auto& dims = reduce.operand_shape(0).dims;
  const View view = View::dense(dims).permuted(
      folded_last(dims.size(), reduce.get<Ints>("dimensions")));
  std::vector<size_t> widths;  // of the arrays that are folded
  for (size_t k = 0; k < reduce.operands.size() / 2; ++k) {
    const ElementType type = type_of(reduce, k);
    widths.push_back(static_cast<size_t>(
        storage_bytes(routine.in_f32 ? combined_type(type) : type)));
  }
  routine.run = [run = std::move(routine.run), view, widths](
                    std::span<const std::byte* const> operands,
                    std::span<std::byte* const> results) {
    std::vector<const std::byte*> from(operands.begin(), operands.end());
    std::vector<AlignedBytes> copies;
    for (size_t k = 0; k < widths.size(); ++k) {
      const auto bytes = static_cast<size_t>(view.count()) * widths[k];
      copies.push_back(aligned_bytes(bytes));
      copy_view(view, widths[k], operands[k], copies.back().get());
      from[k] = copies.back().get();
    }
    run(from, results);
  };
  return routine;
}

std::optional<Routine> routine_of_lines(const Instruction& reduce,
                                        const Computation& region,
                                        const LineSizes& sizes) {
  const ElementType type = type_of(reduce, 0);
  if (reduce.operands.size() == 2) {
    const auto how = combining_region(region, type);
    if (how && *how != Combine::kSecond) {
      return combining_routine(*how, type, sizes);
    }
  }
  std::optional<Routine> routine;
  if (const auto extreme = extreme_region(region)) {
    routine = selecting_routine(reduce, *extreme, sizes);
  }
  return routine ? routine : lane_routine(reduce, region, sizes);
}

}  // namespace

std::optional<Routine> reduce_routine(const Instruction& reduce) {
  const Computation& region = *reduce.get<Computation*>("to_apply");
  if (!folds_in_one_type(reduce, region)) return std::nullopt;
  const Shape& operand = reduce.operand_shape(0);
  const auto sizes = lines_of(operand, reduce.get<Ints>("dimensions"));
  if (sizes) return routine_of_lines(reduce, region, *sizes);
  const int64_t outer = leaves(reduce.shape)[0]->element_count();
  std::optional<Routine> routine = routine_of_lines(
      reduce, region, {outer, operand.element_count() / outer, 1});
  return routine ? std::optional(on_copies(*std::move(routine), reduce))
                 : std::nullopt;
}

namespace {

/// The dimension along which the window covers all before a place (low padding)
/// or behind it; nullopt where it moves in another way.
struct Running {
  size_t dimension = 0;
  bool reversed = false;
};

std::optional<Running> running(const Shape& operand, const Window& window) {
  std::optional<Running> found;
  for (size_t d = 0; d < window.dims.size(); ++d) {
    WindowDimension own = window.dims[d];
    const int64_t last = operand.dims[d] - 1;
    if (own == WindowDimension{}) continue;
    const bool forward = own.low == last && own.high == 0;
    const bool backward = own.low == 0 && own.high == last;
    const bool covers = own.size == last + 1 && (forward || backward);
    own.size = 1;
    own.low = own.high = 0;
    if (found || !covers || own != WindowDimension{}) return std::nullopt;
    found = Running{d, !forward};
  }
  return found;
}

}  // namespace

std::optional<Routine> scan_routine(const Instruction& reduce_window) {
  const Computation& region = *reduce_window.get<Computation*>("to_apply");
  const AttributeValue* window = reduce_window.find("window");
  if (window == nullptr || reduce_window.operands.size() != 2 ||
      !folds_in_one_type(reduce_window, region)) {
    return std::nullopt;
  }
  const Shape& operand = reduce_window.operand_shape(0);
  const auto along = running(operand, std::get<Window>(*window));
  const auto how = combining_region(region, operand.element_type);
  if (!along || !how || *how == Combine::kSecond) return std::nullopt;
  LineSizes sizes;
  for (size_t d = 0; d < operand.dims.size(); ++d) {
    (d < along->dimension    ? sizes.outer
     : d == along->dimension ? sizes.length
                             : sizes.inner) *= operand.dims[d];
  }
  const ElementType type = combined_type(operand.element_type);
  Routine routine{[how = *how, type, sizes, reversed = along->reversed](
                      auto operands, auto results) {
    scan_numbers(how, type, sizes, reversed, operands[0], operands[1],
                 results[0]);
  }};
  routine.in_f32 = type != operand.element_type;
  return routine;
}

}  // namespace hlo::cpu
