#include "conformance/translation/agreement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "backends/backend.h"
#include "conformance/certify/array/existing.h"
#include "conformance/expect/collective_call.h"
#include "conformance/literals/describe_scalar.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/float_types.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kMostRuns = 8;  // of an instruction, that are kept
constexpr int64_t kMostKept = int64_t{1} << 26;  // elements of all of them

/// The name that the source has for what it computes; empty without any.
std::string source_of(const Instruction& instruction) {
  constexpr std::string_view kName = "op_name=\"";
  const std::string text = instruction.get_or("metadata", Verbatim{}).text;
  const size_t at = text.find(kName);
  if (at == std::string::npos) return {};
  const size_t begin = at + kName.size();
  return text.substr(begin, text.find('"', begin) - begin);
}

/// Whether the names are the same, but for what encloses one of them.
bool same_source(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return false;
  if (a.size() < b.size()) std::swap(a, b);
  if (!a.ends_with(b)) return false;
  return a.size() == b.size() || a[a.size() - b.size() - 1] == '/';
}

/// Whether a name says where it is from: in a computation that is called,
/// names are but "add".
bool is_full(std::string_view name) {
  return name.find('/') != std::string_view::npos;
}

bool says_little(const Literal& value) {
  constexpr int64_t kLooked = 64;
  constexpr size_t kEnough = 3;
  if (value.type() == ElementType::kPred) return true;
  std::set<std::array<uint64_t, 2>> different;
  for (int64_t i = 0; i < std::min(value.element_count(), kLooked); ++i) {
    different.insert(value.at(i).bits);
  }
  return different.size() < kEnough;
}

bool contains(const SetTree& sets, int64_t i, const Scalar& element) {
  if (element == sets.value.at(i)) return true;
  if (is_complex(element.type)) return sets.element(i).contains(element);
  return sets.at(i).contains(element.bits[0], element.type);
}

/// The element in another float type.
Scalar converted(const Scalar& element, ElementType type) {
  const double value =
      numeric::decode(element.bits[0], numeric::format(element.type));
  return {type, {numeric::encode(value, numeric::format(type)), 0}};
}

/// Whether the value is one of the sets', in whatever shape, and of floats in
/// whatever type.
bool lies_in(const Literal& value, const SetTree& sets) {
  if (sets.is_unknown() || !sets.value.shape().is_array()) return false;
  if (is_sized(value) || is_sized(sets.value)) {
    return lies_in(cut(value), existing(sets));
  }
  const ElementType type = sets.value.type();
  const bool same = value.type() == type;
  if (!same && !(is_float(value.type()) && is_float(type))) return false;
  if (value.element_count() != sets.value.element_count()) return false;
  for (int64_t i = 0; i < value.element_count(); ++i) {
    const Scalar element = same ? value.at(i) : converted(value.at(i), type);
    if (!contains(sets, i, element)) return false;
  }
  return true;
}

/// Whether both have the same elements in the same order.
bool holds_same(const Literal& a, const Literal& b) {
  if (is_sized(a) || is_sized(b)) return holds_same(cut(a), cut(b));
  if (a.type() != b.type() || a.element_count() != b.element_count()) {
    return false;
  }
  for (int64_t i = 0; i < a.element_count(); ++i) {
    if (!(a.at(i) == b.at(i))) return false;
  }
  return true;
}

std::optional<Outside> outside_of(const SetTree& sets, const Literal& value) {
  if (sets.is_unknown() || !value.shape().is_array() ||
      value.type() != sets.value.type() ||
      value.element_count() != sets.value.element_count()) {
    return {};
  }
  if (sizes_of(value) != sizes_of(sets.value)) {
    return Outside{.place = "sizes",
                   .value = sizes_text(sizes_of(value)),
                   .expected = sizes_text(sizes_of(sets.value))};
  }
  if (is_sized(value)) return outside_of(existing(sets), cut(value));
  for (int64_t i = 0; i < value.element_count(); ++i) {
    if (contains(sets, i, value.at(i))) continue;
    return Outside{
        .place = fmt::format(
            "{{{}}}", fmt::join(delinearize(i, value.shape().dims), ",")),
        .value = describe(value.at(i)),
        .expected = describe(sets.element(i), value.type())};
  }
  return {};
}

}  // namespace

std::optional<Outside> first_outside(const std::vector<const SetTree*>& sets,
                                     const std::vector<Literal>& values) {
  for (size_t k = 0; k < sets.size() && k < values.size(); ++k) {
    if (std::optional<Outside> found = outside_of(*sets[k], values[k])) {
      found->leaf = k;
      return found;
    }
  }
  return {};
}

