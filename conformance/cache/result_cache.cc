#include "conformance/cache/result_cache.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "conformance/files/printable.h"
#include "conformance/files/standard_output.h"
#include "conformance/files/stop.h"
#include "conformance/levels/level.h"
#include "conformance/literals/content_hash.h"
#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

using Json = nlohmann::json;

// A line has a checksum, the key of its case, and a list.
constexpr size_t kHash = 64;
constexpr size_t kListAt = 2 * (kHash + 1);

void warn(const std::string& folder, const std::string& why) {
  complain(printable("warning: the cache " + folder +
                     " is left out, which costs time only: " + why + "\n"));
}

std::string checksum(std::string_view fingerprint, std::string_view rest) {
  Sha256 hash;
  hash.add(fingerprint);
  hash.add("\n");
  hash.add(rest);
  return hash.finish();
}

/// Doubles by their bits: what is read is what was written.
uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }

/// std::exception where it is another value: of a number with a fraction get()
/// makes an integer, which may have no such value.
template <class Number>
Number whole(const Json& value) {
  if (!value.is_number_integer()) throw std::invalid_argument("not whole");
  return value.get<Number>();
}

double of_bits(const Json& json) {
  return std::bit_cast<double>(whole<uint64_t>(json));
}

Json to_list(const Judgement& judgement) {
  const Closeness& closeness = judgement.closeness;
  return {judgement.verdict == Verdict::kConforms,
          judgement.message,
          closeness.elements,
          closeness.outside,
          closeness.inexact,
          bits(closeness.worst_ulps),
          closeness.headroom ? Json(bits(*closeness.headroom)) : Json(),
          closeness.empty_bounds,
          closeness.level ? Json(*closeness.level) : Json()};
}

/// std::exception where the list is another one.
Judgement of_list(const Json& list) {
  Judgement judgement;
  judgement.verdict =
      list.at(0).get<bool>() ? Verdict::kConforms : Verdict::kUnsupported;
  judgement.message = list.at(1).get<std::string>();
  Closeness& closeness = judgement.closeness;
  closeness.elements = whole<int64_t>(list.at(2));
  closeness.outside = whole<int64_t>(list.at(3));
  closeness.inexact = whole<int64_t>(list.at(4));
  closeness.worst_ulps = of_bits(list.at(5));
  if (!list.at(6).is_null()) closeness.headroom = of_bits(list.at(6));
  closeness.empty_bounds = whole<int64_t>(list.at(7));
  if (!list.at(8).is_null()) closeness.level = whole<int>(list.at(8));
  return judgement;
}

/// The key of the case that the line is of; empty where it is too short.
std::string_view key_of(std::string_view line) {
  return line.size() < kListAt ? std::string_view()
                               : line.substr(kHash + 1, kHash);
}

}  // namespace

bool is_kept(const Judgement& judgement) {
  return !judgement.again && (judgement.verdict == Verdict::kConforms ||
                              judgement.verdict == Verdict::kUnsupported);
}

std::string content_hash(const Case& c) {
  Sha256 hash;
  hash.add(c.derive_sets ? "derived " : "stated ");
  hash.add(c.asks_reference ? "asked " : "blessed ");
  hash.add(print_case(c));
  return hash.finish();
}

std::string checked_line(std::string_view fingerprint, std::string_view text) {
  return checksum(fingerprint, text) + ' ' + std::string(text);
}

std::string result_line(std::string_view fingerprint, std::string_view key,
                        const Judgement& judgement) {
  const std::string list =
      to_list(judgement).dump(-1, ' ', false, Json::error_handler_t::replace);
  return checked_line(fingerprint, std::string(key) + ' ' + list);
}

std::optional<Judgement> read_result_line(std::string_view fingerprint,
                                          std::string_view key,
                                          std::string_view line) {
  if (key.empty() || key_of(line) != key) return std::nullopt;
  if (line.substr(0, kHash + 1) !=
      checksum(fingerprint, line.substr(kHash + 1)) + ' ') {
    return std::nullopt;
  }
  try {
    const Judgement judgement = of_list(Json::parse(line.substr(kListAt)));
    // What only has the right sum is no result.
    if (result_line(fingerprint, key, judgement) == line) return judgement;
  } catch (const std::exception&) {  // a list of another form
  }
  return std::nullopt;
}

ResultCache::ResultCache(const std::string& folder, Fingerprint fingerprint)
    : fingerprint_(std::move(fingerprint)),
      path_(folder + "/" + fingerprint_.name + ".results") {
  try {
    log_ = std::make_unique<SharedLog>(path_);
    text_ = log_->read();
  } catch (const Error& error) {
    warn(path_, error.message());
    log_ = nullptr;
  }
  index();
}

void ResultCache::index() {
  std::string_view left = text_;
  while (!left.empty()) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    const std::string_view key = key_of(line);
    // The last line of a case counts: behind a damaged one comes a good one.
    if (!key.empty()) lines_.insert_or_assign(key, line);
  }
}

std::optional<Judgement> ResultCache::find(const Case& c) {
  if (lines_.empty()) return std::nullopt;
  try {
    const std::string key = content_hash(c);
    const auto line = lines_.find(key);
    if (line == lines_.end()) return std::nullopt;
    auto judgement = read_result_line(fingerprint_.name, key, line->second);
    if (judgement) ++found_;
    return judgement;
  } catch (const Error&) {  // a case without a canonical text
    return std::nullopt;
  }
}

void ResultCache::keep(const Case& c, const Judgement& judgement) {
  if (log_ == nullptr || !is_kept(judgement)) return;
  std::string line = "\n";  // behind one that a run did not write to its end
  try {
    const std::string key = content_hash(c);
    const std::string result = result_line(fingerprint_.name, key, judgement);
    const auto again = read_result_line(fingerprint_.name, key, result);
    // A message that is not UTF-8 would come back as another one.
    if (!again || again->message != judgement.message) return;
    line += result;
  } catch (const Error&) {
    return;
  }
  const auto lock = uninterrupted();
  noted_ += line;
  constexpr size_t kMany = size_t{1} << 20U;
  constexpr std::chrono::seconds kLong{1};
  if (noted_.size() >= kMany || Clock::now() - written_ > kLong) flush();
}

void ResultCache::flush() {
  const auto lock = uninterrupted();
  if (log_ == nullptr || noted_.empty()) return;
  try {
    require_evaluable(fingerprint_.holds(), "file.read",
                      {"a file of the backend or of this program has changed"},
                      "it must stay while the run goes on");
    log_->append(noted_);
  } catch (const Error& error) {
    warn(path_, error.message());
    log_ = nullptr;
  }
  noted_.clear();
  written_ = Clock::now();
}

}  // namespace hlo::conformance
