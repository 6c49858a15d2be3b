#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.h"
#include "conformance/audit/audit.h"
#include "conformance/expect/expect_module.h"
#include "conformance/shrink/shrink.h"
#include "interpreter/text/parser.h"

// Backends that vary on purpose, and programs for them; no program includes it.
namespace hlo::conformance {

/// What a backend knows of a run.
struct Ran {
  const Module& module;
  std::span<const Buffer> arguments;
  const Leaves& inputs;
  int calls;  // of this backend, before this one
};

/// Spoils results.
using Habit = std::function<void(const Ran&, Leaves&)>;

/// The reference, with a habit.
class Double final : public Backend {
 public:
  explicit Double(Habit habit, bool spoils_groups = false)
      : habit_(std::move(habit)), spoils_groups_(spoils_groups) {}

  std::string name() const override { return "double"; }

  Outcome run(const Module& module,
              std::span<const Buffer> arguments) override {
    Leaves inputs;
    for (const Buffer& argument : arguments) inputs.push_back(load(argument));
    Leaves results = run_reference(module, inputs);
    try {
      habit_({module, arguments, inputs, calls_++}, results);
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

  std::vector<hlo::Outcome> run_all(std::span<const Call> calls) override {
    if (spoils_groups_ && calls.size() > 1) calls_ = 1;
    return Backend::run_all(calls);
  }

 private:
  Habit habit_;
  bool spoils_groups_;
  int calls_ = 0;
};

/// The next code of an element.
inline void nudge(Literal& array, int64_t i) {
  Scalar element = array.at(i);
  element.bits[0] ^= 1U;
  array.set(i, element);
}

inline void nudge(Leaves& results) { nudge(results.at(0), 0); }

inline void nudge_row(Leaves& results, int64_t row) {
  Literal& array = results.at(0);
  nudge(array, row * (array.element_count() / array.shape().dims.at(0)));
}

inline int64_t rows_of(const Leaves& results) {
  const Shape& shape = results.at(0).shape();
  return shape.rank() < 2 ? 0 : shape.dims[0];
}

inline constexpr const char* kExponential = R"(HloModule t
ENTRY main {
  x = f32[5] parameter(0)
  ROOT r = f32[5] exponential(x)
}
)";

inline Case exponential() {
  return case_of({kExponential,
                  {text::parse_literal_with_shape("f32[5] {1, 2, 3, 4, 5.5}")}},
                 {});
}

inline Case sum() {
  return case_of({R"(HloModule t
ENTRY main {
  x = f32[5] parameter(0)
  one = f32[] constant(1)
  ones = f32[5] broadcast(one), dimensions={}
  ROOT r = f32[5] add(x, ones)
}
)",
                  {text::parse_literal_with_shape("f32[5] {1, 2, 3, 4, 5.5}")}},
                 {});
}

inline Case product() {
  return case_of(
      {R"(HloModule t
ENTRY main {
  x = f32[2,3] parameter(0)
  w = f32[3,2] parameter(1)
  ROOT r = f32[2,2] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)",
       {text::parse_literal_with_shape("f32[2,3] {{1, 2, 3}, {4, 5, 6.1}}"),
        text::parse_literal_with_shape("f32[3,2] {{1, 2}, {3, 4.3}, {5, 6}}")}},
      {});
}

inline AuditedProgram audited(const Case& c, const MakeBackend& make,
                              const AuditOptions& options = {}) {
  return AuditedBackend(make, options).audit(c);
}

inline AuditedProgram audited(const Case& c, const Habit& habit,
                              const AuditOptions& options = {}) {
  return audited(
      c, MakeBackend([&] { return std::make_unique<Double>(habit); }), options);
}

inline std::vector<std::string> causes(const AuditedProgram& program) {
  std::vector<std::string> names;
  for (const AuditFinding& finding : program.findings) {
    names.emplace_back(name(finding.cause));
  }
  return names;
}

using Names = std::vector<std::string>;

inline int64_t trials(const AuditedProgram& program, Cause cause) {
  return program.trials.at(static_cast<size_t>(cause));
}

}  // namespace hlo::conformance
