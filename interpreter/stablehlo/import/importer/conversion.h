#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/stablehlo/import/importer/instruction_builder.h"
#include "interpreter/stablehlo/import/importer/scope.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

class Importer;

/// One operation that is converted.
struct Conversion {
  const Operation& op;
  Importer& importer;
  Scope& scope;
  Values operands;
  std::vector<Shape> shapes;  // of the results; `?` where the text has it

  InstructionBuilder& build() const { return scope.builder; }

  /// Error "stablehlo.operand-count" where there are fewer.
  Instruction* operand(size_t i) const;

  const Shape& operand_shape(size_t i) const { return operand(i)->shape; }

  /// The shape of the only result, or of the tuple of the results. Error
  /// "stablehlo.result-count" where there are none.
  Shape shape() const;
  /// The shape of the only result. Error "stablehlo.result-type" where it is no
  /// array.
  Shape array_shape() const;
  /// An instruction with these operands and the results' shapes.
  Values make(std::string_view opcode, Values values,
              Attributes attributes = {}) const;

  /// An instruction with all operands and the results' shapes.
  Values make(std::string_view opcode, Attributes attributes = {}) const {
    return make(opcode, operands, std::move(attributes));
  }

  [[noreturn]] void fail(std::string_view label,
                         std::string_view message) const;

  void require(bool condition, std::string_view label, MessageParts found,
               const MessagePart& demanded) const {
    if (!condition) fail(label, joined(found) + ", but " + joined({demanded}));
  }

  // Attributes; error "stablehlo.needs" where one is missing without a default
  // or is of another kind.
  const Attribute* find(std::string_view name) const { return op.find(name); }

  /// Error "stablehlo.needs" where one of them is missing.
  void need(std::initializer_list<std::string_view> names) const;
  Ints ints(std::string_view name) const;
  Ints ints(std::string_view name, Ints otherwise) const;
  int64_t integer(std::string_view name) const;
  int64_t integer(std::string_view name, int64_t otherwise) const;
  bool flag(std::string_view name, bool otherwise = false) const;
  std::string word(std::string_view name, std::string_view otherwise) const;
  /// The word, which must be there and one of these.
  std::string choice(std::string_view name,
                     std::initializer_list<std::string_view> words) const;
  std::vector<std::string> words(std::string_view name) const;
  /// The items of a list, or null where there is no such attribute.
  const std::vector<Attribute>* list(std::string_view name) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  /// The fields of #DIALECT.KIND<...>.
  const Dictionary& fields(std::string_view name, std::string_view kind) const;
  Ints field(const Dictionary& fields, std::string_view name) const;
  int64_t field(const Dictionary& fields, std::string_view name,
                int64_t otherwise) const;
  /// Pairs of numbers of a literal of n times 2, or of a list of pairs:
  /// padding, pairs of devices.
  IntPairs pairs(std::string_view name) const;
  /// The integers of the operand, where it is constant.
  std::optional<Ints> known_ints(size_t index) const;
  /// The value of the operand, where it is constant. Error
  /// "stablehlo.dynamic".
  Ints constant_ints(size_t index) const;
  /// The shape of the only result, which has these sizes. Errors
  /// "stablehlo.dynamic" where one is negative, "stablehlo.result-type" where
  /// the text declares others.
  Shape sized(const Ints& sizes) const;
  /// The shape of the only result, whose sizes are those of the operand, as far
  /// as they are known. Errors as above, also where neither says them.
  Shape sized_by(size_t operand) const;

  /// Error "stablehlo.regions" where there are fewer regions.
  const Block& region(size_t i) const;
};

using Converter = Values (*)(const Conversion&);

struct CountRange {
  size_t least;
  size_t most;
};

constexpr CountRange exactly(size_t count) { return {count, count}; }

constexpr CountRange at_least(size_t count) { return {count, SIZE_MAX}; }

/// How an operation becomes instructions.
struct ConverterRow {
  std::string_view name;
  Converter convert;
  /// Quantised values are handled by what is stored; else they are real
  /// numbers before, and quantised behind.
  bool takes_stored = false;
  /// Where all operands become those of one instruction, its rules count them.
  CountRange operands = at_least(0);
  CountRange regions = exactly(0);
};

/// What the row makes of the operation. Errors "stablehlo.operand-count" and
/// "stablehlo.regions" where it has fewer or more of them.
Values convert(const ConverterRow& row, const Conversion& conversion);

using ConverterRows = std::span<const ConverterRow>;

/// What the elements of the attribute are, of a list or a literal; nothing
/// where it is neither.
std::optional<Ints> integers(const Attribute& attribute);
/// The attribute of that name in a dictionary, or null.
const Attribute* find(const Dictionary& dictionary, std::string_view name);

}  // namespace hlo::stablehlo
