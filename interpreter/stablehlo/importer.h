#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "interpreter/collective.h"
#include "interpreter/model/module.h"
#include "interpreter/stablehlo/builder.h"
#include "interpreter/stablehlo/import.h"
#include "interpreter/stablehlo/syntax.h"

// What the files of the import share; no one else includes it.

namespace hlo::stablehlo {

/// What the values of the text are in one computation.
class Scope {
 public:
  explicit Scope(Computation& computation, Scope* outer = nullptr)
      : builder(computation), outer_(outer) {}

  Builder builder;

  void bind(const Value& value, Instruction* instruction) {
    values_[&value] = instruction;
  }

  /// The value's instruction in this computation. What is constant outside is
  /// copied into it. Error "stablehlo.capture" where the value is not known.
  Instruction* find(const Value& value);
  /// Whether a computation inside can have a copy of what the value is here.
  bool is_constant(const Value& value);

 private:
  const Instruction* find_outside(const Value& value) const;
  Instruction* copy(const Instruction& source);

  Scope* outer_;
  std::unordered_map<const Value*, Instruction*> values_;
  std::unordered_map<const Instruction*, Instruction*> copies_;
};

/// Whether it is made of constants alone, by few operations without effect.
bool is_closed(const Instruction& instruction);

struct Conversion;

/// The whole program while it becomes a module.
class Importer {
 public:
  explicit Importer(const Program& program) : program_(program) {}

  /// `sizes` are those of the entry's arguments that have `?`, or null.
  Module import(const ParameterSizes& sizes);

  /// The computation of a function. Error "stablehlo.callee".
  Computation* function(std::string_view name, Location location);
  /// The same for these operands: a function with `?` is imported anew for
  /// each list of shapes that it is called with.
  Computation* function(std::string_view name, Location location,
                        const Values& operands);
  /// A new computation for a region (or what stands for one). `make` creates
  /// its parameters and instructions and returns the root.
  Computation* computation(std::string_view name, Location location,
                           Scope* outer,
                           const std::function<Instruction*(Scope&)>& make);
  /// The instructions of the block, whose arguments are bound; gives what it
  /// returns.
  Values block(const Block& block, Scope& scope);

  /// The devices that programs run on next to each other.
  void add_grid(const Grid& grid) { grids_.push_back(grid); }

  const Program& program() const { return program_; }

 private:
  Computation* import_function(const Function& function,
                               const Values& operands);
  static void bind_argument(const Function& function, size_t i,
                            const Values& operands, Scope& scope);
  void convert(const Operation& operation, Scope& scope);

  const Program& program_;
  Module module_;
  std::map<std::string, Computation*, std::less<>> functions_;
  // Functions with `?`, and what they are called with.
  std::map<std::pair<const Function*, std::string>, Computation*>
      specializations_;
  int64_t open_calls_ = 0;  // functions with `?` that are being imported
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, int64_t> last_;
  std::vector<Grid> grids_;
};

/// Functions that `entry` needs, each after those that it calls. Errors
/// "stablehlo.callee", "stablehlo.recursion".
std::vector<const Function*> called_functions(const Program& program,
                                              const Function& entry);
/// main, or the only function, or the first that no other calls.
const Function& entry_function(const Program& program);

/// Whether the text leaves sizes of the function's values open: `?`.
bool is_open(const Function& function);

/// One operation that is converted.
struct Conversion {
  const Operation& op;
  Importer& importer;
  Scope& scope;
  Values operands;
  std::vector<Shape> shapes;  // of the results; `?` where the text has it

  Builder& build() const { return scope.builder; }

  /// Error "stablehlo.operand-count" where there are fewer.
  Instruction* operand(size_t i) const;

  const Shape& operand_shape(size_t i) const { return operand(i)->shape; }

  /// Of the only result, or of the tuple of the results. Error
  /// "stablehlo.result-count" where there are none.
  Shape shape() const;
  /// An instruction with these operands and the results' shapes.
  Values make(std::string_view opcode, Values values,
              Attributes attributes = {}) const;

  /// The same of all operands.
  Values make(std::string_view opcode, Attributes attributes = {}) const {
    return make(opcode, operands, std::move(attributes));
  }

  [[noreturn]] void fail(std::string_view label,
                         std::string_view message) const;

  void require(bool condition, std::string_view label,
               std::string_view message) const {
    if (!condition) fail(label, message);
  }

  // Attributes; error "stablehlo.needs" where one is missing without a default
  // or is of another kind.
  const Attribute* find(std::string_view name) const { return op.find(name); }

  Ints ints(std::string_view name) const;
  Ints ints(std::string_view name, Ints otherwise) const;
  int64_t integer(std::string_view name) const;
  int64_t integer(std::string_view name, int64_t otherwise) const;
  bool flag(std::string_view name, bool otherwise = false) const;
  std::string word(std::string_view name, std::string_view otherwise) const;
  std::vector<std::string> words(std::string_view name) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  /// The fields of #stablehlo.NAME<...>.
  const Dictionary& fields(std::string_view name) const;
  Ints field(const Dictionary& fields, std::string_view name) const;
  int64_t field(const Dictionary& fields, std::string_view name,
                int64_t otherwise) const;
  /// Pairs of numbers of a literal of n times 2: padding, pairs of devices.
  IntPairs pairs(std::string_view name) const;
  /// The value of the operand, where it is constant. Error
  /// "stablehlo.dynamic".
  Ints constant_ints(size_t index) const;
  /// The shape of the only result, which has these sizes. Errors
  /// "stablehlo.dynamic" where one is negative, "stablehlo.result-type" where
  /// the text declares others.
  Shape sized(const Ints& sizes) const;

