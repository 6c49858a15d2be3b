#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hlo::conformance {

/// Cases that may fail on a backend, why, and until when
/// (spec/schema/waivers.schema.json).
struct Waiver {
  std::string cases;  // a glob of ids
  std::string reason;
  std::string owner;
  std::string expires;  // the last day, as in 2027-01-31
  std::string link = {};
  std::string engine = "*";  // a glob of backends
  std::string tag = {};      // a glob of what backends can do; empty: anything
  /// Globs of the backends that the file says such a tag of; nothing where it
  /// leaves that to them.
  std::optional<std::vector<std::string>> tagged = {};
  std::string file = {};
  int number = 0;  // in the file, from 1

  /// Whether it asks what backends say of themselves.
  bool asks_backends() const { return !tag.empty() && !tagged; }

  /// Whether it is meant for that backend, which gives itself these tags.
  bool is_of(std::string_view backend,
             std::span<const std::string> tags = {}) const;

  /// "FILE, waiver 1, add/*: REASON (OWNER, until 2027-01-31, LINK)"
  std::string text() const;
};

/// The waivers of a text, at most 16 MiB of it. FileError "usage.waivers" with
/// the line and a caret.
std::vector<Waiver> parse_waivers(std::string_view text,
                                  const std::string& file);
/// Those of files. Error "file.read", too.
std::vector<Waiver> read_waivers(const std::vector<std::string>& files);

}  // namespace hlo::conformance
