#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string_view>
#include <vector>

#include "interpreter/evaluate.h"
#include "interpreter/stablehlo/import/import.h"
#include "interpreter/text/grammar/read_literal.h"
#include "interpreter/text/printer.h"
#include "interpreter/text/scan/hlo_lexicon.h"

// What tests of the import share; no program includes it.
namespace hlo::stablehlo::testing {

inline Literal literal(std::string_view text) {
  text::Scanner in(text, text::kHloLexicon);
  return text::read_literal_with_shape(in);
}

/// A program, its arguments, and its result as one literal each.
struct Example {
  std::string_view name;
  std::string_view program;
  std::array<std::string_view, 4> arguments = {};  // until an empty one
  std::string_view expected;
};

inline void expect_result(const Example& example) {
  SCOPED_TRACE(example.name);
  std::vector<Literal> arguments;
  for (const auto text : example.arguments) {
    if (!text.empty()) arguments.push_back(literal(text));
  }
  try {
    const Module module = import_text(example.program);
    const Literal result = evaluate(module, std::move(arguments));
    EXPECT_TRUE(identical(result, literal(example.expected)))
        << text::print(result) << "\n"
        << text::print(module);
  } catch (const Error& error) {
    ADD_FAILURE() << error.what();
  }
}

}  // namespace hlo::stablehlo::testing
