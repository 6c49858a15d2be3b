#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "interpreter/model/module.h"

namespace hlo::stablehlo {

using Values = std::vector<Instruction*>;

/// Appends instructions to one computation and names them.
class InstructionBuilder {
 public:
  explicit InstructionBuilder(Computation& computation)
      : computation_(computation) {}

  /// The place in the text that the next instructions stand for.
  Location location;

  Computation& computation() { return computation_; }

  /// An instruction of that shape. Where dimensions of it are `?`, the shape
  /// follows from the operands as the operation says: verify errors.
  Instruction* add(std::string_view op, const Shape& shape, Values operands,
                   Attributes attributes = {});
  /// The shape follows from the operands.
  Instruction* add(std::string_view op, Values operands,
                   Attributes attributes = {});
  /// `wish` is its name where that is free.
  Instruction* parameter(const Shape& shape, std::string_view wish);
  Instruction* constant(Literal literal);
  /// A copy of an instruction of another computation, on these operands.
  Instruction* copy(const Instruction& source, Values operands);
  Instruction* tuple(Values elements);
  Instruction* element(Instruction* tuple, int64_t index);
  /// The elements of a tuple; for a count of 1 the value itself. Error
  /// "stablehlo.result-count" where the tuple has not so many.
  Values split(Instruction* value, size_t count);
  /// The value itself, or the tuple of several (or none).
  Instruction* join(const Values& values);
  /// The scalar (or array, whose dimension d becomes dimensions[d]) repeated.
  Instruction* broadcast(Instruction* value, const std::vector<int64_t>& dims,
                         const Ints& dimensions = {});
  Instruction* reshape(Instruction* value, std::vector<int64_t> dims);
  /// The value itself where it has the type.
  Instruction* convert(Instruction* value, ElementType type);

 private:
  Instruction* append(std::unique_ptr<Instruction> instruction,
                      std::string_view wish);
  std::string free_name(std::string_view wish);

  Computation& computation_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, int64_t> last_;  // suffix of each wish
};

/// The shape without `?`.
bool is_static(const Shape& shape);
/// A literal that repeats a number, rounded to the element type (integers
/// wrap).
Literal number(const Shape& shape, double value);
Literal integer(const Shape& shape, int64_t value);
/// The text with all that a name of HLO may not have replaced.
std::string hlo_name(std::string_view text);

}  // namespace hlo::stablehlo
