#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/builder/xla_builder.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

// What tests of the builder share; no program includes it.
namespace hlo::builder {

/// A constant as text: "f32[2] {1, 2}".
inline XlaOp Constant(XlaBuilder* builder, std::string_view text) {
  return ConstantLiteral(builder, text::parse_literal_with_shape(text));
}

inline std::string with_shape(const Literal& literal) {
  return to_string(literal.shape(), /*with_layout=*/false) + " " +
         text::print(literal);
}

/// A literal in the spelling of value().
inline std::string literal(std::string_view text) {
  return with_shape(text::parse_literal_with_shape(text));
}

/// The program whose result is the value, which is read back from its text.
inline Module program(XlaOp op) {
  const XlaComputation built = op.builder().Build(op);
  const std::string text = text::print(built.module());
  Module module = verified_module(text);
  EXPECT_TRUE(equal(module, built.module())) << text;
  return module;
}

/// What the program computes.
inline std::string value(XlaOp op) {
  return with_shape(evaluate(program(op), {}));
}

/// What the program computes on each device.
inline std::vector<std::string> values(XlaOp op) {
  std::vector<std::string> texts;
  for (const Literal& result : evaluate_devices(program(op), {{}}).results) {
    texts.push_back(with_shape(result));
  }
  return texts;
}

inline std::string shape_text(XlaOp op) {
  return to_string(op.shape(), /*with_layout=*/false);
}

/// The rule that the call violates; empty where it violates none.
inline std::string refused_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.phase() == Phase::kVerify ? error.rule() : "not verify";
  }
  return "";
}

}  // namespace hlo::builder
