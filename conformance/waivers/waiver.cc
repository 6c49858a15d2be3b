#include "conformance/waivers/waiver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/case/case_json.h"
#include "conformance/case/file_error.h"
#include "conformance/case/glob.h"
#include "conformance/case/json_line.h"
#include "conformance/files/read_file.h"
#include "conformance/waivers/day.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kRule = "usage.waivers";
constexpr size_t kMostBytes = size_t{16} << 20U;
constexpr std::array<std::string_view, 2> kSchemes = {"http://", "https://"};

/// How many bytes of UTF-8 at the beginning are one blank; 0 where none are.
/// Blanks are those of Python, which reads these files, too.
size_t blank_length(std::string_view text) {
  if (text.empty()) return 0;
  const char c = text.front();
  if (c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f')) {
    return 1;
  }
  // U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F,
  // U+3000
  for (const std::string_view blank :
       {"\xc2\x85", "\xc2\xa0", "\xe1\x9a\x80", "\xe2\x80\x80", "\xe2\x80\x81",
        "\xe2\x80\x82", "\xe2\x80\x83", "\xe2\x80\x84", "\xe2\x80\x85",
        "\xe2\x80\x86", "\xe2\x80\x87", "\xe2\x80\x88", "\xe2\x80\x89",
        "\xe2\x80\x8a", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaf",
        "\xe2\x81\x9f", "\xe3\x80\x80"}) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

bool is_blank(std::string_view text) {
  while (const size_t length = blank_length(text)) text.remove_prefix(length);
  return text.empty();
}

bool has_blank(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (blank_length(text) > 0) return true;
  }
  return false;
}

bool is_link(std::string_view text) {
  return std::ranges::any_of(kSchemes, [&](std::string_view scheme) {
    return text.starts_with(scheme) && text.size() > scheme.size() &&
           !has_blank(text);
  });
}

/// A text that is not blank; `otherwise` where the field may be missing.
std::string text_of(const Json& entry, const char* key,
                    const char* otherwise = nullptr) {
  if (otherwise != nullptr && !entry.contains(key)) return otherwise;
  const Json& value = field(entry, key, kRule);
  if (!value.is_string() || is_blank(value.get<std::string>())) {
    fail(
        value, kRule,
        fmt::format("{} is no text, or an empty one, but must be a text", key));
  }
  return value.get<std::string>();
}

Waiver read_entry(const Json& entry) {
  if (!entry.is_object()) {
    fail(entry, kRule, "a waiver is no object, but must be one");
  }
  check_fields(entry,
               {"cases", "reason", "owner", "expires", "link", "engine", "tag"},
               kRule);
  Waiver waiver{.cases = text_of(entry, "cases"),
                .reason = text_of(entry, "reason"),
                .owner = text_of(entry, "owner"),
                .expires = text_of(entry, "expires"),
                .link = text_of(entry, "link", ""),
                .engine = text_of(entry, "engine", "*"),
                .tag = text_of(entry, "tag", "")};
  if (!is_day(waiver.expires)) {
    fail(entry["expires"], kRule,
         "expires is " + shortened(waiver.expires) +
             ", but must be a day as in 2027-01-31");
  }
  if (entry.contains("link") && !is_link(waiver.link)) {
    fail(entry["link"], kRule,
         "link is " + shortened(waiver.link) +
             ", but must begin with http:// or https:// and have no blanks");
  }
  return waiver;
}

/// What backends can do: tags by a glob of backends.
struct TaggedEngines {
  std::string engine;
  std::vector<std::string> tags;
};

TaggedEngines read_engines(const Json& entry) {
  if (!entry.is_object()) {
    fail(entry, kRule, "an entry of engines is no object, but must be one");
  }
  check_fields(entry, {"engine", "tags"}, kRule);
  TaggedEngines engines{.engine = text_of(entry, "engine"), .tags = {}};
  const Json& tags = field(entry, "tags", kRule);
  if (!tags.is_array()) fail(tags, kRule, "tags is no list, but must be one");
  for (const Json& tag : tags) {
    if (!tag.is_string() || is_blank(tag.get<std::string>())) {
      fail(tag, kRule, "a tag is no text, or an empty one, but must be a text");
    }
    engines.tags.push_back(tag.get<std::string>());
  }
  return engines;
}

