#include "conformance/waivers/waivers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "conformance/case/glob.h"
#include "conformance/literals/content_hash.h"
#include "conformance/waivers/day.h"

namespace hlo::conformance {

std::optional<bool> went_well(const Judgement& judgement) {
  if (judgement.again) return false;
  switch (judgement.verdict) {
    case Verdict::kConforms:
    case Verdict::kRejectedRightly:
      return true;
    case Verdict::kRefused:
    case Verdict::kUnsupported:
    case Verdict::kUnjudged:
      return std::nullopt;
    default:
      return false;
  }
}

Waivers::Waivers(const std::vector<Waiver>& all, std::string_view backend,
                 std::string_view day, std::span<const std::string> tags) {
  for (const Waiver& waiver : all) {
    if (!waiver.is_of(backend, tags)) continue;
    if (day > waiver.expires) {
      expired_.push_back(waiver);
    } else {
      active_.push_back({.waiver = waiver});
    }
  }
}

Waivers::Waivers(const std::vector<Waiver>& active, std::vector<Waiver> expired)
    : expired_(std::move(expired)) {
  for (const Waiver& waiver : active) active_.push_back({.waiver = waiver});
}

Waivers::Waivers(const Waiving& waiving, std::string_view backend,
                 const TagsOf& tags_of) {
  const std::vector<Waiver> all = read_waivers(waiving.files);
  std::vector<std::string> tags;
  if (tags_of && std::ranges::any_of(all, &Waiver::asks_backends)) {
    tags = tags_of(backend);
  }
  *this = Waivers(all, backend, waiving.today.empty() ? today() : waiving.today,
                  tags);
}

const Waiver* Waivers::find(const std::string& id) const {
  const auto found = std::ranges::find_if(active_, [&](const Active& active) {
    return glob_matches(active.waiver.cases, id);
  });
  return found == active_.end() ? nullptr : &found->waiver;
}

void Waivers::note(const std::string& id, const Judgement& judgement) {
  const std::optional<bool> well = went_well(judgement);
  for (Active& active : active_) {
    if (!glob_matches(active.waiver.cases, id)) continue;
    ++active.covered;
    if (!well) continue;
    ++active.judged;
    if (*well && active.well++ == 0) active.first = id;
  }
}

std::vector<std::string> Waivers::findings() const {
  std::vector<std::string> lines;
  for (const Waiver& waiver : expired_) {
    lines.push_back("expired      " + waiver.text());
  }
  for (const Active& active : active_) {
    const std::string text = active.waiver.text();
    if (active.covered == 0) {
      lines.push_back("unused       " + text +
                      ": no case of this run is meant");
    } else if (active.well > 0) {
      lines.push_back(fmt::format("contradicted {}: {} of {} conform, first {}",
                                  text, active.well, active.judged,
                                  active.first));
    }
  }
  return lines;
}

std::vector<Waiver> Waivers::active() const {
  std::vector<Waiver> waivers;
  for (const Active& active : active_) waivers.push_back(active.waiver);
  return waivers;
}

std::string Waivers::digest() const {
  if (active_.empty()) return {};
  Sha256 hash;
  for (const Active& active : active_) {
    hash.add(active.waiver.text() + '\n');
  }
  return hash.finish();
}

}  // namespace hlo::conformance
