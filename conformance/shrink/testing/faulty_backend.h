#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "conformance/expect/expect_module.h"
#include "conformance/judge/run_case.h"
#include "conformance/shrink/edit.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {

/// A product, which is a result, too, and sums of its negation.
inline constexpr const char* kProgram = R"(HloModule t

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[4,6] parameter(0)
  y = f32[4,6] parameter(1)
  p = f32[4,6] multiply(x, y)
  n = f32[4,6] negate(p)
  zero = f32[] constant(0)
  s = f32[4] reduce(n, zero), dimensions={1}, to_apply=sum
  ROOT r = (f32[4], f32[4,6]) tuple(s, p)
}
)";

/// The reference, and what else it does to a program.
class Faulty : public Backend {
 public:
  using Fault = std::function<void(const Module&, std::vector<Literal>&)>;

  explicit Faulty(Fault fault) : fault_(std::move(fault)) {}

  std::string name() const override { return "faulty"; }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    std::vector<Literal> inputs;
    for (const Buffer& argument : arguments) inputs.push_back(load(argument));
    std::vector<Literal> results = run_reference(module, inputs);
    try {
      fault_(module, results);
    } catch (const Failure& failure) {
      return failure;
    }
    std::vector<Buffer> buffers;
    const std::vector<Shape> shapes = result_shapes(module);
    for (size_t i = 0; i < results.size(); ++i) {
      buffers.push_back(store(results[i], shapes[i]));
    }
    return buffers;
  }

 private:
  Fault fault_;
};

inline MakeBackend faulty(Faulty::Fault fault) {
  return [fault = std::move(fault)] { return std::make_unique<Faulty>(fault); };
}

/// Whether the entry computation has such an instruction.
inline bool has(const Module& module, std::string_view operation) {
  for (const auto& instruction : module.entry->instructions) {
    if (instruction->op->name == operation) return true;
  }
  return false;
}

/// kProgram with small numbers.
inline Program program() {
  Edit edit({.hlo = kProgram,
             .inputs = {text::parse_literal_with_shape(
                            "f32[4,6] {{1,2,3,4,5,6},{1,2,3,4,5,6},{1,2,3,4,5,"
                            "6},{1.3,2,3,4,5,6}}"),
                        text::parse_literal_with_shape(
                            "f32[4,6] {{1,2,3,4,5,6},{1,2,3,4,5,6},{1,2,3,4,5,"
                            "6},{1.5,2,3,4,5,6}}")}});
  return edit.finish();
}

/// Every first element is wrong where there is a product.
inline void spoil_products(const Module& module,
                           std::vector<Literal>& results) {
  if (!has(module, "multiply")) return;
  for (Literal& result : results) {
    result.set(
        0, text::parse_literal("77", Shape::scalar(result.type())).scalar());
  }
}

}  // namespace hlo::conformance
