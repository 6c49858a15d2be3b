#include "interpreter/stablehlo/import/importer/called_functions.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace hlo::stablehlo {
namespace {

/// A function that is named somewhere, and where.
struct Reference {
  std::string name;
  Location location;
};

void collect(const Attribute& attribute, Location location,
             std::vector<Reference>& found) {
  if (const auto* symbol = std::get_if<Symbol>(&attribute.value)) {
    found.push_back({symbol->name, location});
  }
  const auto* list = std::get_if<std::vector<Attribute>>(&attribute.value);
  if (list == nullptr) return;
  for (const Attribute& item : *list) collect(item, location, found);
}

/// Whether an attribute is one of the operation's own that names functions;
/// those of dialects, with a point in their names, say nothing of it.
bool names_functions(const std::string& name) {
  return name != "call_target_name" && name.find('.') == std::string::npos;
}

void collect(const Block& block, std::vector<Reference>& found) {
  for (const auto& operation : block.operations) {
    for (const auto& [name, attribute] : operation->attributes) {
      if (!names_functions(name)) continue;
      collect(attribute, operation->location, found);
    }
    for (const auto& region : operation->regions) collect(*region, found);
  }
}

std::vector<Reference> references(const Function& function) {
  std::vector<Reference> found;
  collect(function.body, found);
  return found;
}

/// A function on the way down from the entry, and which of its references is
/// followed next.
struct Visit {
  const Function* function;
  std::vector<Reference> references;
  size_t next = 0;
};

enum class State : uint8_t { kOpen, kDone };

const Function& callee(const Program& program, const Reference& reference) {
  const Function* function = program.find(reference.name);
  if (function != nullptr && !function->is_declaration) return *function;
  throw Error(Phase::kVerify, "stablehlo.callee",
              "there is no function @" + reference.name + " with a body",
              reference.location);
}

bool is_open(const Type& type) {
  return type.kind == Type::Kind::kUnranked ||
         std::ranges::count(type.shape.dims, kUnbounded) > 0 ||
         std::ranges::any_of(type.members,
                             [](const Type& part) { return is_open(part); });
}

bool is_open(const Block& block) {
  const auto open = [](const auto& value) { return is_open(value->type); };
  return std::ranges::any_of(block.arguments, open) ||
         std::ranges::any_of(block.operations, [&](const auto& operation) {
           return std::ranges::any_of(operation->results, open) ||
                  std::ranges::any_of(
                      operation->regions,
                      [](const auto& region) { return is_open(*region); });
         });
}

}  // namespace

bool is_open(const Function& function) { return is_open(function.body); }

std::vector<const Function*> called_functions(const Program& program,
                                              const Function& entry) {
  std::vector<const Function*> order;
  std::unordered_map<const Function*, State> states;
  std::vector<Visit> stack;
  const auto enter = [&](const Function& function) {
    states[&function] = State::kOpen;
    stack.push_back({&function, references(function)});
  };
  enter(entry);
  while (!stack.empty()) {
    Visit& visit = stack.back();
    if (visit.next == visit.references.size()) {
      states[visit.function] = State::kDone;
      order.push_back(visit.function);
      stack.pop_back();
      continue;
    }
    const Reference& reference = visit.references[visit.next++];
    const Function& function = callee(program, reference);
    const auto state = states.find(&function);
    if (state == states.end()) {
      enter(function);
    } else if (state->second == State::kOpen) {
      throw Error(Phase::kVerify, "stablehlo.recursion",
                  "@" + function.name + " calls itself, perhaps by others",
                  reference.location);
    }
  }
  return order;
}

const Function& entry_function(const Program& program) {
  const Function* main = program.find("main");
  if (main != nullptr && !main->is_declaration) return *main;
  std::unordered_set<std::string> called;
  for (const auto& function : program.functions) {
    for (const Reference& reference : references(*function)) {
      called.insert(reference.name);
    }
  }
  const auto found =
      std::ranges::find_if(program.functions, [&](const auto& function) {
        return !function->is_declaration && !called.contains(function->name);
      });
  if (found != program.functions.end()) return **found;
  throw Error(
      Phase::kVerify, "stablehlo.entry",
      "each function is called by another, but one must be called by none",
      program.location);
}

}  // namespace hlo::stablehlo
