#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/random/draw.h"
#include "interpreter/model/shape.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// A value of the entry computation.
struct Value {
  std::string name;
  Shape shape;
};

using Names = std::vector<std::string>;

/// The text of a program that grows by steps. Recipes write what may be valid;
/// a step that the verifier rejects is taken back.
class ProgramWriter {
 public:
  explicit ProgramWriter(uint64_t seed);

  Draw draw;

  int64_t replicas() const { return replicas_; }

  int64_t partitions() const { return partitions_; }

  int64_t devices() const { return replicas_ * partitions_; }

  /// The name of a value of that shape: an earlier one, a constant or a
  /// parameter.
  std::string operand(const Shape& shape);
  std::string operand(ElementType type, std::vector<int64_t> dims);
  /// A scalar constant: a small integer.
  std::string number(ElementType type, int64_t value);
  /// A vector of small integers.
  std::string numbers(ElementType type, const std::vector<int64_t>& values);
  /// An array, of a type that `accept` takes.
  Value array(const std::function<bool(ElementType)>& accept = nullptr);
  /// An array of at least so many dimensions.
  Value array_of_rank(int64_t least,
                      const std::function<bool(ElementType)>& accept = nullptr);
  /// A value of any kind but a token.
  Value any_value();

  /// An instruction; its shape is left out where `shape` is empty. Its name.
  std::string add(std::string_view shape, std::string_view op,
                  const Names& operands, std::string_view attributes = {});
  /// A computation of those parameters, which are named p0, p1, ...; the lines
  /// of the body are "x = add(p0, p1)", its last one the root. Its name.
  std::string computation(const std::vector<Shape>& parameters,
                          const std::vector<std::string>& body);
  /// A fresh channel.
  int64_t channel();

  std::string parameter(const Shape& shape);
  /// The names of some values, to be returned together.
  Names some_values();

  /// Writes what `recipe` says, or nothing where that is not valid or has the
  /// program grow beyond `most` instructions; whether.
  bool step(int64_t most, const std::function<void()>& recipe);

  int64_t size() const { return static_cast<int64_t>(state_.lines.size()); }

  /// The text of the module, with a root.
  std::string text();

 private:
  struct State {
    std::vector<std::string> computations;
    std::vector<std::string> lines;
    std::vector<Value> values;
    int64_t parameters = 0;
    int64_t names = 0;
    int64_t channels = 0;
  };

  std::string fresh_name() { return "v" + std::to_string(state_.names++); }

  std::string fresh(const Shape& shape);
  std::string header() const;
  /// In some programs the array with a size at run time, now and then.
  Value sized(Value value);
  bool accept_step(const State& before);
  const Value* reused(const std::function<bool(const Shape&)>& accept);

  Draw sizes_;  // of its own, so that programs without sizes stay the same
  bool has_sizes_ = false;
  int64_t replicas_ = 1;
  int64_t partitions_ = 1;
  State state_;
  std::set<std::string> used_;  // earlier values that the step has asked for
};

/// "{1,2}"
std::string list(const std::vector<int64_t>& values);
/// "f32[2,3]"
std::string spell(ElementType type, const std::vector<int64_t>& dims);
/// "(f32[2], s32[])"
std::string spell_tuple(const std::vector<std::string>& shapes);

}  // namespace hlo::conformance
