#include <functional>
#include <queue>
#include <unordered_map>

#include "interpreter/shortened.h"
#include "interpreter/text/module/module_reader.h"

// XLA prints some computations behind their callers; a module has each of them
// before its callers.

namespace hlo::text {
namespace {

std::vector<const Computation*> callees(const Computation& computation) {
  std::vector<const Computation*> found;
  for (const auto& instruction : computation.instructions) {
    for (const auto& [name, value] : instruction->attributes) {
      if (const auto* one = std::get_if<Computation*>(&value)) {
        found.push_back(*one);
      } else if (const auto* many = std::get_if<Computations>(&value)) {
        found.insert(found.end(), many->begin(), many->end());
      }
    }
  }
  return found;
}

/// Positions in an order in which callees come first and which else keeps the
/// given one; short of those that lie on a cycle or behind it.
std::vector<size_t> callees_first(
    const std::vector<std::unique_ptr<Computation>>& computations) {
  std::unordered_map<const Computation*, size_t> position;
  for (size_t i = 0; i < computations.size(); ++i) {
    position[computations[i].get()] = i;
  }
  std::vector<size_t> missing(computations.size());
  std::vector<std::vector<size_t>> callers(computations.size());
  for (size_t i = 0; i < computations.size(); ++i) {
    for (const Computation* callee : callees(*computations[i])) {
      callers[position.at(callee)].push_back(i);
      ++missing[i];
    }
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < missing.size(); ++i) {
    if (missing[i] == 0) ready.push(i);
  }
  std::vector<size_t> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const size_t caller : callers[order.back()]) {
      if (--missing[caller] == 0) ready.push(caller);
    }
  }
  return order;
}

}  // namespace

/// The computation of that name, which is still to come.
Computation* ModuleReader::declare(std::string_view name, size_t start) {
  forward_.emplace_back(name, start);
  auto& computation = declared_[name];
  if (computation == nullptr) computation = std::make_unique<Computation>();
  return computation.get();
}

/// A computation to be read: the one that was declared, or a new one.
std::unique_ptr<Computation> ModuleReader::declared(std::string_view name) {
  const auto found = declared_.find(name);
  auto computation = std::make_unique<Computation>();
  if (found != declared_.end()) {
    computation = std::move(found->second);
    declared_.erase(found);
  }
  computation->name = std::string(name);
  return computation;
}

void ModuleReader::order_computations() {
  if (forward_.empty()) return;
  const auto fail = [&](const auto& reference) {
    in_.fail_at(reference.second, "text.undefined",
                "there is no computation '" + shortened(reference.first) +
                    "', or it calls the one that refers to it");
  };
  for (const auto& reference : forward_) {
    if (declared_.contains(reference.first)) fail(reference);
  }
  const std::vector<size_t> order = callees_first(module_.computations);
  if (order.size() < module_.computations.size()) fail(forward_.front());
  std::vector<std::unique_ptr<Computation>> ordered;
  ordered.reserve(order.size());
  for (const size_t i : order) {
    ordered.push_back(std::move(module_.computations[i]));
  }
  module_.computations = std::move(ordered);
}

}  // namespace hlo::text
