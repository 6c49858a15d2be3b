#include "interpreter/plans/updates/apply_updates.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "interpreter/model/array_memory.h"
#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/exact/summation.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/plans/region/gather_lanes.h"
#include "interpreter/plans/region/region.h"
#include "interpreter/plans/updates/update_groups.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// The region returns its update: the last one stays.
bool replaces(const Computation& region) {
  return region.parameters.size() == 2 && region.root == region.parameters[1];
}

/// Puts elements of `values` where there are updates: those at the places that
/// `from` names.
void replace(Literal& result, const std::vector<Update>& updates,
             const Literal& values, int64_t Update::*from) {
  const int width = storage_bytes(result.type());
  std::byte* const targets = result.mutable_bytes().data();
  const std::byte* const sources = values.bytes().data();
  for (const Update& update : updates) {
    std::copy_n(sources + update.*from * width, width,
                targets + update.target * width);
  }
}

// ------------------------------------------------------------- exact addition

/// The floats of an array, or one part of complex ones.
class Floats {
 public:
  Floats(const Literal& literal, size_t part)
      : format_(numeric::format(component_type(literal.type()))),
        width_(static_cast<size_t>(storage_bytes(format_.type))),
        step_(static_cast<size_t>(storage_bytes(literal.type()))),
        begin_(literal.bytes().data() + part * width_) {}

  const numeric::FloatFormat& format() const { return format_; }

  bool is_single() const { return format_.type == ElementType::kF32; }

  void prefetch(int64_t position) const {
    __builtin_prefetch(begin_ + static_cast<size_t>(position) * step_);
  }

  double at(int64_t position) const {
    const std::byte* from = begin_ + static_cast<size_t>(position) * step_;
    if (is_single()) {
      float value = 0;
      std::memcpy(&value, from, sizeof value);
      if (!std::isnan(value)) return static_cast<double>(value);
    }
    uint64_t code = 0;
    std::memcpy(&code, from, width_);
    return numeric::decode(code, format_);
  }

 private:
  const numeric::FloatFormat& format_;
  size_t width_;
  size_t step_;
  const std::byte* begin_;
};

/// Rounds a sum that is a double to f32.
uint64_t single(const CompensatedSum& sum) {
  return std::bit_cast<uint32_t>(static_cast<float>(sum.hi));
}

uint64_t sum_group(const Floats& result, std::span<const Update> updates,
                   const Floats& source) {
  const double start = result.at(updates[0].target);
  CompensatedSum sum;
  sum.add(start);
  for (const Update& update : updates) sum.add(source.at(update.source));
  const auto terms = static_cast<int64_t>(updates.size()) + 1;
  if (const auto code =
          round_if_certain(sum.hi, sum.lo, sum.bound(terms), result.format())) {
    return *code;
  }
  numeric::ExactSum exact;
  exact.add(start);
  for (const Update& update : updates) exact.add(source.at(update.source));
  return exact.round(result.format()).bits;
}

/// The sums of one part of the elements, from the updates of a block of
/// neighbours at a time.
class BlockSums {
 public:
  static constexpr int kBits = 12;  // of a position in its block

  BlockSums(Literal& result, const Literal& source, size_t part)
      : to_(result.mutable_bytes().data()),
        step_(static_cast<size_t>(storage_bytes(result.type()))),
        part_(part),
        count_(result.element_count()),
        values_(result, part),
        terms_(source, part),
        width_(static_cast<size_t>(storage_bytes(values_.format().type))) {}

  void add(std::span<const Update> updates) {
    constexpr size_t kFew = 256;  // that are as fast compared
    if (updates.size() < kFew || !add_singles(updates)) add_sorted(updates);
  }

 private:
  void store(int64_t target, uint64_t code) {
    std::memcpy(to_ + static_cast<size_t>(target) * step_ + part_ * width_,
                &code, width_);
  }

