#include <algorithm>

#include "conformance/audit/audit.h"
#include "conformance/judge/prepared_case.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/membership.h"

namespace hlo::conformance {
namespace {

constexpr std::array<std::string_view, kCauseCount> kCauses = {
    "run",     "together",  "compilation", "start",      "threads",
    "setting", "alignment", "constants",   "parameters", "layout",
    "rank",    "batch",     "position",    "neighbours"};
constexpr std::array<std::string_view, kSteadinessCount> kNames = {
    "steady",  "unsupported", "varies", "unjudged", "not-deterministic",
    "outside", "broken"};

std::string words(const Observation& observation) {
  const auto* failure = std::get_if<Failure>(&observation);
  if (failure == nullptr) return "a result";
  return failure->message.empty() ? "no result" : failure->message;
}

/// Adds what differs of one leaf.
void add(Variation& variation, size_t leaf, const Literal& first,
         const Literal& other) {
  variation.of += first.element_count();
  if (identical(first, other)) return;
  for (int64_t i = 0; i < first.element_count(); ++i) {
    const Scalar a = first.at(i);
    const Scalar b = other.at(i);
    if (a == b) continue;
    if (variation.elements++ == 0) {
      variation.leaf = leaf;
      variation.index = delinearize(i, first.shape().dims);
      variation.first = a;
      variation.other = b;
      variation.steps = ulp_distance(a, b);
      variation.bits.assign(static_cast<size_t>(components(a.type)), 0);
    }
    const size_t parts =
        leaf == variation.leaf ? variation.bits.size() : size_t{0};
    for (size_t part = 0; part < parts; ++part) {
      variation.bits[part] |= a.bits.at(part) ^ b.bits.at(part);
    }
  }
}

}  // namespace

std::string_view name(Cause cause) {
  return kCauses.at(static_cast<size_t>(cause));
}

std::string_view name(Steadiness steadiness) {
  return kNames.at(static_cast<size_t>(steadiness));
}

bool is_same_program(Cause cause) {
  return cause == Cause::kRun || cause == Cause::kTogether ||
         cause == Cause::kCompilation || cause == Cause::kStart;
}

std::optional<Variation> variation(const Observation& first,
                                   const Observation& other) {
  if (same_outcome(first, other)) return std::nullopt;
  Variation found;
  const auto* a = std::get_if<std::vector<Literal>>(&first);
  const auto* b = std::get_if<std::vector<Literal>>(&other);
  if (a == nullptr || b == nullptr) {
    found.failure = words(b == nullptr ? other : first);
    return found;
  }
  for (size_t i = 0; i < a->size(); ++i) add(found, i, (*a)[i], (*b)[i]);
  return found;
}

}  // namespace hlo::conformance
