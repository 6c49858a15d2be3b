#include "interpreter/stablehlo/import/importer/importer.h"

#include <algorithm>

#include "interpreter/rules/op.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/import/importer/called_functions.h"
#include "interpreter/stablehlo/import/importer/closed_value.h"
#include "interpreter/stablehlo/import/importer/import_attributes.h"
#include "interpreter/stablehlo/import/importer/import_quantized.h"
#include "interpreter/stablehlo/import/importer/instruction_builder.h"
#include "interpreter/stablehlo/import/importer/unused_states.h"
#include "interpreter/text/printer.h"

namespace hlo::stablehlo {
namespace {

/// The shape of a value that a function or a program takes.
Shape parameter_shape(const Value& value, Location location) {
  const Type& type = value.type;
  const bool has_shape = type.kind == Type::Kind::kTensor ||
                         type.kind == Type::Kind::kTuple ||
                         type.kind == Type::Kind::kToken;
  if (has_shape && is_static(type.shape)) return type.shape;
  throw Error(Phase::kVerify, "stablehlo.dynamic",
              "dynamic shapes are not supported here: %" + value.name +
                  " has no static shape",
              location);
}

const Quantization* quantization_of(const Value& value) {
  return value.type.quantization ? &*value.type.quantization : nullptr;
}

bool is_quantized(const Value* value) {
  return value->type.quantization.has_value();
}

bool is_quantized(const Operation& operation) {
  const auto has = [](const auto& value) { return is_quantized(&*value); };
  return std::ranges::any_of(operation.operands, has) ||
         std::ranges::any_of(operation.results, has);
}

/// The shape of a result, real where it is quantised.
Shape result_shape(const Value& value, bool as_real) {
  Shape shape = value.type.shape;
  if (value.type.kind == Type::Kind::kUnranked) shape.dims = {kUnbounded};
  for (int64_t d = 0; d < shape.rank(); ++d) {
    // The size that is found for it does not change.
    if (shape.dims[static_cast<size_t>(d)] == kUnbounded) {
      shape.set_dynamic(d, false);
    }
  }
  if (as_real && is_quantized(&value)) {
    shape.element_type = value.type.quantization->expressed;
  }
  return shape;
}

Instruction* real(InstructionBuilder& builder, Instruction* stored,
                  const Value& value) {
  const Quantization* quantization = quantization_of(value);
  return quantization == nullptr ? stored
                                 : dequantize(builder, stored, *quantization);
}

/// The instruction that an operation became: the last that computes.
Instruction* made_since(size_t before, const Computation& computation) {
  const auto& instructions = computation.instructions;
  for (size_t i = instructions.size(); i > before; --i) {
    if (instructions[i - 1]->op->name == "get-tuple-element") continue;
    return instructions[i - 1].get();
  }
  return nullptr;
}

/// What an operation gives is what the text declares, where that is said.
void check_result(const Operation& operation, const Shape& declared,
                  const Value& value, const Instruction& made) {
  const bool is_said = value.type.kind == Type::Kind::kTensor ||
                       value.type.kind == Type::Kind::kToken;
  if (!is_said || !is_static(declared) ||
      compatible(declared, made.shape, /*ignore_dynamic=*/true)) {
    return;
  }
  throw Error(Phase::kVerify, "stablehlo.result-type",
              operation.name + " gives " + to_string(made.shape, false) +
                  ", but " + to_string(declared, false) + " is declared",
              operation.location);
}

constexpr size_t kMostSpecializations = 4096;
constexpr int64_t kDeepestOpenCalls = 200;
constexpr int64_t kMostElements = int64_t{1} << 40;  // of an argument
constexpr int64_t kMostSizes = 64;

/// What the operand is where it is constant and may say sizes.
std::optional<Literal> known_sizes(const Instruction& operand) {
  const Shape& shape = operand.shape;
  const bool may_say = shape.is_array() && is_integer(shape.element_type) &&
                       shape.element_count() <= kMostSizes;
  return may_say ? closed_value(operand) : std::nullopt;
}

/// All that the import of a function with `?` depends on, as text.
std::string called_with(const Values& operands) {
  std::string text;
  for (const Instruction* operand : operands) {
    text += " " + to_string(operand->shape, /*with_layout=*/false);
    if (const auto sizes = known_sizes(*operand)) text += text::print(*sizes);
  }
  return text;
}

/// Whether an argument of the type can have the shape.
bool fits(const Type& type, const Shape& shape) {
  const Shape& declared = type.shape;
  if (type.kind != Type::Kind::kTensor && type.kind != Type::Kind::kUnranked) {
    return false;
  }
  const auto alike = [](int64_t size, int64_t actual) {
    return size == kUnbounded || size == actual;
  };
  return shape.is_array() && declared.element_type == shape.element_type &&
         (type.kind == Type::Kind::kUnranked ||
          std::ranges::equal(declared.dims, shape.dims, alike));
}

/// Refuses sizes with which counting elements would overflow.
void check_size(const std::vector<int64_t>& dims, Location location) {
  int64_t count = 1;
  for (const int64_t size : dims) {
    const bool fits =
        !__builtin_mul_overflow(count, std::max<int64_t>(size, 1), &count) &&
        count <= kMostElements;
    if (fits) continue;
    throw Error(Phase::kVerify, "stablehlo.size",
                "an argument is too large: it can have at most 2^40 elements",
                location);
  }
}

/// What the entry is called with where its arguments have `?`: parameters of
/// the shapes that are given; null for other arguments.
Values arguments_of(const Function& entry, const ParameterSizes& sizes,
                    Computation& given) {
  InstructionBuilder builder(given);
  Values values(entry.body.arguments.size(), nullptr);
  for (size_t i = 0; i < values.size(); ++i) {
    const Type& type = entry.body.arguments[i]->type;
    const bool is_unranked = type.kind == Type::Kind::kUnranked;
    if (!is_unranked && is_static(type.shape)) continue;
    const auto dims = sizes(i);
    if (!dims) continue;
    check_size(*dims, entry.location);
    const Shape shape = Shape::array(type.shape.element_type, *dims);
    values[i] = builder.parameter(shape, entry.body.arguments[i]->name);
  }
  return values;
}

bool is_return(const Operation& operation) {
  return operation.name == "func.return" ||
         operation.name == "stablehlo.return" ||
         operation.name == "chlo.return" || operation.name == "sdy.return" ||
         operation.name == "chlo.rank_specialization_cluster_yield";
}

}  // namespace

Computation* Importer::function(std::string_view name, Location location) {
  return function(name, location, {});
}

Computation* Importer::function(std::string_view name, Location location,
                                const Values& operands) {
  const auto found = functions_.find(name);
  if (found != functions_.end()) return found->second;
  const Function* function = program_.find(name);
  if (function == nullptr || function->is_declaration) {
    throw Error(Phase::kVerify, "stablehlo.callee",
                "there is no function @" + shortened(name), location);
  }
  const std::pair key(function, called_with(operands));
  const auto known = specializations_.find(key);
  if (known != specializations_.end()) return known->second;
  if (specializations_.size() == kMostSpecializations) {
    throw Error(Phase::kVerify, "stablehlo.size",
                "functions with dynamic shapes are called with more than 4096 "
                "lists of shapes",
                location);
  }
  if (open_calls_ == kDeepestOpenCalls) {
    throw Error(Phase::kVerify, "stablehlo.depth",
                "functions with dynamic shapes call each other more than 200 "
                "levels deep",
                location);
  }
  ++open_calls_;
  Computation* made = import_function(*function, operands);
  --open_calls_;
  specializations_.emplace(key, made);
  return made;
}

Computation* Importer::computation(
    std::string_view name, Location location, Scope* outer,
    const std::function<Instruction*(Scope&)>& make) {
  auto computation = std::make_unique<Computation>();
  std::string free = hlo_name(name);
  while (!names_.insert(free).second) {
    free = hlo_name(name) + "." + std::to_string(++last_[hlo_name(name)]);
  }
  computation->name = free;
  computation->location = location;
  Scope scope(*computation, outer);
  scope.builder.location = location;
  computation->root = make(scope);
  module_.computations.push_back(std::move(computation));
  return module_.computations.back().get();
}

Values Importer::block(const Block& block, Scope& scope) {
  for (const auto& operation : block.operations) {
    scope.builder.location = operation->location;
    if (is_return(*operation)) {
      if (!operation->regions.empty()) {
        throw Error(Phase::kVerify, "stablehlo.regions",
                    operation->name + " has a region, but it must have none",
                    operation->location);
      }
      Values returned;
      for (const Value* value : operation->operands) {
        returned.push_back(scope.find(*value));
      }
      return returned;
    }
    convert(*operation, scope);
  }
  return {};
}

void Importer::convert(const Operation& operation, Scope& scope) {
  const ConverterRow* row = converter(operation.name);
  if (row == nullptr) {
    throw Error(Phase::kVerify, "stablehlo.unknown",
                operation.name + " is not an operation that is known",
                operation.location);
  }
  const bool as_real = !row->takes_stored && is_quantized(operation);
  Conversion c{operation, *this, scope, {}, {}};
  for (const Value* value : operation.operands) {
    Instruction* operand = scope.find(*value);
    if (as_real) operand = real(scope.builder, operand, *value);
    c.operands.push_back(operand);
  }
  for (const auto& result : operation.results) {
    c.shapes.push_back(result_shape(*result, as_real));
  }
  const size_t before = scope.builder.computation().instructions.size();
  const Values results = stablehlo::convert(*row, c);
  c.require(
      results.size() == operation.results.size(), "stablehlo.result-count",
      {"the operation has ", Count{std::ssize(operation.results), "result"},
       " and gives ", results.size()},
      "it must have as many");
  if (Instruction* main = made_since(before, scope.builder.computation())) {
    keep_attributes(operation, *main);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const Value& result = *operation.results[i];
    check_result(operation, c.shapes[i], result, *results[i]);
    const bool stores = as_real && is_quantized(&result);
    scope.bind(result, stores ? quantize(scope.builder, results[i],
                                         *result.type.quantization)
                              : results[i]);
  }
}

/// A parameter with the shape of the operand, if there is one. A size that the
/// operand says is a constant of the function.
void Importer::bind_argument(const Function& function, size_t i,
                             const Values& operands, Scope& scope) {
  const Value& argument = *function.body.arguments[i];
  const Instruction* operand = i < operands.size() ? operands[i] : nullptr;
  const bool follows =
      operand != nullptr && fits(argument.type, operand->shape);
  const Shape shape =
      follows ? operand->shape : parameter_shape(argument, function.location);
  Instruction* parameter = scope.builder.parameter(shape, argument.name);
  if (i < function.argument_attributes.size()) {
    keep_attributes(function.argument_attributes[i], *parameter);
  }
  const auto sizes = operand == nullptr ? std::nullopt : known_sizes(*operand);
  scope.bind(argument, sizes ? scope.builder.constant(*sizes) : parameter);
}

Computation* Importer::import_function(const Function& function,
                                       const Values& operands) {
  const auto body = [&](Scope& scope) {
    for (size_t i = 0; i < function.body.arguments.size(); ++i) {
      bind_argument(function, i, operands, scope);
    }
    Instruction* root = scope.builder.join(block(function.body, scope));
    keep_results(function.result_attributes, *root);
    return root;
  };
  return computation(function.name, function.location, nullptr, body);
}

Module Importer::import(const ParameterSizes& sizes) {
  const Function& entry = entry_function(program_);
  Computation given;
  module_.name = hlo_name(program_.name.empty() ? "main" : program_.name);
  for (const Function* function : called_functions(program_, entry)) {
    // The others are imported where they are called.
    if (function != &entry && is_open(*function)) continue;
    const bool has_sizes = function == &entry && sizes;
    functions_[function->name] = import_function(
        *function, has_sizes ? arguments_of(entry, sizes, given) : Values{});
  }
  module_.entry = functions_.at(entry.name);
  drop_unused_elements(module_);
  if (!grids_.empty() && std::ranges::all_of(grids_, [&](const Grid& grid) {
        return grid.replicas == grids_[0].replicas &&
               grid.partitions == grids_[0].partitions;
      })) {
    module_.replica_count = grids_[0].replicas;
    module_.num_partitions = grids_[0].partitions;
  }
  keep_attributes(program_, entry, module_);
  return std::move(module_);
}

}  // namespace hlo::stablehlo
