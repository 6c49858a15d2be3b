#pragma once

#include "interpreter/text/scan/lexicon.h"
#include "interpreter/text/scan/quote.h"

namespace hlo::text {

/// The tokens of HLO text (spec/text.md, Lexical rules). XLA prints names such
/// as m_1e+30.
inline constexpr Lexicon kHloLexicon = {.syntax = "text.syntax",
                                        .range = "text.range",
                                        .depth = "text.depth",
                                        .string = "text.string",
                                        .size = "literal.size",
                                        .name = letters_digits_and(".-+"),
                                        .sigils = "%",
                                        .quotes = "\"'",
                                        .block_comments = true,
                                        .long_strings = true,
                                        .unescape = unescape};

/// Whether `c` may stand in a name of HLO after its first character.
inline bool is_name_character(char c) {
  return kHloLexicon.name[static_cast<unsigned char>(c)];
}

}  // namespace hlo::text
