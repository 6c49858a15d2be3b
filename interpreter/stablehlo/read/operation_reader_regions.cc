#include <algorithm>
#include <array>

#include "interpreter/shortened.h"
#include "interpreter/stablehlo/read/attributes/tensor_type.h"
#include "interpreter/stablehlo/read/operation_reader.h"

// The pretty forms with regions: reduce, while and chlo.scan.

namespace hlo::stablehlo {
namespace {

/// The scalar tensor with the elements of `type`.
Type scalar_of(const Type& type) {
  Type scalar = tensor_type(type.shape.element_type, {});
  scalar.quantization = type.quantization;
  return scalar;
}

/// How many values each group has, as MLIR keeps it.
Attribute segments(const std::array<int32_t, 2>& sizes, Location location) {
  Attribute result;
  result.location = location;
  result.type = tensor_type(ElementType::kS32, {2});
  Literal literal = Literal::uninitialized(result.type.shape);
  std::ranges::copy(sizes, literal.mutable_data<int32_t>().begin());
  result.value = std::move(literal);
  return result;
}

}  // namespace

/// reduce(%a init: %i), ... applies op across dimensions = [0] : types, or
/// with a reducer behind the types.
void OperationReader::reduce(Operation& operation) {
  std::vector<Value*> inits;
  do {
    in_.expect('(', "before an operand and its init value");
    operation.operands.push_back(use());
    if (!in_.eat_word("init")) in_.expected("'init:' and the init value");
    in_.expect(':', "behind 'init'");
    inits.push_back(use());
    in_.expect(')', "behind the init value");
  } while (in_.eat(','));
  const size_t inputs = inits.size();
  std::ranges::copy(inits, std::back_inserter(operation.operands));
  std::string_view name;
  const size_t position = in_.position();
  if (in_.eat_word("applies")) name = in_.word("the name of an operation");
  if (!in_.eat_word("across") || !in_.eat_word("dimensions")) {
    in_.expected("'across dimensions ='");
  }
  in_.expect('=', "behind 'dimensions'");
  add(operation, "dimensions", attributes_.integers());
  optional_dictionary(operation);
  in_.expect(':', "before the types of an operation");
  function_types(operation);
  if (name.empty()) return reducer(operation, inputs);
  const Form* form = find_form(name);
  if (inputs != 1 || form == nullptr || form->operands != 2 ||
      form->types != Types::kSame) {
    in_.fail_at(position, "stablehlo.operation",
                "'" + shortened(name) +
                    "' reduces one operand, but an operation of two values "
                    "must");
  }
  applied(operation, name);
}

/// The region that `applies` stands for.
void OperationReader::applied(Operation& operation, std::string_view name) {
  auto block = std::make_unique<Block>();
  block->parent = &operation;
  const Type type = scalar_of(operation.operands[0]->type);
  const auto append = [&](std::string_view of, std::vector<Value*> operands) {
    auto step = std::make_unique<Operation>();
    step->name = of;
    step->operands = std::move(operands);
    step->block = block.get();
    step->location = operation.location;
    block->operations.push_back(std::move(step));
    return block->operations.back().get();
  };
  Value* const lhs = add_argument(*block, "", type, 0);
  Value* const rhs = add_argument(*block, "", type, 0);
  Operation* const step = append(name, {lhs, rhs});
  set_results(*step, {type});
  append("stablehlo.return", {step->results[0].get()});
  operation.regions.push_back(std::move(block));
}

/// reducer(%a: t, %b: t) (%c: t, %d: t) { ... }: one pair for each input.
void OperationReader::reducer(Operation& operation, size_t inputs) {
  const Nesting nesting(in_);
  if (!in_.eat_word("reducer")) in_.expected("'reducer' and a region");
  auto block = std::make_unique<Block>();
  block->parent = &operation;
  const size_t known = this->known();
  const size_t position = in_.position();
  while (in_.eat('(')) {
    read_items(in_, ')', [&] { argument(*block); });
    if (block->arguments.size() % 2 != 0) break;
  }
  if (block->arguments.size() != 2 * inputs) {
    in_.fail_at(position, "stablehlo.region",
                "the reducer has other arguments: it must have a pair for each "
                "operand");
  }
  // The block has all left arguments before the right ones.
  std::vector<std::unique_ptr<Value>> right;
  std::vector<std::unique_ptr<Value>> ordered;
  for (size_t i = 0; i < inputs; ++i) {
    ordered.push_back(std::move(block->arguments[2 * i]));
    right.push_back(std::move(block->arguments[2 * i + 1]));
  }
  std::ranges::move(right, std::back_inserter(ordered));
  block->arguments = std::move(ordered);
  for (size_t i = 0; i < block->arguments.size(); ++i) {
    block->arguments[i]->index = static_cast<int64_t>(i);
  }
  in_.expect('{', "before the reducer");
  body(*block);
  forget(known);
  operation.regions.push_back(std::move(block));
}

/// while(%a = %x, ...) : types attributes {} cond { } do { }: the names are
/// the arguments of both regions.
void OperationReader::loop(Operation& operation) {
  const Nesting nesting(in_);
  std::vector<std::pair<std::string_view, size_t>> names;
  in_.expect('(', "before the values of the loop");
  read_items(in_, ')', [&] {
    const size_t position = in_.position();
    if (in_.peek() != '%') in_.expected("the name of a value of the loop");
    names.emplace_back(in_.suffix("a name behind '%'"), position);
    in_.expect('=', "before the first value");
    operation.operands.push_back(use());
  });
  if (!names.empty()) types(operation, *find_form(operation.name));
  if (in_.eat_word("attributes")) optional_dictionary(operation);
  for (const std::string_view keyword : {"cond", "do"}) {
    if (!in_.eat_word(keyword)) {
      in_.expected("'" + std::string(keyword) + "' and a region");
    }
    auto block = std::make_unique<Block>();
    block->parent = &operation;
    const size_t known = this->known();
    for (size_t i = 0; i < names.size(); ++i) {
      add_argument(*block, names[i].first, operation.operands[i]->type,
                   names[i].second);
    }
    in_.expect('{', "before a region");
    body(*block);
    forget(known);
    operation.regions.push_back(std::move(block));
  }
}

/// chlo.scan(%a, ...) inits(%i, ...) dimension=0 attributes {} { } : types
void OperationReader::scan(Operation& operation) {
  uses(operation);
  const auto inputs = static_cast<int32_t>(operation.operands.size());
  if (!in_.eat_word("inits")) in_.expected("'inits' and the init values");
  uses(operation);
  const auto inits = static_cast<int32_t>(operation.operands.size()) - inputs;
  if (!in_.eat_word("dimension")) in_.expected("'dimension ='");
  in_.expect('=', "behind 'dimension'");
  Attribute dimension;
  dimension.location = in_.location();
  dimension.value = in_.integer("a dimension");
  dimension.type = tensor_type(ElementType::kS64, {});
  dimension.type.kind = Type::Kind::kElement;
  add(operation, "dimension", std::move(dimension));
  if (in_.eat_word("attributes")) optional_dictionary(operation);
  region(operation);
  in_.expect(':', "before the types of an operation");
  function_types(operation);
  // The results are the outputs and then a last state for each init value.
  const auto results = static_cast<int32_t>(operation.results.size());
  const Location place = operation.location;
  add(operation, "operandSegmentSizes", segments({inputs, inits}, place));
  add(operation, "resultSegmentSizes",
      segments({results - inits, inits}, place));
}

/// sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>]
///     out_shardings=[...] manual_axes={"x"} (%b: type) { } : types
void OperationReader::manual_computation(Operation& operation) {
  const Nesting nesting(in_);
  uses(operation);
  for (const std::string_view name :
       {"in_shardings", "out_shardings", "manual_axes"}) {
    if (!in_.eat_word(name)) in_.expected("'" + shortened(name) + " ='");
    in_.expect('=', "behind the name of an attribute");
    Attribute attribute;
    attribute.location = in_.location();
    attribute.value = Opaque{std::string(in_.balanced())};
    add(operation, name, std::move(attribute));
  }
  auto block = std::make_unique<Block>();
  block->parent = &operation;
  const size_t known = this->known();
  in_.expect('(', "before the arguments of the region");
  read_items(in_, ')', [&] { argument(*block); });
  in_.expect('{', "before a region");
  body(*block);
  forget(known);
  operation.regions.push_back(std::move(block));
  optional_dictionary(operation);
  in_.expect(':', "before the types of an operation");
  function_types(operation);
}

}  // namespace hlo::stablehlo
