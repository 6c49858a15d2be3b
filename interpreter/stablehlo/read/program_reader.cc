#include "interpreter/stablehlo/read/program_reader.h"

#include <algorithm>

#include "interpreter/shortened.h"
#include "interpreter/stablehlo/read/attributes/tensor_type.h"

namespace hlo::stablehlo {
namespace {

/// Removes the attribute and returns its value, if it is a T.
template <typename T>
std::optional<T> take(Dictionary& attributes, std::string_view name) {
  const auto found =
      std::ranges::find(attributes, name, &NamedAttribute::first);
  if (found == attributes.end()) return std::nullopt;
  T* const value = std::get_if<T>(&found->second.value);
  if (value == nullptr) return std::nullopt;
  T result = std::move(*value);
  attributes.erase(found);
  return result;
}

/// arg_attrs = [{...}, {}], one for each; empty ones where there are none.
std::vector<Dictionary> take_dictionaries(Dictionary& attributes,
                                          std::string_view name, size_t count) {
  std::vector<Dictionary> result(count);
  auto list = take<std::vector<Attribute>>(attributes, name);
  if (!list || list->size() != count) return result;
  for (size_t i = 0; i < count; ++i) {
    if (auto* entries = std::get_if<Dictionary>(&(*list)[i].value)) {
      result[i] = std::move(*entries);
    }
  }
  return result;
}

/// Puts what stands in `from` into the body of a function.
void move_body(Block& from, Block& body) {
  body.arguments = std::move(from.arguments);
  body.operations = std::move(from.operations);
  body.parent = nullptr;
  for (const auto& argument : body.arguments) argument->block = &body;
  for (const auto& operation : body.operations) {
    operation->block = &body;
    for (const auto& result : operation->results) result->block = &body;
  }
}

}  // namespace

Program ProgramReader::read() {
  Program program;
  program.location = in_.location();
  attributes_.find_aliases();
  while (!in_.at_end()) top(program);
  return program;
}

void ProgramReader::top(Program& program) {
  const std::string_view word = in_.peek_word();
  if (word == "module" || word == "builtin.module") return module(program);
  if (in_.peek() == '#' || in_.peek() == '!') {
    return attributes_.alias_definition();
  }
  if (in_.rest().starts_with("{-#")) return attributes_.file_metadata();
  member(program);
}

void ProgramReader::module(Program& program) {
  const size_t position = in_.position();
  if (!program.name.empty() || !program.functions.empty()) {
    in_.fail("stablehlo.module",
             "there is another module, but a program must have one");
  }
  in_.word("module");
  if (in_.peek() == '@') program.name = attributes_.symbol();
  if (in_.eat_word("attributes")) {
    attributes_.merge(program.attributes, attributes_.dictionary());
  }
  if (!in_.eat('{')) in_.expected("'{' before the functions of a module");
  while (!in_.eat('}')) {
    if (in_.at_end()) {
      in_.fail_at(position, "stablehlo.syntax", "the module is not closed");
    }
    member(program);
  }
  attributes_.skip_location();
}

void ProgramReader::member(Program& program) {
  const std::string_view word = in_.peek_word();
  if (in_.peek() == '"') return generic(program);
  if (word == "sdy.mesh") return mesh(program);
  if (word != "func.func") in_.expected("a function");
  function(program);
}

/// sdy.mesh @name = <["x"=2]>
void ProgramReader::mesh(Program& program) {
  in_.word("sdy.mesh");
  const std::string name = "sdy.mesh @" + attributes_.symbol();
  in_.expect('=', "behind the name of a mesh");
  Attribute mesh;
  mesh.location = in_.location();
  mesh.value = Opaque{std::string(in_.balanced())};
  // Says the same once more.
  if (in_.peek() == '{') attributes_.dictionary();
  attributes_.skip_location();
  Dictionary entry;
  entry.emplace_back(name, std::move(mesh));
  attributes_.merge(program.attributes, std::move(entry));
}

void ProgramReader::check_returned(const Function& function) {
  const auto& operations = function.body.operations;
  if (operations.empty() || operations.back()->name != "func.return") return;
  const Operation& end = *operations.back();
  const std::vector<Type>& types = function.result_types;
  const auto fail = [&](const std::string& found) {
    throw Error(Phase::kParse, "stablehlo.types",
                "@" + shortened(function.name) + " " + found, end.location);
  };
  if (end.operands.size() != types.size()) {
    fail(joined({"returns ", Count{std::ssize(end.operands), "value"},
                 ", but must return ", types.size(), ", as it declares"}));
  }
  for (size_t i = 0; i < types.size(); ++i) {
    const Type& returned = end.operands[i]->type;
    if (returned == types[i]) continue;
    fail(joined({"returns ", to_string(returned), " as result ", i,
                 ", but must return ", to_string(types[i]),
                 ", as it declares"}));
  }
}

void ProgramReader::add(Program& program, std::unique_ptr<Function> function,
                        size_t position) {
  if (!functions_.try_emplace(function->name, position).second) {
    in_.fail_at(position, "stablehlo.name",
                "@" + shortened(function->name) + " is defined already");
  }
  check_returned(*function);
  program.add(std::move(function));
}

void ProgramReader::function(Program& program) {
  const size_t position = in_.position();
  auto function = std::make_unique<Function>();
  function->location = in_.location();
  in_.word("func.func");
  function->is_public = !in_.eat_word("private");
  in_.eat_word("public");
  in_.eat_word("nested");
  function->name = attributes_.symbol();
  const size_t known = operations_.known();
  in_.expect('(', "before the arguments of a function");
  read_items(in_, ')', [&] {
    function->argument_attributes.push_back(
        operations_.argument(function->body));
  });
  if (in_.eat("->")) results(*function);
  if (in_.eat_word("attributes")) {
    function->attributes = attributes_.dictionary();
  }
  function->is_declaration = !in_.eat('{');
  if (!function->is_declaration) operations_.body(function->body);
  attributes_.skip_location();
  operations_.forget(known);
  add(program, std::move(function), position);
}

void ProgramReader::results(Function& function) {
  const auto result = [&] {
    function.result_types.push_back(attributes_.type());
    Dictionary dictionary;
    if (in_.peek() == '{') dictionary = attributes_.dictionary();
    function.result_attributes.push_back(std::move(dictionary));
  };
  if (in_.eat('(')) return read_items(in_, ')', result);
  function.result_types.push_back(attributes_.type());
  function.result_attributes.emplace_back();
}

void ProgramReader::generic(Program& program) {
  const size_t position = in_.position();
  Block block;
  operations_.operation(block);
  Operation& operation = *block.operations[0];
  if (operation.name == "builtin.module") {
    if (!program.name.empty() || !program.functions.empty()) {
      in_.fail_at(position, "stablehlo.module",
                  "there is another module, but a program must have one");
    }
    return take_module(program, operation, position);
  }
  if (operation.name == "func.func") {
    return take_function(program, operation, position);
  }
  if (operation.name == "sdy.mesh") return take_mesh(program, operation);
  in_.fail_at(position, "stablehlo.module",
              "'" + operation.name +
                  "' stands in a module, which can have only functions");
}

/// "sdy.mesh"() <{mesh = #sdy.mesh<...>, sym_name = "name"}>
void ProgramReader::take_mesh(Program& program, Operation& operation) {
  auto mesh = take<Opaque>(operation.attributes, "mesh");
  const auto name = take<std::string>(operation.attributes, "sym_name");
  if (!mesh || !name) return;
  mesh->text.erase(0, std::min(mesh->text.find('<'), mesh->text.size()));
  Attribute value;
  value.value = std::move(*mesh);
  value.location = operation.location;
  Dictionary entry;
  entry.emplace_back("sdy.mesh @" + *name, std::move(value));
  attributes_.merge(program.attributes, std::move(entry));
}

void ProgramReader::take_module(Program& program, Operation& operation,
                                size_t position) {
  if (operation.regions.size() != 1) {
    in_.fail_at(position, "stablehlo.module",
                "the module has no region or several, but must have one");
  }
  program.name =
      take<std::string>(operation.attributes, "sym_name").value_or("");
  attributes_.merge(program.attributes, std::move(operation.attributes));
  for (const auto& member : operation.regions[0]->operations) {
    if (member->name == "sdy.mesh") {
      take_mesh(program, *member);
      continue;
    }
    if (member->name != "func.func") {
      throw Error(Phase::kParse, "stablehlo.module",
                  "'" + member->name +
                      "' stands in a module, which can have only functions",
                  member->location);
    }
    take_function(program, *member, position);
  }
}

void ProgramReader::take_function(Program& program, Operation& operation,
                                  size_t position) {
  auto function = std::make_unique<Function>();
  function->location = operation.location;
  Dictionary& attributes = operation.attributes;
  const auto name = take<std::string>(attributes, "sym_name");
  const auto type = take<Type>(attributes, "function_type");
  const bool is_whole = name && type && operation.operands.empty() &&
                        type->kind == Type::Kind::kFunction &&
                        operation.regions.size() <= 1;
  if (!is_whole) {
    throw Error(Phase::kParse, "stablehlo.module",
                "a part of the function is missing: it must have sym_name, "
                "function_type and one region",
                operation.location);
  }
  function->name = *name;
  function->is_public =
      take<std::string>(attributes, "sym_visibility") != "private";
  function->result_types = type->results;
  function->argument_attributes =
      take_dictionaries(attributes, "arg_attrs", type->members.size());
  function->result_attributes =
      take_dictionaries(attributes, "res_attrs", type->results.size());
  function->attributes = std::move(attributes);
  function->is_declaration =
      operation.regions.empty() || operation.regions[0]->operations.empty();
  if (!operation.regions.empty()) {
    move_body(*operation.regions[0], function->body);
  }
  take_arguments(*function, type->members);
  add(program, std::move(function), position);
}

/// The arguments have the types of the function; a declaration has none yet.
void ProgramReader::take_arguments(Function& function,
                                   const std::vector<Type>& types) {
  auto& arguments = function.body.arguments;
  if (function.is_declaration && arguments.empty()) {
    for (const Type& type : types) {
      auto value = std::make_unique<Value>();
      value->type = type;
      value->block = &function.body;
      value->index = static_cast<int64_t>(arguments.size());
      arguments.push_back(std::move(value));
    }
  }
  const bool fits = std::ranges::equal(
      arguments, types, {}, [](const auto& value) { return value->type; });
  if (fits) return;
  throw Error(Phase::kParse, "stablehlo.types",
              "the arguments of @" + function.name +
                  " do not have the types of function_type",
              function.location);
}

}  // namespace hlo::stablehlo