void Agreement::see_after(const Instruction& instruction,
                          const Literal& value) {
  auto [at, is_new] = seen_.try_emplace(&instruction);
  Seen& seen = at->second;
  if (is_new) {
    order_.push_back(&instruction);
    seen.source = source_of(instruction);
  }
  std::vector<Literal> leaves = array_leaves({&value, 1});
  for (const Literal& leaf : leaves) kept_ += leaf.element_count();
  if (seen.runs++ >= kMostRuns || kept_ > kMostKept) {
    seen.is_cut = true;
    return;
  }
  seen.leaves_of_run = leaves.size();
  for (Literal& leaf : leaves) {
    const bool little = conformance::says_little(leaf);
    seen.leaves.push_back({.value = std::move(leaf), .says_little = little});
  }
}

void Agreement::take_turn(Seen& seen, const Instruction& before,
                          const std::vector<const SetTree*>& sets) {
  Turns& turns = seen.turns[&before];
  const auto first = static_cast<size_t>(turns.runs++) * seen.leaves_of_run;
  for (size_t j = 0; j < seen.leaves_of_run; ++j) {
    if (first + j >= seen.leaves.size()) return;
    turns.all_agree = turns.all_agree && j < sets.size() &&
                      lies_in(seen.leaves[first + j].value, *sets[j]);
  }
  if (turns.all_agree) ++turns.good;
}

void Agreement::find(Seen& seen, const Instruction& after,
                     const Instruction& before,
                     const std::vector<const SetTree*>& sets,
                     const std::string& before_source) {
  const bool same = after.op == before.op;
  const bool alike = same_source(seen.source, before_source);
  for (Leaf& leaf : seen.leaves) {
    if (leaf.found || (leaf.says_little && !(same && alike))) continue;
    leaf.found = std::ranges::any_of(
        sets, [&](const SetTree* set) { return lies_in(leaf.value, *set); });
  }
  if (alike && seen.runs > 1) take_turn(seen, before, sets);
  const bool full = is_full(before_source) && is_full(seen.source);
  if (alike) liken(seen, before, sets, same && full ? 2 : 1);
}

void Agreement::liken(Seen& seen, const Instruction& before,
                      const std::vector<const SetTree*>& sets, int likeness) {
  if (likeness < seen.counterpart.likeness) return;
  if (seen.leaves.empty() || sets.empty()) return;
  std::optional<Outside> outside = outside_of(*sets[0], seen.leaves[0].value);
  if (!outside) return;
  const bool runs_once =
      seen.runs == 1 && seen.counterpart.instruction != &before;
  seen.counterpart = {&before, likeness, std::move(outside)};
  if (!runs_once || sets.size() != 1) return;
  seen.counterpart.value = std::make_shared<const Literal>(sets[0]->value);
}

void Agreement::see_before(const Instruction& instruction,
                           const SetTree& sets) {
  const std::vector<const SetTree*> leaves = array_leaves_of(sets);
  const std::string source = source_of(instruction);
  for (auto& [after, seen] : seen_) {
    find(seen, *after, instruction, leaves, source);
  }
}

void Agreement::see_input(const Literal& input) {
  for (const Literal& part : array_leaves({&input, 1})) {
    for (auto& [after, seen] : seen_) {
      for (Leaf& leaf : seen.leaves) {
        leaf.is_input = leaf.is_input || holds_same(leaf.value, part);
      }
    }
  }
}

bool Agreement::agrees(const Instruction& after) const {
  const auto at = seen_.find(&after);
  if (at == seen_.end()) return false;
  const Seen& seen = at->second;
  for (const auto& [before, turns] : seen.turns) {
    if (turns.runs == seen.runs && turns.all_agree) return true;
  }
  // An input in the place of what is computed is no accident.
  const bool is_named = seen.counterpart.instruction != nullptr;
  return seen.turns.empty() &&
         std::ranges::all_of(seen.leaves, [&](const Leaf& leaf) {
           return leaf.found || (leaf.is_input && !is_named);
         });
}

bool Agreement::says_little(const Instruction& after) const {
  const auto at = seen_.find(&after);
  if (at == seen_.end()) return true;
  return std::ranges::all_of(at->second.leaves,
                             [](const Leaf& leaf) { return leaf.says_little; });
}

int64_t Agreement::first_run(const Instruction& after) const {
  const auto at = seen_.find(&after);
  int64_t first = 0;
  if (at == seen_.end()) return first;
  for (const auto& [before, turns] : at->second.turns) {
    first = std::max(first, turns.good);
  }
  return first;
}

const Counterpart* Agreement::counterpart(const Instruction& after) const {
  const auto at = seen_.find(&after);
  const bool none =
      at == seen_.end() || at->second.counterpart.instruction == nullptr;
  return none ? nullptr : &at->second.counterpart;
}

}  // namespace hlo::conformance