  /// Error "stablehlo.regions" where there are fewer regions.
  const Block& region(size_t i) const;
};

using Converter = Values (*)(const Conversion&);

/// How an operation becomes instructions.
struct ConverterRow {
  std::string_view name;
  Converter convert;
  /// Quantised values are handled by what is stored; else they are real
  /// numbers before, and quantised behind.
  bool takes_stored = false;
};

std::span<const ConverterRow> elementwise_rows();
std::span<const ConverterRow> window_rows();
std::span<const ConverterRow> indexing_rows();
std::span<const ConverterRow> shape_rows();
std::span<const ConverterRow> einsum_rows();
std::span<const ConverterRow> contraction_rows();
std::span<const ConverterRow> linear_rows();
std::span<const ConverterRow> control_rows();
std::span<const ConverterRow> call_rows();
std::span<const ConverterRow> reduction_rows();
std::span<const ConverterRow> collective_rows();
std::span<const ConverterRow> chlo_rows();
std::span<const ConverterRow> broadcasting_rows();
std::span<const ConverterRow> quantized_rows();
std::span<const ConverterRow> check_rows();
std::span<const ConverterRow> sharding_rows();
const ConverterRow* find_converter(std::string_view name);

/// What the elements of the attribute are, of a list or a literal; nothing
/// where it is neither.
std::optional<Ints> integers(const Attribute& attribute);
/// The attribute of that name in a dictionary, or null.
const Attribute* find(const Dictionary& dictionary, std::string_view name);
/// Attributes of dialects (their names have a dot) become sharding where it is
/// one, else frontend_attributes.
void keep_attributes(const Dictionary& attributes, Instruction& instruction);
/// The same, and the accuracy that is asked of the result.
void keep_attributes(const Operation& operation, Instruction& instruction);
/// What is said of each result, as frontend_attributes of the root.
void keep_results(const std::vector<Dictionary>& attributes, Instruction& root);
/// Counts of devices, aliases and what else a program says, in the header.
void keep_attributes(const Program& program, const Function& entry,
                     Module& module);
/// The attribute in text, for frontend_attributes.
std::string printed(const Attribute& attribute);

/// The converter of a CHLO function that a composite is named after; null
/// where it is not one of theirs.
Converter function_of_composite(std::string_view name);

/// The groups with their text.
ReplicaGroups make_groups(std::vector<Ints> groups);
/// Those of #stablehlo.replica_group_mesh_axes<mesh = .., axes = [..]>. Error
/// "stablehlo.sharding".
ReplicaGroups mesh_groups(const Conversion& c, const Structure& groups);

/// The converter of a custom call of LAPACK's target; null for others, and for
/// those that are no operation of HLO.
Converter find_lapack(std::string_view target);

/// {DEFAULT, HIGHEST} as HLO's words; nothing where it is not given.
void add_precision(const Conversion& c, Attributes& attributes);
/// The instruction's value where it is closed and small.
std::optional<Literal> fold(const Instruction& instruction);

/// What `block` and the regions in it use of outside, in that order; without
/// what is constant in `scope`.
std::vector<const Value*> captures(const std::vector<const Block*>& blocks,
                                   Scope& scope);

/// How a region that is applied to elements gets what it uses of outside.
struct Passing {
  std::vector<const Value*> values = {};  // `captures`, as further operands
  size_t groups = 1;      // its arguments come in so many groups of equal size,
                          // and each value behind each group
  size_t copies = 1;      // so many times
  bool returns = false;   // and it returns them
  bool as_tuple = false;  // one result is a tuple, too
  // What its arguments come as, from which they are converted; by default their
  // own type.
  std::optional<ElementType> type = std::nullopt;
};

/// The computation of region `i`, which takes arrays and returns them.
Computation* applied_region(const Conversion& c, size_t i,
                            const Passing& passing = {});
/// A scalar that a region uses. Error "stablehlo.capture" where it is none.
Instruction* passed_scalar(const Conversion& c, const Value& value);
/// Error "stablehlo.capture" where the region uses what is not constant.
void check_no_captures(const Conversion& c, size_t i);
/// select_and_scatter as reduce-window and scatter, for regions that use values
/// of outside.
Values select_and_scatter_of_outside(const Conversion& c, const Window& window);
/// What the region makes of all operands of a group, as all-gather and maps,
/// for regions that use values of outside. `groups` begins with
/// replica_groups.
Values combined_of_outside(const Conversion& c, const Attributes& groups);
/// The number of the device in its group.
Instruction* place_in_group(const Conversion& c, const Attributes& groups);
/// Element types of the region's arguments from `first` on.
ElementType argument_type(const Conversion& c, const Block& block, size_t i);

/// The window of `rank` dimensions that these attributes describe; an empty
/// list stands for ones.
struct WindowLists {
  Ints sizes, strides, base_dilations, window_dilations;
  IntPairs padding;
  Ints reversal = {};
};

Window make_window(const Conversion& c, int64_t rank, const WindowLists& lists);

/// Real numbers of stored ones, and back (spec/stablehlo_operations.md).
Instruction* dequantize(Builder& builder, Instruction* stored,
                        const Quantization& quantization);
Instruction* quantize(Builder& builder, Instruction* real,
                      const Quantization& quantization);

}  // namespace hlo::stablehlo
