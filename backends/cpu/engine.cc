#include "backends/cpu/engine.h"

#include <algorithm>
#include <unordered_map>

#include "backends/cpu/arrays/converted.h"
#include "backends/cpu/arrays/run_region.h"
#include "backends/cpu/devices/device_grid.h"
#include "backends/cpu/functions/binary_functions.h"
#include "backends/cpu/functions/bit_functions.h"
#include "backends/cpu/functions/comparison_functions.h"
#include "backends/cpu/functions/control_functions.h"
#include "backends/cpu/functions/conversion_functions.h"
#include "backends/cpu/functions/convolution_functions.h"
#include "backends/cpu/functions/families.h"
#include "backends/cpu/functions/fold_functions.h"
#include "backends/cpu/functions/indexed_functions.h"
#include "backends/cpu/functions/linear/dot_functions.h"
#include "backends/cpu/functions/math_functions.h"
#include "backends/cpu/functions/mixed/mixed_precision.h"
#include "backends/cpu/functions/movement_functions.h"
#include "backends/cpu/functions/reinterpretation_functions.h"
#include "backends/cpu/functions/scatter_functions.h"
#include "backends/cpu/functions/unary_functions.h"
#include "backends/cpu/routines/make_routine.h"
#include "backends/cpu/routines/regions/combining_region.h"
#include "backends/cpu/sizes/size_functions.h"
#include "backends/cpu/sizes/sized_instruction.h"
#include "backends/run_in_order.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

/// What happens to operands of another precision than the result's.
enum class Precision : uint8_t {
  kOwn,        // the function knows them
  kConverted,  // they are converted to the result's first
  kHeld,       // they are, where that changes no number: else there are two
               // roundings
};

struct Entry {
  Function function = nullptr;
  Caller caller = nullptr;  // where `function` is null
  Precision precision = Precision::kOwn;
};

/// Whether it computes each element of its result from those of its operands.
bool is_by_elements(const Entry& entry) {
  return entry.precision == Precision::kHeld;
}

using Table = std::unordered_map<std::string_view, Entry>;

void enter(Table& table, const Functions& functions, Precision precision) {
  for (const auto& [name, function] : functions) {
    table.emplace(name, Entry{function, nullptr, precision});
  }
}

void enter(Table& table, const Callers& callers, Precision precision) {
  for (const auto& [name, caller] : callers) {
    table.emplace(name, Entry{nullptr, caller, precision});
  }
}

Table make_table() {
  Table entries;
  for (const Functions& some :
       {unary_functions(), binary_functions(), math_functions()}) {
    enter(entries, some, Precision::kHeld);
  }
  for (const Functions& some : {movement_functions(), indexed_functions()}) {
    enter(entries, some, Precision::kConverted);
  }
  enter(entries, fold_functions(), Precision::kConverted);
  for (const Functions& some :
       {bit_functions(), conversion_functions(), comparison_functions(),
        reinterpretation_functions(), dot_functions(), convolution_functions(),
        functions_of_families(), size_functions()}) {
    enter(entries, some, Precision::kOwn);
  }
  enter(entries, scatter_functions(), Precision::kOwn);
  enter(entries, control_functions(), Precision::kOwn);
  enter(entries, callers_of_families(), Precision::kOwn);
  return entries;
}

const Table& table() {
  static const Table functions_by_name = make_table();
  return functions_by_name;
}

bool has_shape(const Array& array, const Shape& shape) {
  return array.shape.element_type == shape.element_type &&
         array.shape.dims == shape.dims;
}

void write_results(const Routine& routine, Operands operands,
                   std::vector<Array>& results) {
  std::vector<const std::byte*> from;
  from.reserve(operands.size());
  for (const Array* operand : operands) from.push_back(operand->bytes.data());
  std::vector<std::byte*> to;
  to.reserve(results.size());
  for (Array& result : results) to.push_back(result.bytes.data());
  routine.run(from, to);
}