  void add_sorted(std::span<const Update> updates) {
    std::vector<Update> sorted(updates.begin(), updates.end());
    std::ranges::stable_sort(sorted, {}, &Update::target);
    for (size_t begin = 0; begin < sorted.size();) {
      const int64_t target = sorted[begin].target;
      size_t end = begin + 1;
      while (end < sorted.size() && sorted[end].target == target) ++end;
      store(target,
            sum_group(values_, std::span(sorted).subspan(begin, end - begin),
                      terms_));
      begin = end;
    }
  }

  /// Adds numbers of f32, where no addition in double rounds: whether that was
  /// so. If not, nothing is stored.
  bool add_singles(std::span<const Update> updates) {
    if (!values_.is_single()) return false;
    const int64_t first = updates[0].target >> kBits << kBits;
    const int64_t n = std::min(int64_t{1} << kBits, count_ - first);
    sums_.resize(static_cast<size_t>(n));
    has_update_.assign(static_cast<size_t>(n), false);
    for (int64_t i = 0; i < n; ++i) {
      sums_[static_cast<size_t>(i)] = {};
      sums_[static_cast<size_t>(i)].add(values_.at(first + i));
    }
    for (size_t u = 0; u < updates.size(); ++u) {
      // A block's sources lie far apart.
      terms_.prefetch(updates[std::min(u + 24, updates.size() - 1)].source);
      const auto i = static_cast<size_t>(updates[u].target - first);
      sums_[i].add(terms_.at(updates[u].source));
      has_update_[i] = true;
    }
    const auto is_exact = [&](size_t i) {
      return sums_[i].lost == 0 && std::isfinite(sums_[i].hi);
    };
    for (size_t i = 0; i < sums_.size(); ++i) {
      if (has_update_[i] != 0 && !is_exact(i)) return false;
    }
    for (size_t i = 0; i < sums_.size(); ++i) {
      if (has_update_[i] == 0) continue;
      store(first + static_cast<int64_t>(i), single(sums_[i]));
    }
    return true;
  }

  std::byte* to_;
  size_t step_;
  size_t part_;
  int64_t count_;
  Floats values_;
  Floats terms_;
  size_t width_;
  std::vector<CompensatedSum> sums_;
  std::vector<uint8_t> has_update_;
};

void add_exactly(Literal& result, const std::vector<Update>& updates,
                 const Literal& source) {
  const auto block = [&](size_t i) {
    return static_cast<size_t>(updates[i].target >> BlockSums::kBits);
  };
  const UpdateGroups blocks = group_updates(
      updates, block,
      static_cast<size_t>(result.element_count() >> BlockSums::kBits) + 1);
  const size_t parts = is_complex(result.type()) ? 2 : 1;
  for (size_t part = 0; part < parts; ++part) {
    BlockSums sums(result, source, part);
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (!blocks[i].empty()) sums.add(blocks[i]);
    }
  }
}

// --------------------------------------------------------------- other regions

/// Runs a region on the n-th update of many elements at once.
class Rounds {
 public:
  Rounds(const Region& region, std::vector<Literal>& results, Operands sources)
      : region_(region),
        results_(results),
        sources_(sources),
        scratch_(region, Region::kMaxElements) {
    for (const ElementType type : region.inputs()) {
      arrays_.emplace_back(static_cast<size_t>(Region::kMaxElements) *
                           static_cast<size_t>(storage_bytes(type)));
    }
  }

  /// At most Region::kMaxElements updates of different elements.
  void run(std::span<const Update> updates) {
    const size_t n = results_.size();
    targets_.resize(updates.size());
    from_.resize(updates.size());
    std::ranges::transform(updates, targets_.begin(), &Update::target);
    std::ranges::transform(updates, from_.begin(), &Update::source);
    std::vector<const std::byte*> inputs;
    std::vector<std::byte*> outputs;
    for (size_t i = 0; i < 2 * n; ++i) {
      const Literal& literal = i < n ? results_[i] : sources_[i - n];
      gather_elements(storage_bytes(literal.type()), literal.bytes().data(),
                      i < n ? targets_ : from_, arrays_[i].data());
      inputs.push_back(arrays_[i].data());
      if (i < n) outputs.push_back(arrays_[i].data());
    }
    region_.run(scratch_, static_cast<int64_t>(updates.size()), inputs.data(),
                outputs.data());
    for (size_t i = 0; i < n; ++i) {
      spread_elements(storage_bytes(results_[i].type()), outputs[i], targets_,
                      results_[i].mutable_bytes().data());
    }
  }

