#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/model/module.h"

// What the exporters of operations share. A value of HLO is a list of values
// of StableHLO, one for each leaf of its shape: tuples have no text.
namespace hlo::stablehlo {

struct Leaf {
  std::string name;  // with %
  Shape shape;
};

using Leaves = std::vector<Leaf>;

/// A region of one block. `captured`: the computation has no block arguments,
/// its parameters are these values.
struct RegionText {
  const Computation* body = nullptr;
  const Leaves* captured = nullptr;
};

/// One operation before it has text.
struct OperationText {
  std::string_view dialect = "stablehlo";
  std::string name = {};  // "add"
  Leaves operands = {};
  std::string properties = {};  // between <{ and }>
  std::vector<RegionText> regions = {};
  std::vector<Shape> results = {};  // leaves
};

/// What the functions of a module have in common.
struct ExportState {
  const Module* module = nullptr;
  std::map<const Computation*, std::string> names;  // of functions
  std::set<std::string> taken;                      // their names
  std::vector<const Computation*> waiting;          // not yet written
  std::map<const Computation*, int64_t> uses;       // by instructions
  // The only instruction that uses another; null where several do.
  std::unordered_map<const Instruction*, const Instruction*> users;
};

/// Writes the body of one function.
class Writer {
 public:
  Writer(ExportState& state, std::string& text) : state_(state), text_(text) {}

  /// func.func of a computation under its name.
  void function(const Computation& computation, bool is_main);

  /// The leaves of an instruction that has been written.
  const Leaves& of(const Instruction& instruction) const;
  /// The leaves of all operands, one after the other.
  Leaves operands(const Instruction& instruction) const;
  /// Appends an operation. `source` gives location and sharding; may be null.
  Leaves add(const OperationText& operation, const Instruction* source);
  /// Appends a call of the computation's function.
  Leaves call(const Computation& callee, Leaves arguments,
              const Instruction* source);
  /// A constant of zeros, for the words that HLO's asynchronous operations
  /// carry along.
  Leaf zero(const Shape& shape);
  /// The value converted to the type, or itself where it has it.
  Leaf converted(const Leaf& value, ElementType type);

  const Module& module() const { return *state_.module; }

  /// The only instruction that uses it; null where there is none or several do.
  const Instruction* only_user(const Instruction& instruction) const;

 private:
  std::string fresh();
  void line(std::string_view indented);
  void region(const RegionText& region);
  void body(const Computation& computation, std::string_view dialect);
  void instruction(const Instruction& instruction);
  void bind_parameters(const Computation& computation, const Leaves& leaves);
  bool is_inlined(const Computation& computation) const;

  ExportState& state_;
  std::string& text_;
  // Of the computations that are being written, innermost last: a computation
  // may stand in several regions, but never within itself.
  std::map<const Instruction*, Leaves> values_;
  int64_t next_value_ = 0;
  int64_t next_argument_ = 0;
  int depth_ = 0;
};

/// Writes one instruction and returns its leaves; false where StableHLO has no
/// operation for it: then it is written as a call of `hlo.<opcode>`.
using Exporter = bool (*)(Writer&, const Instruction&, Leaves&);

struct ExportRow {
  std::string_view opcode;
  Exporter exporter;
};

std::span<const ExportRow> elementwise_exporters();
std::span<const ExportRow> movement_exporters();
std::span<const ExportRow> region_exporters();
std::span<const ExportRow> linear_exporters();
std::span<const ExportRow> control_exporters();
std::span<const ExportRow> device_exporters();
std::span<const ExportRow> chlo_exporters();
std::span<const ExportRow> bitcast_exporters();

/// The call of the custom-call target `hlo.<opcode>` with the instruction as a
/// module of its own in its backend_config.
Leaves export_verbatim(Writer& writer, const Instruction& instruction);

/// The error of what cannot be said.
[[noreturn]] void cannot_export(const Instruction& instruction,
                                std::string_view what);

/// "tensor<?x2xf32, #stablehlo.bounds<3, ?>>", "!stablehlo.token". Error
/// "stablehlo.export" where StableHLO lacks the element type.
std::string type_text(const Shape& shape);
/// "dense<[1, 2]> : tensor<2xi32>".
std::string dense_text(const Literal& literal);
/// "array<i64: 1, 2>", "array<i1: false, true>".
std::string array_text(std::span<const int64_t> values);
std::string bools_text(std::span<const bool> values);
/// "[1, 2]"
std::string list_text(std::span<const int64_t> values);
/// "dense<[[1, 2]]> : tensor<1x2xi64>"
std::string pairs_text(std::span<const std::pair<int64_t, int64_t>> pairs);
/// The shortest decimal of the number, with a point.
std::string decimal_text(double value);
/// "3 : i64"
std::string int_text(int64_t value);
/// "\"characters\"", with what MLIR does not print escaped.
std::string string_text(std::string_view characters);
/// ", precision_config = [...]" of operand_precision; nothing where it is not
/// given.
std::string precision_text(const Instruction& instruction);
/// The shapes of the leaves of a shape.
std::vector<Shape> leaf_shapes(const Shape& shape);
/// One operation with the operands' leaves and the result's.
Leaves plain(Writer& writer, const Instruction& instruction,
             std::string_view name, std::string properties = {},
             std::vector<RegionText> regions = {},
             std::string_view dialect = "stablehlo");

}  // namespace hlo::stablehlo