/// The result of a routine that is handed bf16 and f16 as f32.
Array run_in_f32(const Routine& routine, const Instruction& instruction,
                 Operands operands) {
  std::vector<Array> wide;
  std::vector<const Array*> own;
  wide.reserve(operands.size());
  own.reserve(operands.size());
  for (const Array* operand : operands) {
    wide.push_back(
        converted(*operand, combined_type(operand->shape.element_type)));
  }
  for (const Array& operand : wide) own.push_back(&operand);
  std::vector<Array> results;
  for (const Shape* leaf : leaves(instruction.shape)) {
    Shape shape = *leaf;
    shape.element_type = combined_type(leaf->element_type);
    results.push_back(Array::unwritten(shape));
  }
  write_results(routine, own, results);
  std::vector<Array> narrow;
  for (size_t i = 0; i < results.size(); ++i) {
    const Shape& shape = *leaves(instruction.shape)[i];
    narrow.push_back(converted(results[i], shape.element_type));
  }
  return joined(instruction.shape, std::move(narrow));
}

/// The result of the routine, where there is one for operands of the shapes
/// that the instruction names.
std::optional<Array> by_routine(const Instruction& instruction,
                                Operands operands) {
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!has_shape(*operands[i], instruction.operand_shape(i))) return {};
  }
  const std::optional<Routine> routine = make_routine(instruction);
  if (!routine) return {};
  if (routine->in_f32) return run_in_f32(*routine, instruction, operands);
  std::vector<Array> results;
  for (const Shape* leaf : leaves(instruction.shape)) {
    results.push_back(Array::unwritten(*leaf));
  }
  write_results(*routine, operands, results);
  return joined(instruction.shape, std::move(results));
}

Array apply(const Entry& entry, const Instruction& instruction,
            Operands operands) {
  if (std::optional<Array> found = by_routine(instruction, operands)) {
    return *std::move(found);
  }
  if (is_by_elements(entry)) return entry.function(instruction, operands);
  // What another one makes on its way may be needed longer than its result's
  // memory: other devices have it, or steps of a computation.
  const ResultPlace none({});
  return entry.function != nullptr ? entry.function(instruction, operands)
                                   : entry.caller(instruction, operands, run);
}

bool is_other_precision(const Array& operand, ElementType type) {
  const ElementType own = operand.shape.element_type;
  return own != type && is_float(own) && is_float(type);
}

/// Whether every number of one float type is one of the other; of narrow types
/// nobody asks.
bool holds(ElementType type, ElementType other) {
  return type == ElementType::kF64 ||
         (type == ElementType::kF32 && other != ElementType::kF64);
}

/// Whether the function on operands in the result's type would round twice.
bool rounds_twice(const Entry& entry, ElementType type, Operands operands) {
  return is_by_elements(entry) &&
         std::ranges::any_of(operands, [&](const Array* operand) {
           return is_other_precision(*operand, type) &&
                  !holds(type, operand->shape.element_type);
         });
}

/// Runs the function on operands of the precision of the result, or of f64.
Array run_converted(const Entry& entry, const Instruction& instruction,
                    Operands operands) {
  const ElementType own = leaves(instruction.shape).at(0)->element_type;
  const bool is_narrowed = rounds_twice(entry, own, operands);
  const ElementType type = is_narrowed ? ElementType::kF64 : own;
  std::vector<Array> converted_ones(operands.size());
  std::vector<const Array*> same(operands.begin(), operands.end());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!is_other_precision(*operands[i], type)) continue;
    converted_ones[i] = converted(*operands[i], type);
    same[i] = &converted_ones[i];
  }
  return is_narrowed ? narrowed(instruction, same, entry.function)
                     : apply(entry, instruction, same);
}

