#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "conformance/cache/fingerprint.h"
#include "conformance/case/case.h"
#include "conformance/files/shared_log.h"
#include "conformance/judge/judge.h"

namespace hlo::conformance {

/// Whether a result is worth keeping: one that conforms, or is not supported,
/// and came at once. What went wrong is asked again.
bool is_kept(const Judgement& judgement);

/// SHA-256, in hex, of all of the case that its result depends on, and of its
/// id. Error "vectors.case" where its text is not UTF-8.
std::string content_hash(const Case& c);

/// The text behind a checksum of it and of the fingerprint.
std::string checked_line(std::string_view fingerprint, std::string_view text);
/// A judgement that is_kept() as a line, without a line break, of a case and
/// under a fingerprint of these names.
std::string result_line(std::string_view fingerprint, std::string_view key,
                        const Judgement& judgement);
/// The judgement of such a line; nothing where it is not one, of these names,
/// to the last bit.
std::optional<Judgement> read_result_line(std::string_view fingerprint,
                                          std::string_view key,
                                          std::string_view line);

/// Results of earlier runs, in the file of a folder that the fingerprint names.
/// Whatever is wrong with it is said once on standard error, and costs no more
/// than time.
class ResultCache {
 public:
  ResultCache(const std::string& folder, Fingerprint fingerprint);
  ResultCache(const ResultCache&) = delete;
  ResultCache& operator=(const ResultCache&) = delete;

  const std::string& path() const { return path_; }

  std::optional<Judgement> find(const Case& c);
  /// Notes the result where it is_kept(), and writes it soon.
  void keep(const Case& c, const Judgement& judgement);
  /// Writes what is noted.
  void flush();

  /// How many results were found.
  int64_t found() const { return found_; }

 private:
  using Clock = std::chrono::steady_clock;

  void index();

  Fingerprint fingerprint_;
  std::string path_;
  std::unique_ptr<SharedLog> log_;  // none where nothing can be kept
  std::string text_;                // of the file
  std::unordered_map<std::string_view, std::string_view> lines_;  // by case
  std::string noted_;
  Clock::time_point written_ = Clock::now();
  std::atomic<int64_t> found_ = 0;
};

}  // namespace hlo::conformance
