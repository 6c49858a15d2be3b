#include "interpreter/plans/sort/sorting.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "interpreter/model/storage.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/region/map_region.h"
#include "interpreter/plans/sort/merge_sort.h"
#include "interpreter/plans/sort/sort_key.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr int64_t kGrain = int64_t{1} << 15;

/// An element by a number that grows with it, and its number in the line.
struct Keyed {
  uint64_t key;
  int64_t index;
};

/// How the elements of one operand are numbered.
class KeyRule {
 public:
  KeyRule(ElementType type, bool total_order, bool descending)
      : type_(type),
        by_value_(is_float(type) && !total_order),
        flip_(descending ? ~uint64_t{0} : 0),
        format_(is_float(type) ? &numeric::format(type) : nullptr),
        sign_(format_ == nullptr ? 0 : format_->sign_mask()) {}

  uint64_t key(uint64_t code) const { return ascending_key(code) ^ flip_; }

  /// Whether the order says nothing about the element.
  bool is_unordered(uint64_t code) const {
    return by_value_ && numeric::is_nan(code, *format_);
  }

 private:
  uint64_t ascending_key(uint64_t code) const {
    constexpr uint64_t kTop = uint64_t{1} << 63;
    if (format_ != nullptr) {
      // By value, both zeros are equal.
      if (by_value_ && (code & ~sign_) == 0) code = 0;
      return static_cast<uint64_t>(numeric::total_order(code, *format_)) ^ kTop;
    }
    return is_signed(type_) ? (code << (64 - bits(type_))) ^ kTop : code;
  }

  ElementType type_;
  bool by_value_;
  uint64_t flip_;
  const numeric::FloatFormat* format_;
  uint64_t sign_;
};

/// Whether the rule orders all elements.
template <typename S>
bool orders_all(const Literal& operand, const KeyRule& rule) {
  return std::ranges::none_of(operand.data<S>(),
                              [&](S code) { return rule.is_unordered(code); });
}

bool orders_all(const Literal& operand, const KeyRule& rule) {
  switch (storage_bytes(operand.type())) {
    case 1:
      return orders_all<uint8_t>(operand, rule);
    case 2:
      return orders_all<uint16_t>(operand, rule);
    case 4:
      return orders_all<uint32_t>(operand, rule);
    default:
      return orders_all<uint64_t>(operand, rule);
  }
}

/// Stable, by the bytes of the keys from the last to the first; bytes that all
/// keys share are skipped.
void radix_sort(std::vector<Keyed>& elements, std::vector<Keyed>& room) {
  room.resize(elements.size());
  for (int shift = 0; shift < 64; shift += 8) {
    std::array<size_t, 257> starts{};
    for (const Keyed& element : elements) {
      ++starts[(element.key >> shift & 0xff) + 1];
    }
    if (std::ranges::find(starts, elements.size()) != starts.end()) continue;
    for (size_t byte = 1; byte < starts.size(); ++byte) {
      starts[byte] += starts[byte - 1];
    }
    for (const Keyed& element : elements) {
      room[starts[element.key >> shift & 0xff]++] = element;
    }
    elements.swap(room);
  }
}

void sort_keyed(std::vector<Keyed>& elements, std::vector<Keyed>& room) {
  constexpr size_t kFew = 256;
  if (elements.size() >= kFew) return radix_sort(elements, room);
  std::ranges::stable_sort(elements, {}, &Keyed::key);
}

/// The first of them only, where these are few.
void sort_first(std::vector<Keyed>& elements, int64_t wanted,
                std::vector<Keyed>& room) {
  constexpr int64_t kShare = 8;
  if (wanted > std::ssize(elements) / kShare) {
    return sort_keyed(elements, room);
  }
  const auto less = [](const Keyed& a, const Keyed& b) {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
  };
  const auto end = elements.begin() + wanted;
  std::ranges::nth_element(elements, end, less);
  std::sort(elements.begin(), end, less);
}

template <typename S>
void sort_line(const S* first, const Lines& lines, const KeyRule& rule,
               int64_t wanted, int64_t* order,
               std::array<std::vector<Keyed>, 2>& room) {
  room[0].clear();
  for (int64_t k = 0; k < lines.size; ++k) {
    room[0].push_back({rule.key(first[order[k] * lines.stride]), order[k]});
  }
  sort_first(room[0], wanted, room[1]);
  for (size_t k = 0; k < room[0].size(); ++k) order[k] = room[0][k].index;
}

template <typename S>
void sort_codes(const Lines& lines, const Literal& operand, const KeyRule& rule,
                int64_t wanted, const Evaluator& evaluator,
                std::vector<int64_t>& order) {
  const S* const codes = operand.data<S>().data();
  const int64_t grain = kGrain / (lines.size + 1) + 1;
  evaluator.parallel_for(lines.count, grain, [&](int64_t begin, int64_t end) {
    std::array<std::vector<Keyed>, 2> room;
    for (int64_t line = begin; line < end; ++line) {
      sort_line(codes + lines.first(line), lines, rule, wanted,
                order.data() + line * lines.size, room);
    }
  });
}

