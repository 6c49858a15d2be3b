#include "conformance/judge/collective_calls.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "backends/backend.h"
#include "conformance/expect/expect_module.h"
#include "interpreter/rules/clone.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

/// The instruction that gives what this one has begun; null where there is
/// none, or it takes that out of a tuple or in another computation.
const Instruction* end_of(const Instruction& start) {
  for (const auto& other : start.parent->instructions) {
    const bool takes =
        !other->operands.empty() && other->operands.front() == &start;
    if (takes && other->op->start == start.op) return other.get();
  }
  return nullptr;
}

/// Whether its value is a state that another instruction ends.
bool is_start(const Instruction& instruction) {
  return std::ranges::any_of(
      all_ops(), [&](const Op* op) { return op->start == instruction.op; });
}

/// How many leaves each device gives.
size_t leaves_of_one(const CollectiveCall& call, size_t all) {
  return all / static_cast<size_t>(call.grid.count());
}

/// The leaves of the devices that came, out of those of all.
template <typename T>
std::vector<T> of_those_that_came(const CollectiveCall& call,
                                  const std::vector<T>& leaves) {
  const size_t each = leaves_of_one(call, leaves.size());
  std::vector<T> kept;
  for (const auto& [device, operands] : call.operands) {
    const auto first =
        leaves.begin() + static_cast<std::ptrdiff_t>(each) * device;
    kept.insert(kept.end(), first, first + static_cast<std::ptrdiff_t>(each));
  }
  return kept;
}

}  // namespace

std::optional<CollectiveCall> CollectiveCalls::add(const Meeting& meeting) {
  constexpr size_t kMostWaiting = 8;
  const int64_t visit = visits_[{meeting.collective, meeting.devices}]++;
  auto at = std::ranges::find_if(waiting_, [&](const auto& entry) {
    return entry.first == visit &&
           entry.second.collective == meeting.collective;
  });
  if (at == waiting_.end()) {
    waiting_.push_back({visit, {meeting.collective, meeting.grid, {}}});
    at = std::prev(waiting_.end());
  }
  CollectiveCall& call = at->second;
  for (size_t i = 0; i < meeting.size(); ++i) {
    call.operands[meeting.devices[i]] = meeting.operands[i];
  }
  if (std::ssize(call.operands) == call.grid.count()) {
    CollectiveCall whole = std::move(call);
    waiting_.erase(at);
    return whole;
  }
  return waiting_.size() > kMostWaiting ? next() : std::nullopt;
}

std::optional<CollectiveCall> CollectiveCalls::next() {
  if (waiting_.empty()) return std::nullopt;
  CollectiveCall oldest = std::move(waiting_.front().second);
  waiting_.pop_front();
  return oldest;
}

std::shared_ptr<const Module> module_of(const CollectiveCall& call) {
  const Instruction& collective = *call.collective;
  const Instruction* end = is_start(collective) ? end_of(collective) : nullptr;
  if (is_start(collective) && end == nullptr) return nullptr;
  Module module = end == nullptr ? extract_sized(collective)
                                 : extract_sized(collective, *end);
  module.replica_count = call.grid.replicas;
  module.num_partitions = call.grid.partitions;
  return std::make_shared<const Module>(std::move(module));
}

std::vector<std::vector<Literal>> arguments_of(const CollectiveCall& call) {
  std::vector<std::vector<Literal>> those;
  for (const auto& [device, operands] : call.operands) {
    those.push_back(sized_arguments(*call.collective, operands));
  }
  std::vector<std::vector<Literal>> all;
  size_t next = 0;
  for (int64_t device = 0; device < call.grid.count(); ++device) {
    const auto found = call.operands.find(device);
    all.push_back(found == call.operands.end()
                      ? those[next++ % those.size()]
                      : sized_arguments(*call.collective, found->second));
  }
  return all;
}

Judgement judge_call(const CollectiveCall& call, const Module& module,
                     const Observation& observation, const Profile& profile) {
  const auto* values = std::get_if<std::vector<Literal>>(&observation);
  const std::vector<Expectation> sets = of_those_that_came(
      call, expect_devices(module, arguments_of(call), values, profile));
  return values == nullptr ? judge(sets, observation)
                           : judge(sets, of_those_that_came(call, *values));
}

}  // namespace hlo::conformance
