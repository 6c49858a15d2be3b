#pragma once

#include "interpreter/text/scan/lexicon.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::stablehlo {

using text::hex_digit;
using text::is_digit;
using text::is_letter;
using text::Nesting;
using text::read_items;
using text::Scanner;

/// What a quoted string of MLIR stands for: its escapes are \n, \t, \\, \" and
/// two hexadecimal digits.
text::Unescaped unescape_mlir(std::string_view quoted);

/// The tokens of MLIR text (spec/stablehlo.md, Lexical rules).
inline constexpr text::Lexicon kMlirLexicon = {
    .syntax = "stablehlo.syntax",
    .range = "stablehlo.range",
    .depth = "stablehlo.depth",
    .string = "stablehlo.string",
    .size = "stablehlo.size",
    .name = text::letters_digits_and(".$"),
    .sigils = "%@#!",
    .quotes = "\"",
    .block_comments = false,
    .long_strings = false,
    .unescape = unescape_mlir};

/// Whether `c` may stand in a name of MLIR after its first character.
inline bool is_name_character(char c) {
  return kMlirLexicon.name[static_cast<unsigned char>(c)];
}

}  // namespace hlo::stablehlo
