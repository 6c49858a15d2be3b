#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interpreter/text/scan/characters.h"

namespace hlo::text {

/// What a quoted string stands for; where it has an escape that is none, the
/// place of that within the quoted string.
struct Unescaped {
  std::string text;
  std::optional<size_t> wrong = std::nullopt;
};

/// What the tokens of one kind of text differ in from those of another.
struct Lexicon {
  std::string_view syntax;  // the labels of errors
  std::string_view range;
  std::string_view depth;
  std::string_view string;
  std::string_view size;    // of spend()
  CharacterSet name;        // what stands in names after a letter
  std::string_view sigils;  // what names may begin with: "%"
  std::string_view quotes;  // what opens strings
  bool block_comments;      // besides those up to the end of a line
  bool long_strings;        // over several lines
  Unescaped (*unescape)(std::string_view quoted);
};

}  // namespace hlo::text
