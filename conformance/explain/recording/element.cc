#include "conformance/explain/recording/element.h"

#include <fmt/format.h>

#include <charconv>

#include "interpreter/error.h"

namespace hlo::conformance {
namespace {

[[noreturn]] void fail(std::string_view rule, const std::string& message,
                       Location location = {}) {
  throw Error(Phase::kEvaluate, rule, message, location);
}

[[noreturn]] void fail_to_read(std::string_view text) {
  fail("explain.element",
       fmt::format("an element is written %name[1,2], or %name{{0}}[1,2] for "
                   "an array of a tuple, not \"{}\"",
                   text));
}

/// The integers between the brackets at the end of `rest`, which are taken
/// off; nothing where there are none.
std::optional<Ints> take_list(std::string_view& rest, char open, char close,
                              std::string_view whole) {
  if (rest.empty() || rest.back() != close) return std::nullopt;
  const size_t begin = rest.rfind(open);
  if (begin == std::string_view::npos) fail_to_read(whole);
  std::string_view list = rest.substr(begin + 1, rest.size() - begin - 2);
  rest = rest.substr(0, begin);
  Ints numbers;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    int64_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [next, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || next != end) fail_to_read(whole);
    numbers.push_back(number);
    if (word.size() == list.size()) break;
    list.remove_prefix(word.size() + 1);
    if (list.empty()) fail_to_read(whole);
  }
  return numbers;
}

/// "computation/name" as two names; the first is empty where there is none.
std::pair<std::string_view, std::string_view> qualified(std::string_view name) {
  const size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return {{}, name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

std::vector<const Instruction*> all_named(std::string_view name,
                                          const Module& module) {
  const auto [where, own] = qualified(name);
  std::vector<const Instruction*> found;
  for (const auto& computation : module.computations) {
    if (own != name && computation->name != where) continue;
    for (const auto& instruction : computation->instructions) {
      if (instruction->name == own) found.push_back(instruction.get());
    }
  }
  return found;
}

[[noreturn]] void fail_to_find(std::string_view name) {
  const auto [where, own] = qualified(name);
  fail("explain.name",
       own == name
           ? fmt::format("the program has no instruction %{}", name)
           : fmt::format("there is no instruction %{} in a computation %{}",
                         own, where));
}

/// The only instruction of that name, in the entry computation first;
/// "computation/name" says in which.
const Instruction& find(std::string_view name, const Module& module) {
  const std::vector<const Instruction*> found = all_named(name, module);
  if (found.empty()) fail_to_find(name);
  for (const Instruction* one : found) {
    if (one->parent == module.entry) return *one;
  }
  if (found.size() == 1) return *found[0];
  fail("explain.name",
       fmt::format("there are {} instructions %{}: say which, as in %{}/{}",
                   found.size(), name, found[0]->parent->name, name),
       found[1]->location);
}

/// Where no array of the tuple is named, the first.
Ints first_array(const Shape& shape, Ints tuple_index) {
  const Shape* part = &part_of(shape, tuple_index);
  while (part->is_tuple() && !part->tuple_shapes.empty()) {
    tuple_index.push_back(0);
    part = &part->tuple_shapes.front();
  }
  return tuple_index;
}

void check_tuple_index(const Instruction& instruction, const Ints& list) {
  const Shape* part = &instruction.shape;
  for (const int64_t i : list) {
    if (!part->is_tuple() || i < 0 || i >= std::ssize(part->tuple_shapes)) {
      fail("explain.tuple",
           fmt::format("{} is no part of %{}, whose shape is {}",
                       element_name(instruction, list, {}), instruction.name,
                       to_string(instruction.shape, false)),
           instruction.location);
    }
    part = &part->tuple_shapes[static_cast<size_t>(i)];
  }
}

/// Errors where the part is no array, or has no such element.
void check_index(const Element& element) {
  const Instruction& instruction = *element.instruction;
  const Shape& shape = part_of(instruction.shape, element.tuple_index);
  if (!shape.is_array()) {
    fail("explain.tuple",
         fmt::format("an array has elements, and %{} is {}; a part of it is "
                     "written %{}{{0}}[0]",
                     instruction.name, to_string(instruction.shape, false),
                     instruction.name),
         instruction.location);
  }
  if (!shape.contains(element.index)) {
    fail("explain.index",
         fmt::format("[{}] is no index of {}", fmt::join(element.index, ","),
                     to_string(shape, false)),
         instruction.location);
  }
}

}  // namespace

Element parse_element(std::string_view text, const Module& module) {
  std::string_view rest = text;
  const std::optional<Ints> index = take_list(rest, '[', ']', text);
  const std::optional<Ints> tuple = take_list(rest, '{', '}', text);
  if (rest.starts_with('%')) rest.remove_prefix(1);
  if (rest.find_first_of("[]{} ,") != std::string_view::npos) {
    fail_to_read(text);
  }
  Element element;
  element.instruction = rest.empty() ? module.entry->root : &find(rest, module);
  const Shape& shape = element.instruction->shape;
  check_tuple_index(*element.instruction, tuple.value_or(Ints{}));
  // Whoever gives an index means an array, not a tuple.
  element.tuple_index =
      index && !tuple ? Ints{} : first_array(shape, tuple.value_or(Ints{}));
  const Shape& array = part_of(shape, element.tuple_index);
  element.index = index.value_or(Index(array.dims.size(), 0));
  check_index(element);
  return element;
}

std::string element_name(const Instruction& instruction,
                         const Ints& tuple_index, const Index& index) {
  std::string name = "%" + instruction.name;
  if (!tuple_index.empty()) {
    name += fmt::format("{{{}}}", fmt::join(tuple_index, ","));
  }
  return name + fmt::format("[{}]", fmt::join(index, ","));
}

const Shape& part_of(const Shape& shape, const Ints& tuple_index) {
  const Shape* part = &shape;
  for (const int64_t i : tuple_index) {
    part = &part->tuple_shapes.at(static_cast<size_t>(i));
  }
  return *part;
}

const Literal& part_of(const Literal& literal, const Ints& tuple_index) {
  const Literal* part = &literal;
  for (const int64_t i : tuple_index) {
    part = &part->elements().at(static_cast<size_t>(i));
  }
  return *part;
}

}  // namespace hlo::conformance
