#include "conformance/tiers/check_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "conformance/case/case_files.h"
#include "conformance/files/read_file.h"
#include "conformance/literals/content_hash.h"
#include "conformance/report/events.h"
#include "conformance/tiers/random_cases.h"
#include "conformance/tiers/shard.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

/// What stands in files.
class FileCases : public CheckCases {
 public:
  FileCases(std::vector<std::string> files, std::vector<Case> cases,
            const Shard& shard)
      : files_(std::move(files)),
        cases_(std::move(cases)),
        own_(cases_of_shard(cases_, shard)) {}

  int64_t count() const override { return std::ssize(own_); }

  int64_t whole() const override { return std::ssize(cases_); }

  std::vector<int64_t> positions() const override {
    return {own_.begin(), own_.end()};
  }

  std::string manifest() const override {
    // Ids and programs do not say what goes in and what may come out.
    Sha256 hash;
    hash.add(conformance::manifest(cases_));
    for (const std::string& file : files_) hash.add(sha256(read_file(file)));
    return hash.finish();
  }

  std::vector<std::string> files() const override { return files_; }

  bool may_have(const std::string& filter) const override {
    return std::ranges::any_of(
        cases_, [&](const Case& c) { return selects(filter, c.id); });
  }

  std::vector<Case> next() override {
    std::vector<Case> own;
    for (const size_t i : std::exchange(own_, {})) {
      own.push_back(std::move(cases_[i]));
    }
    return own;
  }

 private:
  std::vector<std::string> files_;
  std::vector<Case> cases_;  // of the whole run
  std::vector<size_t> own_;  // of the shard
};

/// The number of the program whose case the filter names; nothing where it is
/// not the id of one.
std::optional<uint32_t> named_program(const std::string& filter,
                                      uint32_t seed) {
  const std::string mark = fmt::format("/full-{}-", seed);
  const size_t at = filter.find(mark);
  if (at == std::string::npos) return std::nullopt;
  uint32_t number = 0;
  const char* const begin = filter.data() + at + mark.size();
  const auto read =
      std::from_chars(begin, filter.data() + filter.size(), number);
  const bool named = read.ec == std::errc() && *read.ptr == '-';
  return named ? std::optional(number) : std::nullopt;
}

/// What is made of random programs.
class DrawnCases : public CheckCases {
 public:
  explicit DrawnCases(const Drawing& drawing)
      : seed_(drawing.seed),
        shard_(parse_shard(drawing.shard)),
        count_(drawing.count),
        left_(drawing.count),
        programs_(
            {.seed = seed_, .first = shard_.index, .step = shard_.count}) {}

  int64_t count() const override { return count_; }

  int64_t whole() const override { return count_; }

  std::vector<int64_t> positions() const override { return {}; }

  std::string manifest() const override {
    return sha256(fmt::format("full 1: seed {}, shard {}/{}, {} cases\n", seed_,
                              shard_.index, shard_.count, count_));
  }

  std::vector<std::string> files() const override { return {}; }

  bool may_have(const std::string& /*filter*/) const override { return true; }

  std::vector<Case> next() override {
    constexpr int64_t kPart = 4096;
    const int64_t most = std::min(left_, kPart);
    std::vector<Case> part = programs_.next(static_cast<size_t>(most));
    if (std::ssize(part) > left_) part.resize(static_cast<size_t>(left_));
    left_ -= std::ssize(part);
    return part;
  }

 private:
  uint32_t seed_;
  Shard shard_;
  int64_t count_;
  int64_t left_;
  RandomCases programs_;
};

/// With a filter the cases are chosen before any of them runs.
std::unique_ptr<CheckCases> drawn_cases(const std::string& filter,
                                        const Drawing& drawing) {
  auto drawn = std::make_unique<DrawnCases>(drawing);
  if (filter == "*") return drawn;
  std::vector<Case> cases;
  const auto keep = [&](std::vector<Case> part) {
    for (Case& c : part) {
      if (selects(filter, c.id)) cases.push_back(std::move(c));
    }
  };
  if (const auto number = named_program(filter, drawing.seed)) {
    keep(cases_of_program(drawing.seed, *number));
  } else {
    for (std::vector<Case> part; !(part = drawn->next()).empty();) {
      keep(std::move(part));
    }
  }
  return std::make_unique<FileCases>(std::vector<std::string>(),
                                     std::move(cases), Shard());
}

/// Those whose ids stand in the list of the tier.
void keep_smoke(std::vector<Case>& cases) {
  std::istringstream lines(
      read_file(data_root() + "/conformance/vectors/smoke.txt"));
  std::unordered_set<std::string> ids;
  for (std::string line; std::getline(lines, line);) ids.insert(line);
  std::erase_if(cases, [&](const Case& c) { return !ids.contains(c.id); });
}

}  // namespace

std::unique_ptr<CheckCases> cases_of_tier(const std::string& tier,
                                          const std::vector<std::string>& paths,
                                          const std::string& filter,
                                          const Drawing& drawing) {
  require_evaluable(tier == "core" || paths.empty(), "usage.tier",
                    {"the tier is ", tier, " and there are files"},
                    "it must be one or the other");
  if (tier == "full") return drawn_cases(filter, drawing);
  std::vector<std::string> files = case_files(paths);
  std::vector<Case> cases = load_all(files, filter);
  if (tier == "smoke") keep_smoke(cases);
  return std::make_unique<FileCases>(std::move(files), std::move(cases),
                                     parse_shard(drawing.shard));
}

}  // namespace hlo::conformance
