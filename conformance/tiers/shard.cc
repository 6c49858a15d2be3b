#include "conformance/tiers/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <queue>
#include <string_view>
#include <utility>

#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

std::optional<uint32_t> parse_number(std::string_view text) {
  uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  const bool good = read.ec == std::errc() && read.ptr == end;
  return good ? std::optional(number) : std::nullopt;
}

/// The variables by which a launcher tells a process its part.
struct Launcher {
  const char* index;
  const char* total;
  const char* first = nullptr;  // has the first index, which is 0 without
  uint32_t base = 0;            // the first index
};

constexpr Launcher kLaunchers[] = {
    {.index = "TEST_SHARD_INDEX", .total = "TEST_TOTAL_SHARDS"},
    {.index = "GTEST_SHARD_INDEX", .total = "GTEST_TOTAL_SHARDS"},
    {.index = "SLURM_ARRAY_TASK_ID",
     .total = "SLURM_ARRAY_TASK_COUNT",
     .first = "SLURM_ARRAY_TASK_MIN"},
    {.index = "JOB_COMPLETION_INDEX", .total = "ASSAY_SHARDS"},
    {.index = "CI_NODE_INDEX", .total = "CI_NODE_TOTAL", .base = 1},
    {.index = "OMPI_COMM_WORLD_RANK", .total = "OMPI_COMM_WORLD_SIZE"},
    {.index = "PMI_RANK", .total = "PMI_SIZE"},
};

/// Nothing where it is not set.
std::string value(const Environment& environment, const char* name) {
  const char* const text = name == nullptr ? nullptr : environment(name);
  return text == nullptr ? "" : text;
}

[[noreturn]] void refuse(const std::string& what) {
  throw Error(Phase::kEvaluate, "usage.shard",
              what +
                  ", but a launcher must set an index and a larger number "
                  "of shards (or --shard I/N, which goes before)");
}

/// The variables as they are set: A="1", B not set.
std::string settings(const Launcher& launcher, const Environment& environment) {
  std::string text;
  for (const char* name : {launcher.index, launcher.first, launcher.total}) {
    if (name == nullptr) continue;
    const std::string found = value(environment, name);
    if (!text.empty()) text += ", ";
    text +=
        name + (found.empty() ? " not set" : "=\"" + shortened(found) + '"');
  }
  return text;
}

std::optional<Shard> shard_of(const Launcher& launcher,
                              const Environment& environment) {
  const std::string index = value(environment, launcher.index);
  const std::string total = value(environment, launcher.total);
  const bool has_first = launcher.first != nullptr;
  const std::string first =
      has_first ? value(environment, launcher.first) : "0";
  if (index.empty() && total.empty()) return std::nullopt;
  // GitLab counts the one node of a job that is not parallel, Bazel none.
  const auto count = parse_number(total);
  if (index.empty() && count && *count <= 1) return std::nullopt;
  const auto number = parse_number(index);
  const auto least = parse_number(first);
  if (!number || !count || !least) {
    refuse("the environment has " + settings(launcher, environment));
  }
  const int64_t base = int64_t{*least} + launcher.base;
  const int64_t part = int64_t{*number} - base;
  if (part < 0 || part >= int64_t{*count}) {
    refuse("the environment has " + settings(launcher, environment));
  }
  return Shard{
      .index = static_cast<uint32_t>(part),
      .count = *count,
      .source = fmt::format("{} and {}", launcher.index, launcher.total)};
}

}  // namespace

Shard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  const size_t slash = std::min(text.find('/'), text.size());
  const auto index = parse_number(std::string_view(text).substr(0, slash));
  const auto count = parse_number(
      std::string_view(text).substr(std::min(slash + 1, text.size())));
  require_evaluable(index && count && *index < *count, "usage.shard",
                    {"the shard is \"", shortened(text), "\""},
                    "it must be I/N, part I of N, counted from 0");
  return {.index = *index, .count = *count};
}

Shard shard_of_environment(const Environment& environment) {
  Shard shard;
  for (const Launcher& launcher : kLaunchers) {
    const auto found = shard_of(launcher, environment);
    // One process of MPI may be a task of an array.
    if (!found || found->count == 1) continue;
    const bool agrees =
        found->index == shard.index && found->count == shard.count;
    if (shard.count > 1 && !agrees) {
      refuse(fmt::format("the environment has shard {}/{} ({}) and {}/{} ({})",
                         shard.index, shard.count, shard.source, found->index,
                         found->count, found->source));
    }
    if (shard.count == 1) shard = *found;
  }
  return shard;
}

int64_t cost(const Case& c) {
  int64_t work = 1 + std::ssize(c.hlo) + std::ssize(c.stablehlo);
  for (const Literal& input : c.inputs) work += input.element_count();
  return work;
}

std::vector<size_t> cases_of_shard(const std::vector<Case>& cases,
                                   const Shard& shard) {
  std::vector<size_t> order(cases.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (shard.count == 1) return order;
  std::vector<int64_t> costs;
  for (const Case& c : cases) costs.push_back(cost(c));
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](size_t i) { return costs[i]; });
  using Load = std::pair<int64_t, size_t>;  // work so far, number of the shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  // More shards than cases stay empty, as each case takes some work.
  const size_t count = std::min<size_t>(shard.count, cases.size());
  for (size_t i = 0; i < count; ++i) loads.emplace(0, i);
  std::vector<size_t> own;
  for (const size_t i : order) {
    const auto [load, number] = loads.top();
    loads.pop();
    if (number == shard.index) own.push_back(i);
    loads.emplace(load + costs[i], number);
  }
  std::ranges::sort(own);
  return own;
}

}  // namespace hlo::conformance
