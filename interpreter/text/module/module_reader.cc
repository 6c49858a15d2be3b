#include "interpreter/text/module/module_reader.h"

#include <algorithm>
#include <unordered_set>

#include "interpreter/shortened.h"
#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/grammar/read_shape.h"
#include "interpreter/text/module/read_header.h"

namespace hlo::text {

Module ModuleReader::read() {
  if (in_.eat_word("HloModule")) {
    read_module_name();
    read_computations();
  } else if (at_computation()) {
    read_computations();
  } else {
    read_single_instruction();
  }
  choose_entry();
  order_computations();
  name_computations();
  return std::move(module_);
}

void ModuleReader::read_module_name() {
  module_.name = std::string(in_.name("the name of the module"));
  in_.eat(':');
  read_header_attributes(in_, module_);
  module_.stack_frames = read_stack_frames(in_);
}

/// Without a header: `name {` or `name (`, perhaps behind ENTRY, as opposed to
/// the `=` of an instruction.
bool ModuleReader::at_computation() const {
  if (in_.peek_word() == "ENTRY") return true;
  Scanner ahead = in_;
  ahead.eat('%');
  if (ahead.peek_word().empty()) return false;
  ahead.word("a name");
  return ahead.peek() == '{' || ahead.peek() == '(';
}

void ModuleReader::read_computations() {
  do {
    read_computation();
  } while (!in_.at_end());
}

void ModuleReader::read_computation() {
  const size_t start = in_.position();
  const bool is_entry = in_.eat_word("ENTRY");
  if (is_entry && module_.entry != nullptr) {
    in_.fail_at(start, "text.entry",
                "this is a second ENTRY, but a module can have only one");
  }
  const size_t name_start = in_.position();
  const std::string_view name = in_.name("the name of a computation");
  auto computation = declared(name);
  computation->location = in_.location(start);
  if (in_.peek() == '(') read_signature(*computation);
  Computation* const done = read_body(std::move(computation), start);
  if (in_.eat(',')) {
    if (!in_.eat_word("execution_thread")) {
      in_.expected("'execution_thread'");
    }
    in_.expect('=', "behind 'execution_thread'");
    done->execution_thread = in_.string();
  }
  define(done, name, name_start);
  if (is_entry) module_.entry = done;
}

void ModuleReader::read_signature(Computation& computation) {
  read_list(in_, '(', ')', [&] {
    in_.name("the name of a parameter");
    in_.eat(':');
    read_shape(in_);
  });
  in_.expect("->", "before the shape of the result");
  computation.declared_result = read_shape(in_);
}

void ModuleReader::add(std::unique_ptr<Computation> computation) {
  for (auto& wrapped : scope_.wrapped) {
    module_.computations.push_back(std::move(wrapped));
  }
  module_.computations.push_back(std::move(computation));
}

/// Instructions between braces; the computation joins the module.
Computation* ModuleReader::read_body(std::unique_ptr<Computation> computation,
                                     size_t start) {
  const Nesting nesting(in_);
  Scope outer = std::exchange(scope_, {});
  scope_.computation = computation.get();
  in_.expect('{', "before the instructions of a computation");
  while (in_.peek() != '}') {
    if (in_.at_end()) in_.expected("an instruction or '}'");
    read_instruction();
  }
  in_.expect('}', "behind the instructions");
  finish(*computation, start);
  add(std::move(computation));
  scope_ = std::move(outer);
  return module_.computations.back().get();
}

void ModuleReader::define(Computation* computation, std::string_view name,
                          size_t start) {
  if (!computations_.emplace(name, computation).second) {
    in_.fail_at(start, "text.duplicate",
                "there is a computation '" + shortened(name) + "' already");
  }
}

/// One instruction, with others as operands in it.
void ModuleReader::read_single_instruction() {
  auto computation = std::make_unique<Computation>();
  single_ = computation.get();
  computation->name = "main";
  computation->location = in_.location();
  scope_.computation = computation.get();
  read_instruction();
  if (!in_.at_end()) {
    in_.fail_at(in_.position(), "text.single",
                "this stands behind the only instruction of a text without "
                "HloModule and computations, but nothing can");
  }
  finish(*computation, 0);
  define(computation.get(), "main", 0);
  module_.entry = computation.get();
  add(std::move(computation));
}

void ModuleReader::name_computations() {
  if (unnamed_.empty()) return;
  std::unordered_set<std::string> used;
  for (const auto& [name, computation] : computations_) used.emplace(name);
  for (const auto& [computation, wish] : unnamed_) {
    computation->name = wish;
    for (int n = 1; !used.insert(computation->name).second; ++n) {
      computation->name = wish + "." + std::to_string(n);
    }
  }
}

void ModuleReader::choose_entry() {
  if (module_.entry == nullptr) {
    module_.entry = module_.computations.back().get();
  }
  if (module_.name.empty()) module_.name = module_.entry->name;
}

}  // namespace hlo::text