std::vector<TaggedEngines> read_all_engines(const Json& content) {
  std::vector<TaggedEngines> all;
  if (!content.contains("engines")) return all;
  const Json& list = content["engines"];
  if (!list.is_array()) {
    fail(list, kRule, "engines is no list, but must be one");
  }
  for (const Json& entry : list) all.push_back(read_engines(entry));
  return all;
}

/// Finds the backends that the waiver's tag means, of a file that says what
/// tags they have.
void resolve_tag(Waiver& waiver, const Json& entry,
                 const std::vector<TaggedEngines>& all) {
  if (waiver.tag.empty()) return;
  std::vector<std::string> tagged;
  for (const TaggedEngines& engines : all) {
    const bool has_tag = std::ranges::any_of(engines.tags, [&](const auto& t) {
      return glob_matches(waiver.tag, t);
    });
    if (has_tag) tagged.push_back(engines.engine);
  }
  waiver.tagged = tagged;
  if (!tagged.empty()) return;
  fail(entry["tag"], kRule,
       "tag is " + shortened(waiver.tag) +
           ", but must be a glob of tags that engines have");
}

std::vector<Waiver> read_list(const Json& content) {
  check_fields(content, {"engines", "waivers"}, kRule);
  const std::vector<TaggedEngines> engines = read_all_engines(content);
  const Json& list = field(content, "waivers", kRule);
  if (!list.is_array())
    fail(list, kRule, "waivers is no list, but must be one");
  std::vector<Waiver> waivers;
  for (const Json& entry : list) {
    waivers.push_back(read_entry(entry));
    waivers.back().number = static_cast<int>(waivers.size());
    if (content.contains("engines")) {
      resolve_tag(waivers.back(), entry, engines);
    }
  }
  return waivers;
}

/// The place of the byte with that number from 1 of a text of several lines;
/// columns count bytes.
Location place_of(std::string_view text, int byte) {
  const std::string_view before =
      text.substr(0, std::min(static_cast<size_t>(byte - 1), text.size()));
  const auto breaks = std::ranges::count(before, '\n');
  const size_t line = before.rfind('\n');  // or npos: the first one
  return {static_cast<int>(breaks) + 1,
          static_cast<int>(before.size() - (line + 1)) + 1};
}

}  // namespace

bool Waiver::is_of(std::string_view backend,
                   std::span<const std::string> tags) const {
  if (!glob_matches(engine, backend)) return false;
  if (tag.empty()) return true;
  if (!tagged) {
    return std::ranges::any_of(
        tags, [&](const auto& one) { return glob_matches(tag, one); });
  }
  return std::ranges::any_of(
      *tagged, [&](const auto& glob) { return glob_matches(glob, backend); });
}

std::string Waiver::text() const {
  return fmt::format("{}, waiver {}, {}: {} ({}, until {}{})", file, number,
                     cases, reason, owner, expires,
                     link.empty() ? "" : ", " + link);
}

std::vector<Waiver> parse_waivers(std::string_view text,
                                  const std::string& file) {
  constexpr std::string_view kByteOrder = "\xef\xbb\xbf";
  std::vector<Waiver> waivers;
  try {
    if (text.size() > kMostBytes) {
      throw Error(Phase::kParse, kRule,
                  "the file is longer than 16 MiB, but it can have that",
                  {1, 1});
    }
    if (text.starts_with(kByteOrder)) {
      throw Error(Phase::kParse, kRule,
                  "the file begins with a byte order mark, but it must begin "
                  "with {",
                  {1, 1});
    }
    read_line(text, 1, [&](const Json& json) { waivers = read_list(json); });
  } catch (const Error& error) {
    throw FileError(Error(Phase::kParse, kRule, error.message(),
                          place_of(text, error.location().column)),
                    file, text);
  }
  for (Waiver& waiver : waivers) waiver.file = file;
  return waivers;
}

std::vector<Waiver> read_waivers(const std::vector<std::string>& files) {
  std::vector<Waiver> waivers;
  for (const std::string& file : files) {
    std::vector<Waiver> more = parse_waivers(read_file(file, kMostBytes), file);
    std::ranges::move(more, std::back_inserter(waivers));
  }
  return waivers;
}

}  // namespace hlo::conformance
