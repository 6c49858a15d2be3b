#include "interpreter/stablehlo/read/operation_reader.h"

#include <algorithm>

#include "interpreter/counted.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/read/attributes/tensor_type.h"

namespace hlo::stablehlo {
namespace {

constexpr int64_t kMaxResults = 100'000;

}  // namespace

void OperationReader::define(std::string_view name, const NamedValues& values,
                             size_t position) {
  if (names_.insert(name, values)) return;
  in_.fail_at(position, "stablehlo.name",
              "%" + shortened(name) + " is defined already");
}

std::vector<OperationReader::ResultName> OperationReader::result_names() {
  std::vector<ResultName> names;
  if (in_.peek() != '%') return names;
  do {
    ResultName name;
    name.position = in_.position();
    if (in_.peek() != '%') in_.expected("the name of a result");
    name.name = in_.suffix("a name behind '%'");
    if (in_.eat(':')) name.count = in_.integer("the number of results");
    if (name.count < 1 || name.count > kMaxResults) {
      in_.fail_at(name.position, "stablehlo.results",
                  "the number of results is out of range: a name must stand "
                  "for 1 to 100000");
    }
    names.push_back(name);
  } while (in_.eat(','));
  in_.expect('=', "behind the names of the results");
  return names;
}

void OperationReader::define_results(Operation& operation,
                                     const std::vector<ResultName>& names,
                                     size_t position) {
  if (names.empty()) return;
  size_t count = 0;
  for (const ResultName& name : names) count += static_cast<size_t>(name.count);
  if (count != operation.results.size()) {
    in_.fail_at(position, "stablehlo.results",
                operation.name + " has " +
                    counted(std::ssize(operation.results), "result") +
                    ", its names stand for " + std::to_string(count));
  }
  size_t next = 0;
  for (const ResultName& name : names) {
    const NamedValues values{operation.results[next].get(), &operation, next,
                             static_cast<size_t>(name.count)};
    for (int64_t i = 0; i < name.count; ++i) {
      Value& value = *operation.results[next++];
      value.name = name.name;
      if (name.count > 1) value.name += "#" + std::to_string(i);
    }
    define(name.name, values, name.position);
  }
}

Value* OperationReader::use() {
  const size_t position = in_.position();
  if (in_.peek() != '%') in_.expected("a value");
  const std::string_view name = in_.suffix("a name behind '%'");
  const NamedValues* known = names_.find(name);
  if (known == nullptr) {
    in_.fail_at(position, "stablehlo.name",
                "%" + shortened(name) + " is not defined here");
  }
  const int64_t index =
      in_.eat('#') ? in_.integer("the number of a result") : 0;
  if (index < 0 || index >= static_cast<int64_t>(known->count)) {
    in_.fail_at(position, "stablehlo.name",
                "%" + shortened(name) + " stands for " +
                    counted(static_cast<int64_t>(known->count), "value"));
  }
  if (index == 0) return known->first;
  return known->operation->results[known->index + static_cast<size_t>(index)]
      .get();
}

void OperationReader::uses(Operation& operation) {
  in_.expect('(', "before the operands");
  read_items(in_, ')', [&] { operation.operands.push_back(use()); });
}

Value* OperationReader::add_argument(Block& block, std::string_view name,
                                     Type type, size_t position) {
  auto value = std::make_unique<Value>();
  value->name = name;
  value->type = std::move(type);
  value->block = &block;
  value->index = static_cast<int64_t>(block.arguments.size());
  block.arguments.push_back(std::move(value));
  if (!name.empty()) {
    define(name, {.first = block.arguments.back().get()}, position);
  }
  return block.arguments.back().get();
}

Dictionary OperationReader::argument(Block& block) {
  const size_t position = in_.position();
  std::string_view name;
  if (in_.peek() == '%') {
    name = in_.suffix("a name behind '%'");
    in_.expect(':', "behind the name of an argument");
  }
  add_argument(block, name, attributes_.type(), position);
  Dictionary dictionary;
  if (in_.peek() == '{') dictionary = attributes_.dictionary();
  attributes_.skip_location();
  return dictionary;
}

void OperationReader::set_results(Operation& operation,
                                  const std::vector<Type>& types) {
  for (const Type& type : types) {
    auto value = std::make_unique<Value>();
    value->type = type;
    value->definition = &operation;
    value->block = operation.block;
    value->index = static_cast<int64_t>(operation.results.size());
    operation.results.push_back(std::move(value));
  }
}

void OperationReader::add(Operation& operation, std::string_view name,
                          Attribute value) {
  if (operation.find(name) != nullptr) {
    in_.fail("stablehlo.attribute",
             "the attribute '" + shortened(name) + "' is given twice");
  }
  operation.attributes.emplace_back(name, std::move(value));
}

void OperationReader::optional_dictionary(Operation& operation) {
  if (in_.peek() != '{') return;
  attributes_.merge(operation.attributes, attributes_.dictionary());
}

void OperationReader::operation(Block& block) {
  const std::vector<ResultName> names = result_names();
  const size_t position = in_.position();
  auto operation = std::make_unique<Operation>();
  operation->block = &block;
  operation->location = in_.location();
  if (in_.peek() == '"') {
    generic(*operation);
  } else {
    pretty(*operation);
  }
  attributes_.skip_location();
  define_results(*operation, names, position);
  block.operations.push_back(std::move(operation));
}

void OperationReader::generic(Operation& operation) {
  operation.name = in_.string();
  generic_rest(operation);
}

void OperationReader::generic_rest(Operation& operation) {
  uses(operation);
  if (in_.peek() == '[') {
    in_.fail("stablehlo.region", "there are no blocks to branch to");
  }
  if (in_.eat('<')) {
    optional_dictionary(operation);
    in_.expect('>', "behind the properties");
  }
  if (in_.peek() == '(') regions(operation);
  optional_dictionary(operation);
  in_.expect(':', "before the types of an operation");
  function_types(operation);
}

void OperationReader::regions(Operation& operation) {
  in_.expect('(', "before the regions");
  read_items(in_, ')', [&] { region(operation); });
}

void OperationReader::region(Operation& operation) {
  const Nesting nesting(in_);
  auto block = std::make_unique<Block>();
  block->parent = &operation;
  const size_t known = this->known();
  in_.expect('{', "before a region");
  if (in_.peek() == '^') {
    in_.suffix("a name behind '^'");
    if (in_.eat('(')) read_items(in_, ')', [&] { argument(*block); });
    in_.expect(':', "behind the arguments of a block");
  }
  body(*block);
  forget(known);
  operation.regions.push_back(std::move(block));
}

void OperationReader::body(Block& block) {
  while (!in_.eat('}')) {
    if (in_.peek() == '^') {
      in_.fail("stablehlo.region",
               "the region has another block, but must have one");
    }
    if (in_.at_end()) in_.expected("'}' behind a region");
    operation(block);
  }
}

void OperationReader::check_count(const Operation& operation, size_t given,
                                  size_t position) const {
  if (given == operation.operands.size()) return;
  in_.fail_at(position, "stablehlo.types",
              operation.name + " has " +
                  counted(std::ssize(operation.operands), "operand") +
                  ", the types are of " + std::to_string(given));
}

void OperationReader::check_type(const Value& operand, const Type& given,
                                 size_t position) const {
  if (operand.type == given) return;
  in_.fail_at(position, "stablehlo.types",
              "%" + operand.name + " is " + to_string(operand.type) + ", not " +
                  to_string(given));
}

void OperationReader::check_operands(const Operation& operation,
                                     const std::vector<Type>& given,
                                     size_t position) const {
  check_count(operation, given.size(), position);
  for (size_t i = 0; i < given.size(); ++i) {
    check_type(*operation.operands[i], given[i], position);
  }
}

void OperationReader::function_types(Operation& operation) {
  const size_t position = in_.position();
  if (in_.peek() != '(') in_.expected("'(' and the types of the operands");
  in_.eat('(');
  // Most types are those of the operands: only another one is kept.
  size_t count = 0;
  std::optional<std::pair<const Value*, Type>> other;
  read_items(in_, ')', [&] {
    const Type type = attributes_.type();
    if (count < operation.operands.size() && !other &&
        operation.operands[count]->type != type) {
      other.emplace(operation.operands[count], type);
    }
    ++count;
  });
  in_.expect("->", "before the types of the results");
  check_count(operation, count, position);
  if (other) check_type(*other->first, other->second, position);
  set_results(operation, attributes_.result_types());
}

}  // namespace hlo::stablehlo
