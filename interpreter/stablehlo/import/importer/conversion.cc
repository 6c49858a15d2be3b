#include "interpreter/stablehlo/import/importer/conversion.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/shortened.h"
#include "interpreter/stablehlo/dialect_words.h"
#include "interpreter/stablehlo/import/importer/closed_value.h"

namespace hlo::stablehlo {
namespace {

std::optional<int64_t> number_of(const Attribute& attribute) {
  if (const auto* value = std::get_if<int64_t>(&attribute.value)) return *value;
  if (const auto* value = std::get_if<bool>(&attribute.value)) {
    return *value ? 1 : 0;
  }
  return std::nullopt;
}

/// The word of the list that the attribute's are of.
std::string word_of(const Conversion& c, std::string_view name,
                    const Attribute& attribute) {
  const std::string_view kind = word_kind(name);
  const auto* word = std::get_if<EnumWord>(&attribute.value);
  if (word == nullptr || word->kind != kind) {
    c.fail("stablehlo.needs",
           fmt::format("{} is of another kind, but must be #stablehlo<{} WORD>",
                       name, kind));
  }
  return word->word;
}

void check_count(const Conversion& c, std::string_view label,
                 std::string_view noun, size_t count, const CountRange& range) {
  const bool is_few = count < range.least;
  const char* how = range.least == range.most ? ""
                    : is_few                  ? "at least "
                                              : "at most ";
  c.require(
      !is_few && count <= range.most, label,
      {"it has ", Count{static_cast<int64_t>(count), noun}},
      fmt::format("it must have {}{}", how, is_few ? range.least : range.most));
}

}  // namespace

std::optional<Ints> integers(const Attribute& attribute) {
  Ints values;
  if (const auto* literal = std::get_if<Literal>(&attribute.value)) {
    const ElementType type = literal->type();
    if (!is_integer(type) && type != ElementType::kPred) return std::nullopt;
    for (int64_t i = 0; i < literal->element_count(); ++i) {
      values.push_back(literal->integer(i));
    }
    return values;
  }
  const auto* list = std::get_if<std::vector<Attribute>>(&attribute.value);
  if (list == nullptr) return std::nullopt;
  for (const Attribute& item : *list) {
    const std::optional<int64_t> value = number_of(item);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

const Attribute* find(const Dictionary& dictionary, std::string_view name) {
  const auto found =
      std::ranges::find(dictionary, name, &NamedAttribute::first);
  return found == dictionary.end() ? nullptr : &found->second;
}

void Conversion::fail(std::string_view label, std::string_view message) const {
  throw Error(Phase::kVerify, label, op.name + ": " + std::string(message),
              op.location);
}

Instruction* Conversion::operand(size_t i) const {
  require(i < operands.size(), "stablehlo.operand-count",
          {"there are ", Count{std::ssize(operands), "operand"}},
          "the operation must have more");
  return operands[i];
}

Shape Conversion::shape() const {
  require(!shapes.empty(), "stablehlo.result-count",
          {"the operation has no result"}, "it must have one");
  return shapes.size() == 1 ? shapes[0] : Shape::tuple(shapes);
}

Shape Conversion::array_shape() const {
  Shape found = shape();
  require(found.is_array(), "stablehlo.result-type", {"it gives ", found},
          "the result must be one array");
  return found;
}

Values Conversion::make(std::string_view opcode, Values values,
                        Attributes attributes) const {
  return build().split(
      build().add(opcode, shape(), std::move(values), std::move(attributes)),
      shapes.size());
}

void Conversion::need(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    require(find(name) != nullptr, "stablehlo.needs", {name, " is missing"},
            "the operation must have it");
  }
}

Ints Conversion::ints(std::string_view name) const {
  const Attribute* attribute = find(name);
  const auto values =
      attribute == nullptr ? std::nullopt : integers(*attribute);
  require(values.has_value(), "stablehlo.needs",
          {name, " is missing or of another kind"},
          "it must be a list of integers");
  return *values;
}

Ints Conversion::ints(std::string_view name, Ints otherwise) const {
  return find(name) == nullptr ? std::move(otherwise) : ints(name);
}

int64_t Conversion::integer(std::string_view name) const {
  const Attribute* attribute = find(name);
  const auto value =
      attribute == nullptr ? std::nullopt : number_of(*attribute);
  require(value.has_value(), "stablehlo.needs",
          {name, " is missing or of another kind"}, "it must be an integer");
  return *value;
}

int64_t Conversion::integer(std::string_view name, int64_t otherwise) const {
  return find(name) == nullptr ? otherwise : integer(name);
}

bool Conversion::flag(std::string_view name, bool otherwise) const {
  const Attribute* attribute = find(name);
  if (attribute == nullptr) return otherwise;
  if (std::holds_alternative<std::monostate>(attribute->value)) return true;
  const auto* value = std::get_if<bool>(&attribute->value);
  const bool is_i1 = attribute->type.kind == Type::Kind::kElement &&
                     attribute->type.shape.element_type == ElementType::kPred;
  require(value != nullptr || is_i1, "stablehlo.needs",
          {name, " is of another kind"}, "it must be true or false");
  return value != nullptr ? *value : integer(name) != 0;
}

std::string Conversion::word(std::string_view name,
                             std::string_view otherwise) const {
  const Attribute* attribute = find(name);
  if (attribute == nullptr) return std::string(otherwise);
  if (std::holds_alternative<EnumWord>(attribute->value)) {
    return word_of(*this, name, *attribute);
  }
  const auto* text = std::get_if<std::string>(&attribute->value);
  require(text != nullptr, "stablehlo.needs", {name, " is of another kind"},
          "it must be a word");
  return *text;
}

std::string Conversion::choice(
    std::string_view name,
    std::initializer_list<std::string_view> words) const {
  need({name});
  std::string found = word(name, "");
  require(std::ranges::find(words, found) != words.end(), "stablehlo.needs",
          {name, " is ", shortened(found)},
          fmt::format("it must be {}", fmt::join(words, " or ")));
  return found;
}

std::vector<std::string> Conversion::words(std::string_view name) const {
  std::vector<std::string> result;
  const std::vector<Attribute>* items = list(name);
  if (items == nullptr) return result;
  for (const Attribute& item : *items) {
    result.push_back(word_of(*this, name, item));
  }
  return result;
}

const std::vector<Attribute>* Conversion::list(std::string_view name) const {
  const Attribute* attribute = find(name);
  if (attribute == nullptr) return nullptr;
  const auto* items = std::get_if<std::vector<Attribute>>(&attribute->value);
  require(items != nullptr, "stablehlo.needs", {name, " is of another kind"},
          "it must be a list");
  return items;
}

std::string Conversion::text(std::string_view name,
                             std::string_view otherwise) const {
  const Attribute* attribute = find(name);
  if (attribute == nullptr) return std::string(otherwise);
  if (const auto* symbol = std::get_if<Symbol>(&attribute->value)) {
    return symbol->name;
  }
  const auto* text = std::get_if<std::string>(&attribute->value);
  require(text != nullptr, "stablehlo.needs", {name, " is of another kind"},
          "it must be a string");
  return *text;
}

const Dictionary& Conversion::fields(std::string_view name,
                                     std::string_view kind) const {
  const Attribute* attribute = find(name);
  const auto* structure = attribute == nullptr
                              ? nullptr
                              : std::get_if<Structure>(&attribute->value);
  const bool is_such = structure != nullptr &&
                       structure->name.ends_with(fmt::format(".{}", kind));
  if (!is_such) {
    fail("stablehlo.needs",
         fmt::format("{} is missing or another attribute, but must be "
                     "#stablehlo.{}<...>",
                     name, kind));
  }
  return structure->fields;
}

Ints Conversion::field(const Dictionary& fields, std::string_view name) const {
  const Attribute* attribute = stablehlo::find(fields, name);
  if (attribute == nullptr) return {};
  const auto values = integers(*attribute);
  require(values.has_value(), "stablehlo.needs", {name, " is of another kind"},
          "it must be a list of integers");
  return *values;
}

int64_t Conversion::field(const Dictionary& fields, std::string_view name,
                          int64_t otherwise) const {
  const Attribute* attribute = stablehlo::find(fields, name);
  if (attribute == nullptr) return otherwise;
  const auto value = number_of(*attribute);
  require(value.has_value(), "stablehlo.needs", {name, " is of another kind"},
          "it must be an integer");
  return *value;
}

IntPairs Conversion::pairs(std::string_view name) const {
  IntPairs result;
  if (find(name) == nullptr) return result;
  Ints flat;
  const auto* list = std::get_if<std::vector<Attribute>>(&find(name)->value);
  if (list != nullptr && !list->empty() && integers((*list)[0])) {
    for (const Attribute& item : *list) {
      const auto pair = integers(item);
      require(pair.has_value(), "stablehlo.needs",
              {"an item of ", name, " is of another kind"},
              "it must be a pair of integers");
      flat.insert(flat.end(), pair->begin(), pair->end());
    }
  } else {
    flat = ints(name);
    const auto* literal = std::get_if<Literal>(&find(name)->value);
    const bool has_pairs =
        literal == nullptr || flat.empty() ||
        (literal->shape().rank() == 2 && literal->shape().dims[1] == 2);
    require(has_pairs, "stablehlo.needs",
            {name, " is ", literal == nullptr ? Shape() : literal->shape()},
            "it must have two numbers in each row");
  }
  require(flat.size() % 2 == 0, "stablehlo.needs",
          {name, " has ", Count{std::ssize(flat), "number"}},
          "it must be a list of pairs");
  for (size_t i = 0; i < flat.size(); i += 2) {
    result.emplace_back(flat[i], flat[i + 1]);
  }
  return result;
}

std::optional<Ints> Conversion::known_ints(size_t index) const {
  const std::optional<Literal> value = closed_value(*operand(index));
  if (!value || !is_integer(value->type())) return std::nullopt;
  Ints known;
  for (int64_t k = 0; k < value->element_count(); ++k) {
    known.push_back(value->integer(k));
  }
  return known;
}

Ints Conversion::constant_ints(size_t index) const {
  std::optional<Ints> known = known_ints(index);
  require(known.has_value(), "stablehlo.dynamic",
          {"operand ", index, " is not constant"},
          "dynamic shapes cannot be imported here");
  return *std::move(known);
}

Shape Conversion::sized(const Ints& sizes) const {
  require(std::ranges::none_of(sizes, [](int64_t size) { return size < 0; }),
          "stablehlo.dynamic", {"the sizes are ", sizes},
          "dynamic shapes cannot be imported here, and none may be negative");
  const Shape declared = shape();
  const bool has_rank = op.results[0]->type.kind == Type::Kind::kTensor;
  require(
      !has_rank || std::ranges::equal(declared.dims, sizes,
                                      [](int64_t said, int64_t size) {
                                        return said == kUnbounded ||
                                               said == size;
                                      }),
      "stablehlo.result-type",
      {"the sizes are ", sizes, " and the type that is declared is ", declared},
      "they must be equal");
  return Shape::array(declared.element_type, sizes);
}

Shape Conversion::sized_by(size_t operand) const {
  const std::optional<Ints> sizes = known_ints(operand);
  if (sizes) return sized(*sizes);
  const Shape declared = shape();
  return is_static(declared) ? declared : sized(constant_ints(operand));
}

Values convert(const ConverterRow& row, const Conversion& conversion) {
  check_count(conversion, "stablehlo.operand-count", "operand",
              conversion.operands.size(), row.operands);
  check_count(conversion, "stablehlo.regions", "region",
              conversion.op.regions.size(), row.regions);
  return row.convert(conversion);
}

const Block& Conversion::region(size_t i) const {
  require(i < op.regions.size(), "stablehlo.regions",
          {"the operation has ", Count{std::ssize(op.regions), "region"}},
          "it must have more");
  return *op.regions[i];
}

}  // namespace hlo::stablehlo