/// Whether a fold's region, which is no sum or product, has other types than
/// the operands or the result. Sums and products may keep more than it does.
bool joins_in_other_types(const Instruction& instruction) {
  const std::string_view name = instruction.op->name;
  if (name != "reduce" && name != "reduce-window") return false;
  const Computation& region = *instruction.get<Computation*>("to_apply");
  const std::string_view simple = simple_region(region);
  if (simple == "add" || simple == "multiply") return false;
  const size_t count = instruction.operands.size() / 2;
  const std::vector<const Shape*> joined_ones = leaves(region.root->shape);
  const std::vector<const Shape*> results = leaves(instruction.shape);
  for (size_t i = 0; i < count; ++i) {
    const ElementType type = joined_ones[i]->element_type;
    if (results[i]->element_type != type ||
        instruction.operand_shape(i).element_type != type ||
        instruction.operand_shape(count + i).element_type != type) {
      return true;
    }
  }
  return false;
}

/// Folds what the region's parameters hold, and converts what it returns.
Array run_in_region_types(const Entry& entry, const Instruction& instruction,
                          Operands operands) {
  const Computation& region = *instruction.get<Computation*>("to_apply");
  const size_t count = operands.size() / 2;
  std::vector<Array> own;
  std::vector<const Array*> places;
  own.reserve(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    const size_t parameter = (i + count) % operands.size();
    own.push_back(converted(*operands[i],
                            region.parameters[parameter]->shape.element_type));
    places.push_back(&own.back());
  }
  const std::vector<const Shape*> results = leaves(instruction.shape);
  const std::vector<const Shape*> joined_ones = leaves(region.root->shape);
  std::vector<Shape> shapes;
  for (size_t i = 0; i < results.size(); ++i) {
    shapes.push_back(*results[i]);
    shapes[i].element_type = joined_ones[i]->element_type;
  }
  Instruction fold = instruction;
  fold.shape = shapes.size() == 1 ? shapes[0] : Shape::tuple(shapes);
  const Array found = apply(entry, fold, places);
  std::vector<Array> narrow;
  for (size_t i = 0; i < results.size(); ++i) {
    const Array& part = shapes.size() == 1 ? found : found.elements[i];
    narrow.push_back(converted(part, results[i]->element_type));
  }
  return joined(instruction.shape, std::move(narrow));
}

Array run_whole(const Instruction& instruction, Operands operands) {
  const auto found = table().find(instruction.op->name);
  if (found == table().end()) {
    throw Unsupported("does not run " + std::string(instruction.op->name));
  }
  const Entry& entry = found->second;
  if (joins_in_other_types(instruction)) {
    return run_in_region_types(entry, instruction, operands);
  }
  if (entry.precision != Precision::kOwn && instruction.shape.is_array()) {
    return run_converted(entry, instruction, operands);
  }
  return apply(entry, instruction, operands);
}

/// Computations that run each other on this thread's stack.
thread_local int64_t levels = 0;

class Level {
 public:
  Level() { ++levels; }

  ~Level() { --levels; }

  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
};

Array run_all(const Computation& computation, Operands arguments) {
  return run_in_order<Array>(computation, arguments, run_one);
}

/// The result of the computation by a machine of one device, whose calls take
/// no stack.
Array run_off_stack(const Computation& computation, Operands arguments) {
  std::vector<Array> copies;
  for (const Array* argument : arguments) copies.push_back(*argument);
  std::vector<DeviceWork> work;
  work.push_back({&computation, std::move(copies)});
  return std::move(run_grid(Grid{}, std::move(work), {}, {run_one, run})[0]);
}

}  // namespace

Array run_one(const Instruction& instruction, Operands operands) {
  return is_sized(operands) ? run_at_sizes(instruction, operands, run_whole)
                            : run_whole(instruction, operands);
}

Array run(const Computation& computation, Operands arguments) {
  constexpr int64_t kMostLevels = 100;
  if (levels >= kMostLevels) return run_off_stack(computation, arguments);
  const Level level;
  return run_all(computation, arguments);
}

}  // namespace hlo::cpu
