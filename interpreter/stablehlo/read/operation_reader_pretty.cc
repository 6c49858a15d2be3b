#include <algorithm>

#include "interpreter/counted.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/dialect_words.h"
#include "interpreter/stablehlo/read/attributes/tensor_type.h"
#include "interpreter/stablehlo/read/operation_reader.h"

namespace hlo::stablehlo {
namespace {

Attribute make_attribute(decltype(Attribute::value) value, Location location) {
  Attribute result;
  result.value = std::move(value);
  result.location = location;
  return result;
}

Attribute make_integer(int64_t value, ElementType type, Location location) {
  Attribute result = make_attribute(value, location);
  result.type = tensor_type(type, {});
  result.type.kind = Type::Kind::kElement;
  return result;
}

Attribute integer_list(const std::vector<int64_t>& values, Location location) {
  Attribute result;
  result.location = location;
  result.type =
      tensor_type(ElementType::kS64, {static_cast<int64_t>(values.size())});
  Literal literal = Literal::uninitialized(result.type.shape);
  std::ranges::copy(values, literal.mutable_data<int64_t>().begin());
  result.value = std::move(literal);
  return result;
}

/// "compare" is "stablehlo.compare" nowhere: only the operations of functions
/// may leave out their dialect.
std::string full_name(std::string_view name) {
  if (name == "return" || name == "call") return "func." + std::string(name);
  return std::string(name);
}

}  // namespace

void OperationReader::pretty(Operation& operation) {
  const size_t position = in_.position();
  operation.name = full_name(in_.word("the name of an operation"));
  const Form* form = find_form(operation.name);
  if (form == nullptr) {
    in_.fail_at(position, "stablehlo.operation",
                "there is no operation '" + operation.name +
                    "' with a form of its own; others are written \"" +
                    operation.name + "\"(...)");
  }
  switch (form->start) {
    case Start::kConstant:
      return constant(operation);
    case Start::kConvolution:
      return convolution(operation);
    case Start::kReduce:
      return reduce(operation);
    case Start::kWhile:
      return loop(operation);
    case Start::kScan:
      return scan(operation);
    case Start::kManual:
      return manual_computation(operation);
    default:
      break;
  }
  pretty_start(operation, *form);
  const bool in_parentheses = in_.eat('(');
  items(operation, *form);
  if (in_parentheses) in_.expect(')', "behind the operands");
  if (form->start == Start::kRanges) slice_ranges(operation);
  if (form->start == Start::kPosition) {
    const Location location = in_.location();
    in_.expect('[', "before the number of an element");
    const int64_t index = in_.integer("the number of an element");
    in_.expect(']', "behind the number of an element");
    add(operation, "index", make_integer(index, ElementType::kS32, location));
  }
  if (form->start == Start::kSharding) {
    const Location location = in_.location();
    add(operation, "sharding",
        make_attribute(Opaque{std::string(in_.balanced())}, location));
  }
  optional_dictionary(operation);
  types(operation, *form);
}

void OperationReader::pretty_start(Operation& operation, const Form& form) {
  const Location location = in_.location();
  if (form.start == Start::kDirection) {
    EnumWord word{"comparison_direction",
                  std::string(in_.word("EQ, NE, GE, GT, LE or LT"))};
    add(operation, word.kind, make_attribute(word, location));
    in_.expect(',', "behind the direction");
  } else if (form.start == Start::kTarget) {
    add(operation, "call_target_name",
        make_attribute(attributes_.symbol(), location));
  } else if (form.start == Start::kCallee) {
    add(operation, "callee",
        make_attribute(Symbol{attributes_.symbol()}, location));
  } else if (form.start == Start::kName) {
    add(operation, "name", make_attribute(in_.string(), location));
  }
}

/// Operands and keywords with commas between them, in any order.
void OperationReader::items(Operation& operation, const Form& form) {
  const size_t position = in_.position();
  Seen seen = {};
  const std::string_view first = form.keywords[0].word;
  if (in_.peek() == '%' || (!first.empty() && in_.peek_word() == first)) {
    do {
      item(operation, form, seen);
    } while (in_.eat(','));
  }
  // Behind the type of a constant to compare with, the next operation begins.
  const bool is_complete = operation.find("value") != nullptr;
  if (in_.peek() == '%' && !is_complete) {
    in_.expected("',' between the operands");
  }
  for (size_t k = 0; k < seen.size(); ++k) {
    const Keyword& keyword = form.keywords[k];
    if (keyword.attribute.empty() || keyword.is_optional || seen[k]) continue;
    in_.expected("'" + std::string(keyword.word) + " ='");
  }
  const auto count = static_cast<int>(operation.operands.size());
  if (form.operands != kAnyCount && form.operands != count) {
    in_.fail_at(position, "stablehlo.operands",
                operation.name + " has " + counted(count, "operand") +
                    ", but must have " + std::to_string(form.operands));
  }
}

void OperationReader::item(Operation& operation, const Form& form, Seen& seen) {
  if (in_.peek() == '%') {
    operation.operands.push_back(use());
  } else if (!dense_ && (in_.peek_word() == "dense" ||
                         in_.peek_word() == "dense_resource")) {
    dense_ = attributes_.dense_body();
    if (in_.eat(':')) elements(operation);
  } else {
    seen[keyword_item(operation, form)] = true;
  }
}

/// The type that stands at this place, of the elements read before.
void OperationReader::elements(Operation& operation) {
  add(operation, "value", attributes_.dense_value(*dense_));
  dense_.reset();
}

size_t OperationReader::keyword_item(Operation& operation, const Form& form) {
  const size_t position = in_.position();
  const Location location = in_.location();
  const std::string_view word = in_.word("an operand or a keyword");
  for (size_t k = 0; k < form.keywords.size(); ++k) {
    const Keyword& keyword = form.keywords[k];
    if (keyword.attribute.empty()) break;
    if (keyword.word.empty()) {
      add(operation, keyword.attribute,
          make_attribute(EnumWord{std::string(word_kind(keyword.attribute)),
                                  std::string(word)},
                         location));
      return k;
    }
    if (keyword.word != word) continue;
    in_.expect('=', "behind a keyword");
    item_value(operation, keyword);
    return k;
  }
  in_.fail_at(position, "stablehlo.syntax",
              operation.name + " has no '" + shortened(word) + "'");
}

void OperationReader::item_value(Operation& operation, const Keyword& keyword) {
  const Location location = in_.location();
  const std::string_view name = keyword.attribute;
  const std::string kind(word_kind(name));
  switch (keyword.item) {
    case Item::kInteger:
      return add(
          operation, name,
          make_integer(in_.integer("an integer"), ElementType::kS64, location));
    case Item::kIntegers:
      return add(operation, name, attributes_.integers());
    case Item::kBoolean: {
      const bool value = in_.eat_word("true");
      if (!value && !in_.eat_word("false")) in_.expected("true or false");
      return add(operation, name, make_attribute(value, location));
    }
    case Item::kString:
      return add(operation, name, make_attribute(in_.string(), location));
    case Item::kFloat:
      return add(operation, name, attributes_.float_number());
    case Item::kWord:
      return add(operation, name,
                 make_attribute(EnumWord{kind, std::string(in_.word("a word"))},
                                location));
    case Item::kWords: {
      std::vector<Attribute> words;
      in_.expect('[', "before a list");
      read_items(in_, ']', [&] {
        const Location place = in_.location();
        words.push_back(make_attribute(
            EnumWord{kind, std::string(in_.word("a word"))}, place));
      });
      return add(operation, name, make_attribute(std::move(words), location));
    }
    case Item::kPairs:
      return dimension_pairs(operation, name);
    case Item::kAlgorithm:
      return add(
          operation, name,
          make_attribute(attributes_.structure("stablehlo.dot_algorithm"),
                         location));
    case Item::kFormat:
      return number_format(operation);
  }
}

/// [0] x [1]: dimensions of the left and of the right operand.
void OperationReader::dimension_pairs(Operation& operation,
                                      std::string_view kind) {
  constexpr std::string_view kName = "dot_dimension_numbers";
  if (operation.find(kName) == nullptr) {
    add(operation, kName,
        make_attribute(Structure{"stablehlo.dot", {}}, in_.location()));
  }
  const auto found =
      std::ranges::find(operation.attributes, kName, &NamedAttribute::first);
  Dictionary& fields = std::get<Structure>(found->second.value).fields;
  const std::string ending = "_" + std::string(kind) + "_dimensions";
  fields.emplace_back("lhs" + ending, attributes_.list());
  in_.expect('x', "between the dimensions of the operands");
  fields.emplace_back("rhs" + ending, attributes_.list());
}

/// e5m10
void OperationReader::number_format(Operation& operation) {
  const size_t position = in_.position();
  const Location location = in_.location();
  const std::string_view word = in_.word("a format such as e5m10");
  const size_t m = std::min(word.find('m'), word.size());
  int64_t exponent_bits = 0;
  int64_t mantissa_bits = 0;
  constexpr size_t kMaxDigits = 9;
  const auto read = [&](char letter, std::string_view text, int64_t& value) {
    const bool is_number = text.starts_with(letter) && text.size() > 1 &&
                           text.size() <= 1 + kMaxDigits &&
                           std::ranges::all_of(text.substr(1), is_digit);
    if (!is_number) return false;
    for (const char c : text.substr(1)) value = 10 * value + (c - '0');
    return true;
  };
  if (!read('e', word.substr(0, m), exponent_bits) ||
      !read('m', word.substr(m), mantissa_bits)) {
    in_.fail_at(position, "stablehlo.syntax",
                "expected a format such as e5m10");
  }
  add(operation, "exponent_bits",
      make_integer(exponent_bits, ElementType::kS32, location));
  add(operation, "mantissa_bits",
      make_integer(mantissa_bits, ElementType::kS32, location));
}

/// [0:4, 0:8:2]
void OperationReader::slice_ranges(Operation& operation) {
  const Location location = in_.location();
  std::array<std::vector<int64_t>, 3> lists;
  in_.expect('[', "before the ranges");
  read_items(in_, ']', [&] {
    lists[0].push_back(in_.integer("the start of a range"));
    in_.expect(':', "between the start and the limit of a range");
    lists[1].push_back(in_.integer("the limit of a range"));
    lists[2].push_back(in_.eat(':') ? in_.integer("a stride") : 1);
  });
  constexpr std::array<std::string_view, 3> kNames = {
      "start_indices", "limit_indices", "strides"};
  for (size_t i = 0; i < kNames.size(); ++i) {
    add(operation, kNames[i], integer_list(lists[i], location));
  }
}

/// The elements of a constant to compare with have said the type.
bool OperationReader::needs_no_types(const Operation& operation,
                                     const Form& form) {
  if (!operation.results.empty() || form.types != Types::kOperands ||
      in_.peek() == ':') {
    return false;
  }
  if (dense_) in_.expected("':' and the type of the elements");
  return operation.operands.empty() || operation.find("value") != nullptr;
}

void OperationReader::types(Operation& operation, const Form& form) {
  if (needs_no_types(operation, form)) return;
  in_.expect(':', "before the types of an operation");
  // check.expect_close has its attributes here.
  if (form.types == Types::kOperands) optional_dictionary(operation);
  const size_t position = in_.position();
  if (dense_) return elements(operation);
  std::vector<Type> given;
  const bool is_list = in_.eat('(');
  if (is_list) {
    read_items(in_, ')', [&] { given.push_back(attributes_.type()); });
  } else {
    do {
      given.push_back(attributes_.type());
    } while (in_.eat(','));
  }
  if (in_.eat("->")) {
    check_operands(operation, given, position);
    std::vector<Type> results = attributes_.result_types();
    while (form.types == Types::kLists && in_.eat(',')) {
      results.push_back(attributes_.type());
    }
    return set_results(operation, results);
  }
  if (is_list) in_.expected("'->' before the types of the results");
  short_types(operation, form, given, position);
}

void OperationReader::short_types(Operation& operation, const Form& form,
                                  const std::vector<Type>& given,
                                  size_t position) {
  const size_t operands = operation.operands.size();
  std::vector<Type> all(operands, given.back());
  std::vector<Type> results = {given.back()};
  size_t expected = 1;
  switch (form.types) {
    case Types::kFunction:
    case Types::kLists:
      in_.expected("'->' and the types of the results");
    case Types::kSame:
      break;
    case Types::kSelect:
      expected = 2;
      all.front() = given.front();
      break;
    case Types::kResult:
      all.clear();
      break;
    case Types::kEach:
      expected = operands;
      all = given;
      results = given;
      break;
    case Types::kOperands:
      if (given.size() > 1) all = given;
      expected = given.size();
      results.clear();
      break;
  }
  if (given.size() != expected) {
    in_.fail_at(position, "stablehlo.types",
                operation.name + " has " + counted(std::ssize(given), "type") +
                    " here, but must have " + std::to_string(expected));
  }
  if (form.types != Types::kResult) check_operands(operation, all, position);
  set_results(operation, results);
}

void OperationReader::constant(Operation& operation) {
  if (in_.peek() == '(') return generic_rest(operation);
  optional_dictionary(operation);
  Attribute value = attributes_.attribute();
  if (value.type.kind == Type::Kind::kNone) {
    in_.expect(':', "before the type of a constant");
    value.type = attributes_.type();
  }
  set_results(operation, {value.type});
  add(operation, "value", std::move(value));
}

}  // namespace hlo::stablehlo