 private:
  const Region& region_;
  std::vector<Literal>& results_;
  Operands sources_;
  Region::Scratch scratch_;
  std::vector<std::vector<std::byte>> arrays_;
  std::vector<int64_t> targets_;
  std::vector<int64_t> from_;
};

/// Each element takes its updates one after the other: first every element its
/// first one, then its second.
void run_region(const Region& region, std::vector<Literal>& results,
                const std::vector<Update>& updates, Operands sources) {
  std::vector<uint32_t> seen(static_cast<size_t>(results[0].element_count()));
  std::vector<uint32_t> turns(updates.size());
  uint32_t most = 0;
  for (size_t i = 0; i < updates.size(); ++i) {
    turns[i] = seen[static_cast<size_t>(updates[i].target)]++;
    most = std::max(most, turns[i]);
  }
  const UpdateGroups rounds = group_updates(
      updates, [&](size_t i) { return size_t{turns[i]}; }, size_t{most} + 1);
  Rounds runner(region, results, sources);
  for (size_t turn = 0; turn < rounds.size(); ++turn) {
    const std::span<const Update> round = rounds[turn];
    for (size_t i = 0; i < round.size(); i += Region::kMaxElements) {
      runner.run(round.subspan(
          i, std::min(round.size() - i, size_t{Region::kMaxElements})));
    }
  }
}

bool adds_floats(const Computation& region) {
  if (recognize(region) != Reducer::kAdd) return false;
  const ElementType type = region.root->shape.element_type;
  return is_float(type) || is_complex(type);
}

void apply_in_types(std::vector<Literal>& results,
                    const std::vector<Update>& updates, Operands sources,
                    const Computation& region, Evaluator& evaluator) {
  if (adds_floats(region)) {
    add_exactly(results[0], updates, sources[0]);
  } else {
    run_region(Region(region, evaluator), results, updates, sources);
  }
}

}  // namespace

void apply_updates(std::vector<Literal>& results,
                   const std::vector<Update>& updates, Operands sources,
                   const Computation& region, Evaluator& evaluator) {
  if (updates.empty()) return;
  const size_t n = results.size();
  if (replaces(region) && results[0].type() == sources[0].type()) {
    return replace(results[0], updates, sources[0], &Update::source);
  }
  std::vector<Literal> values;
  std::vector<Literal> arguments;
  for (size_t i = 0; i < n; ++i) {
    const auto type = [&](size_t p) {
      return region.parameters[p]->shape.element_type;
    };
    values.push_back(converted(results[i], type(i), evaluator.threads()));
    arguments.push_back(
        converted(sources[i], type(n + i), evaluator.threads()));
  }
  apply_in_types(values, updates, arguments, region, evaluator);
  for (size_t i = 0; i < n; ++i) {
    Literal value =
        converted(values[i], results[i].type(), evaluator.threads());
    if (values[i].type() == value.type()) {
      results[i] = std::move(value);
    } else {
      // What has no update keeps digits that the region's type lacks.
      replace(results[i], updates, value, &Update::target);
    }
  }
}

Literal apply(Updating updating, Operands operands, Evaluator& evaluator) {
  std::vector<Literal>& results = updating.initial;
  // The list, once more in groups, and how often each element was met.
  constexpr int64_t kOfUpdate = 2 * sizeof(Update) + sizeof(uint32_t);
  const ScratchMemory scratch(std::ssize(updating.updates) * kOfUpdate +
                              results[0].element_count() *
                                  int64_t{sizeof(uint32_t)});
  apply_updates(results, updating.updates,
                operands.subspan(static_cast<size_t>(updating.first_source),
                                 results.size()),
                *updating.region, evaluator);
  return results.size() == 1 ? results[0] : Literal::tuple(std::move(results));
}

}  // namespace hlo
