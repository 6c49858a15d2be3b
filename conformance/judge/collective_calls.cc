#include "conformance/judge/collective_calls.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "conformance/expect/expect_module.h"

namespace hlo::conformance {

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

Judgement judge_call(const CollectiveCall& call, const Module& module,
                     const Observation& observation, const Profile& profile) {
  const auto* values = std::get_if<std::vector<Literal>>(&observation);
  const std::vector<Expectation> sets = of_those_that_came(
      call, expect_devices(module, arguments_of(call), values, profile));
  return values == nullptr ? judge(sets, observation)
                           : judge(sets, of_those_that_came(call, *values));
}

}  // namespace hlo::conformance
