#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/model/attribute.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/shape.h"

namespace hlo {

struct Op;

/// One operation applied to operands. Owned by its computation.
struct Instruction {
  std::string name;  // without %
  const Op* op = nullptr;
  Shape shape;
  bool has_shape = false;  // the text gave the shape; else verify fills it in
  std::vector<Instruction*> operands;
  Attributes attributes;          // of the operation, then the common ones
  int64_t parameter_number = -1;  // of `parameter`
  std::shared_ptr<const Literal> literal;  // of `constant`; null when elided
  /// The wrapped operation's name where the text has the sugar
  /// `<name>-start`, `-update` or `-done`; the printer restores it.
  std::string async_sugar;
  Computation* parent = nullptr;
  int64_t position = 0;  // in parent->instructions
  Location location;

  // Defined in the .cc: in each file that uses them they would be compiled
  // anew.
  Instruction();
  Instruction(const Instruction& other);
  Instruction(Instruction&& other) noexcept;
  Instruction& operator=(const Instruction& other);
  Instruction& operator=(Instruction&& other) noexcept;
  ~Instruction();

  const Shape& operand_shape(size_t i) const { return operands.at(i)->shape; }

  /// The value of the attribute, or null where the text did not give it.
  const AttributeValue* find(std::string_view attribute) const;

  /// The value of an attribute that the operation requires (the parser checks
  /// presence and kind): `get<Window>("window")`.
  template <typename T>
  const T& get(std::string_view attribute) const {
    const AttributeValue* value = find(attribute);
    if (value == nullptr) throw std::logic_error("attribute is missing");
    return std::get<T>(*value);
  }

  template <typename T>
  T get_or(std::string_view attribute, T otherwise) const {
    const AttributeValue* value = find(attribute);
    return value == nullptr ? otherwise : std::get<T>(*value);
  }
};

/// A list of instructions in an order in which each comes after its operands.
struct Computation {
  std::string name;
  std::vector<std::unique_ptr<Instruction>> instructions;
  std::vector<Instruction*> parameters;  // by parameter number
  Instruction* root = nullptr;
  std::string execution_thread;
  /// The shapes of a signature `(p: f32[2]) -> f32[2]`, where the text has one.
  std::optional<Shape> declared_result;
  Location location;

  Computation();
  Computation(Computation&& other) noexcept;
  Computation& operator=(Computation&& other) noexcept;
  ~Computation();
};

/// One attribute of the module's header, printed back in the same order.
struct HeaderAttribute {
  std::string name;
  AttributeValue value;
  friend bool operator==(const HeaderAttribute&,
                         const HeaderAttribute&) = default;
};

/// entry_computation_layout={(shapes)->shape}.
struct EntryLayout {
  std::vector<Shape> parameters;
  Shape result;
  friend bool operator==(const EntryLayout&, const EntryLayout&) = default;
};

/// A program. Computations stand before their callers.
struct Module {
  std::string name;
  std::vector<std::unique_ptr<Computation>> computations;
  Computation* entry = nullptr;
  std::optional<EntryLayout> entry_layout;
  std::vector<HeaderAttribute> header;  // all others
  std::string stack_frames;             // FileNames ... verbatim, canonical
  int64_t replica_count = 1;
  int64_t num_partitions = 1;

  Module();
  Module(Module&& other) noexcept;
  Module& operator=(Module&& other) noexcept;
  ~Module();
};

/// Whether two modules say the same: names, shapes, layouts, attributes,
/// literals (bit for bit), order. Locations do not count.
bool equal(const Module& a, const Module& b);

/// The shapes of an instruction's operands, as a part of a message.
struct OperandShapes {
  const Instruction& of;
};

/// The shapes of a computation's parameters, as a part of a message.
struct ParameterShapes {
  const Computation& of;
};

/// Appends the shapes of operands as a list, or "none".
void append_words(std::string& text, const OperandShapes& shapes);
/// Appends the shapes of parameters as a list, or "none".
void append_words(std::string& text, const ParameterShapes& shapes);
/// Appends the name of an instruction with its %.
void append_words(std::string& text, const Instruction& instruction);
/// Appends the name of a computation with its %.
void append_words(std::string& text, const Computation& computation);

}  // namespace hlo
