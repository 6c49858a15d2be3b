#include "interpreter/stablehlo/read/value_names.h"

#include <algorithm>
#include <functional>

namespace hlo::stablehlo {
namespace {

uint64_t hash_of(std::string_view name) {
  return std::hash<std::string_view>{}(name);
}

uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32U); }

}  // namespace

/// The slot of the name, or the free one where it would be.
size_t ValueNames::slot_of(std::string_view name, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.entry == 0) return i;
    if (slot.tag == tag_of(hash) && entries_[slot.entry - 1].name == name) {
      return i;
    }
  }
}

const NamedValues* ValueNames::find(std::string_view name) const {
  if (slots_.empty()) return nullptr;
  const Slot& slot = slots_[slot_of(name, hash_of(name))];
  return slot.entry == 0 ? nullptr : &entries_[slot.entry - 1].values;
}

bool ValueNames::insert(std::string_view name, const NamedValues& values) {
  if (2 * (entries_.size() + 1) > slots_.size()) grow();
  const uint64_t hash = hash_of(name);
  Slot& slot = slots_[slot_of(name, hash)];
  if (slot.entry != 0) return false;
  entries_.push_back({name, values, hash});
  slot = {tag_of(hash), static_cast<uint32_t>(entries_.size())};
  return true;
}

void ValueNames::truncate(size_t count) {
  // No later entry has passed the slot of the last one: it just becomes free.
  for (; entries_.size() > count; entries_.pop_back()) {
    const Entry& last = entries_.back();
    slots_[slot_of(last.name, last.hash)] = {};
  }
}

void ValueNames::grow() {
  constexpr size_t kLeast = 64;
  slots_.assign(std::max(kLeast, 2 * slots_.size()), {});
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    slots_[slot_of(entry.name, entry.hash)] = {tag_of(entry.hash),
                                               static_cast<uint32_t>(i + 1)};
  }
}

}  // namespace hlo::stablehlo
