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

class Writer;
/// Writes one instruction and returns its leaves.
using WriteInstruction = Leaves (*)(Writer&, const Instruction&);

/// What the functions of a module have in common.
struct ExportState {
  const Module* module = nullptr;
  WriteInstruction write = nullptr;
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
  // The values of the computations that are being written, innermost last: a
  // computation may stand in several regions, but never within itself.
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

using ExportRows = std::span<const ExportRow>;

/// One operation with the operands' leaves and the result's.
Leaves plain(Writer& writer, const Instruction& instruction,
             std::string_view name, std::string properties = {},
             std::vector<RegionText> regions = {},
             std::string_view dialect = "stablehlo");
/// The results' shapes as leaves, with these element types, which is what
/// StableHLO's operation gives: export.cc converts them to the instruction's.
std::vector<Shape> of_types(const Shape& results,
                            std::span<const ElementType> types);
/// As `plain`, with results of these element types.
Leaves plain_of_types(Writer& writer, const Instruction& instruction,
                      std::string_view name, std::string properties,
                      std::span<const ElementType> types,
                      std::vector<RegionText> regions = {});
/// As `plain`, with a result of the first operand's element type.
Leaves moved(Writer& writer, const Instruction& instruction,
             std::string_view name, std::string properties);

}  // namespace hlo::stablehlo