/// Each line as it stands.
std::vector<int64_t> given_order(const Lines& lines) {
  std::vector<int64_t> order(static_cast<size_t>(lines.count * lines.size));
  for (int64_t line = 0; line < lines.count; ++line) {
    const auto first = order.begin() + line * lines.size;
    std::iota(first, first + lines.size, 0);
  }
  return order;
}

/// Orders what the keys leave equal as `order` has it.
void sort_by_key(const Lines& lines, const Literal& operand,
                 const KeyRule& rule, int64_t wanted,
                 const Evaluator& evaluator, std::vector<int64_t>& order) {
  switch (storage_bytes(operand.type())) {
    case 1:
      return sort_codes<uint8_t>(lines, operand, rule, wanted, evaluator,
                                 order);
    case 2:
      return sort_codes<uint16_t>(lines, operand, rule, wanted, evaluator,
                                  order);
    case 4:
      return sort_codes<uint32_t>(lines, operand, rule, wanted, evaluator,
                                  order);
    default:
      return sort_codes<uint64_t>(lines, operand, rule, wanted, evaluator,
                                  order);
  }
}

/// The order by keys, of which the first that differ decide; nothing where
/// some cannot be compared.
std::optional<std::vector<int64_t>> sort_by_keys(
    const Lines& lines, Operands operands, const std::vector<SortKey>& keys,
    Evaluator& evaluator) {
  std::vector<Literal> codes;
  std::vector<KeyRule> rules;
  for (const SortKey& key : keys) {
    const Literal& operand = operands[key.operand];
    codes.push_back(key.key == nullptr
                        ? operand
                        : apply_to_elements(*key.key, {&operand, 1},
                                            operand.shape(), evaluator));
    rules.emplace_back(codes.back().type(), key.total_order, key.descending);
    if (!orders_all(codes.back(), rules.back())) return std::nullopt;
  }
  std::vector<int64_t> order = given_order(lines);
  // The last key first: what later passes leave equal stays as it is.
  for (size_t k = keys.size(); k-- > 0;) {
    sort_by_key(lines, codes[k], rules[k], lines.size, evaluator, order);
  }
  return order;
}

template <typename S>
void take_lines(const Lines& lines, const S* source,
                const std::vector<int64_t>& order, int64_t begin, int64_t end,
                S* result) {
  for (int64_t line = begin; line < end; ++line) {
    const int64_t first = lines.first(line);
    const int64_t* const places = order.data() + line * lines.size;
    for (int64_t k = 0; k < lines.size; ++k) {
      result[first + k * lines.stride] =
          source[first + places[k] * lines.stride];
    }
  }
}

template <typename S>
void take(const Lines& lines, const Literal& operand,
          const std::vector<int64_t>& order, Literal& result,
          const Evaluator& evaluator) {
  const auto* source = reinterpret_cast<const S*>(operand.bytes().data());
  auto* target = reinterpret_cast<S*>(result.mutable_bytes().data());
  evaluator.parallel_for(lines.count, kGrain / (lines.size + 1) + 1,
                         [&](int64_t begin, int64_t end) {
                           take_lines(lines, source, order, begin, end, target);
                         });
}

}  // namespace

int64_t bytes_of_sorting(const Lines& lines, const Evaluator& evaluator) {
  constexpr int64_t kOfPlace = sizeof(int64_t);
  constexpr int64_t kOfElement = 2 * sizeof(Keyed);
  const int64_t sorted_at_once =
      std::min<int64_t>(lines.count, evaluator.threads()) * lines.size;
  return lines.count * lines.size * kOfPlace + sorted_at_once * kOfElement;
}

std::vector<int64_t> sort_lines(const Lines& lines, Operands operands,
                                const Computation& comparator,
                                Evaluator& evaluator) {
  const std::vector<SortKey> keys = find_keys(comparator, evaluator);
  if (!keys.empty()) {
    auto order = sort_by_keys(lines, operands, keys, evaluator);
    if (order) return *std::move(order);
  }
  return merge_sort(lines, operands, comparator, evaluator);
}

std::vector<int64_t> sort_total_order(const Lines& lines,
                                      const Literal& operand, bool descending,
                                      int64_t wanted,
                                      const Evaluator& evaluator) {
  std::vector<int64_t> order = given_order(lines);
  sort_by_key(lines, operand, KeyRule(operand.type(), true, descending), wanted,
              evaluator, order);
  return order;
}

Literal take_in_order(const Lines& lines, const Literal& operand,
                      const std::vector<int64_t>& order,
                      const Evaluator& evaluator) {
  Literal result = Literal::uninitialized(operand.shape());
  with_storage(storage_bytes(operand.type()), [&](auto element) {
    take<decltype(element)>(lines, operand, order, result, evaluator);
  });
  return result;
}

}  // namespace hlo
