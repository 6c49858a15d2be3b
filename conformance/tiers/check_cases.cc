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
#include "conformance/tiers/laid_out_cases.h"
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

  int64_t position(int64_t number) const override {
    return static_cast<int64_t>(own_[static_cast<size_t>(number)]);
  }

  std::string manifest() const override {
    // Ids and programs do not say what goes in and what may come out.
    Sha256 hash;
    hash.add(conformance::manifest(cases_));
    for (const std::string& file : files_) hash.add(sha256(read_input(file)));
    return hash.finish();
  }

  std::vector<std::string> files() const override { return files_; }

  bool may_have(const std::string& filter) const override {
    return std::ranges::any_of(
        cases_, [&](const Case& c) { return selects(filter, c.id); });
  }

  std::vector<Case> next() override {
    std::vector<Case> own;
    if (std::exchange(given_, true)) return own;
    for (const size_t i : own_) own.push_back(std::move(cases_[i]));
    return own;
  }

 private:
  std::vector<std::string> files_;
  std::vector<Case> cases_;  // of the whole run
  std::vector<size_t> own_;  // of the shard
  bool given_ = false;
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

/// What is made of random programs: packs of cases, each of programs of its own
/// (more of them than it ever takes), so that a shard draws its packs alone.
class DrawnCases : public CheckCases {
 public:
  DrawnCases(const Drawing& drawing, Shard shard)
      : seed_(drawing.seed), shard_(std::move(shard)), whole_(drawing.count) {}

  int64_t count() const override {
    const int64_t packs = (whole_ + kPack - 1) / kPack;
    const int64_t own =
        (packs - shard_.index + shard_.count - 1) / shard_.count;
    if (own <= 0) return 0;
    return (own - 1) * kPack + size(pack(own - 1));
  }

  int64_t whole() const override { return whole_; }

  int64_t position(int64_t number) const override {
    return pack(number / kPack) * kPack + number % kPack;
  }

  std::string manifest() const override {
    return sha256(fmt::format("full 2: seed {}, {} cases\n", seed_, whole_));
  }

  std::vector<std::string> files() const override { return {}; }

  bool may_have(const std::string& /*filter*/) const override { return true; }

  std::vector<Case> next() override {
    constexpr int64_t kPart = 4096;
    std::vector<Case> part;
    for (; std::ssize(part) < kPart && pack(given_) * kPack < whole_;
         ++given_) {
      std::ranges::move(draw(pack(given_)), std::back_inserter(part));
    }
    return part;
  }

 private:
  static constexpr int64_t kPack = 256;
  static constexpr int64_t kPrograms = 512;  // that the cases of a pack are of

  /// The number in the whole run of the pack with this number.
  int64_t pack(int64_t own) const { return own * shard_.count + shard_.index; }

  int64_t size(int64_t pack) const {
    return std::min(kPack, whole_ - pack * kPack);
  }

  std::vector<Case> draw(int64_t pack) const {
    return cases_from_program(seed_, static_cast<uint32_t>(pack * kPrograms),
                              static_cast<size_t>(size(pack)));
  }

  uint32_t seed_;
  Shard shard_;
  int64_t whole_;
  int64_t given_ = 0;  // packs of the shard
};

/// With a filter the cases are chosen before any of them runs.
std::unique_ptr<CheckCases> drawn_cases(const std::string& filter,
                                        const Drawing& drawing) {
  const Shard shard = parse_shard(drawing.shard);
  if (filter == "*") return std::make_unique<DrawnCases>(drawing, shard);
  std::vector<Case> cases;
  const auto keep = [&](std::vector<Case> part) {
    for (Case& c : part) {
      if (selects(filter, c.id)) cases.push_back(std::move(c));
    }
  };
  if (const auto number = named_program(filter, drawing.seed)) {
    keep(cases_of_program(drawing.seed, *number));
  } else {
    DrawnCases all(drawing, Shard());
    for (std::vector<Case> part; !(part = all.next()).empty();) {
      keep(std::move(part));
    }
  }
  return std::make_unique<FileCases>(std::vector<std::string>(),
                                     std::move(cases), shard);
}

/// Those whose ids stand in the list of the tier.
void keep_smoke(std::vector<Case>& cases) {
  std::istringstream lines(
      read_file(data_root() + "/conformance/vectors/smoke.txt"));
  std::unordered_set<std::string> ids;
  for (std::string line; std::getline(lines, line);) ids.insert(line);
  std::erase_if(cases, [&](const Case& c) { return !ids.contains(c.id); });
}

/// Those whose ids in layouts that are drawn the filter selects, in these.
std::vector<Case> laid_out(std::vector<Case> cases, const std::string& filter,
                           const Drawing& drawing) {
  std::erase_if(cases, [&](const Case& c) {
    return !selects(filter, laid_out_id(c, drawing.seed));
  });
  return laid_out_cases(cases, drawing.seed, drawing.count);
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
  const bool is_drawn = tier == "layouts";
  std::vector<Case> cases = load_all(files, is_drawn ? "*" : filter);
  if (tier == "smoke") keep_smoke(cases);
  if (is_drawn) cases = laid_out(std::move(cases), filter, drawing);
  return std::make_unique<FileCases>(std::move(files), std::move(cases),
                                     parse_shard(drawing.shard));
}

}  // namespace hlo::conformance
