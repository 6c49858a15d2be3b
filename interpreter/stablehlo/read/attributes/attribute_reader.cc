#include "interpreter/stablehlo/read/attributes/attribute_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/read/attributes/element_reader.h"
#include "interpreter/stablehlo/read/attributes/literal_reader.h"
#include "interpreter/stablehlo/read/attributes/tensor_type.h"

namespace hlo::stablehlo {

void AttributeReader::skip_location() {
  if (in_.peek_word() != "loc") return;
  in_.word("loc");
  if (in_.peek() != '(') in_.expected("'(' behind 'loc'");
  in_.balanced();
}

Opaque AttributeReader::rest_of(size_t start, bool with_brackets) {
  if (with_brackets && in_.peek() == '<') in_.balanced();
  size_t length = in_.position() - start;
  in_.seek(start);
  std::string_view text = in_.rest().substr(0, length);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) {
    text.remove_suffix(1);
  }
  in_.seek(start + length);
  return {std::string(text)};
}

std::string AttributeReader::symbol() {
  std::string name;
  do {
    if (in_.peek() != '@') in_.expected("a name with '@'");
    if (in_.peek(1) == '"') {
      in_.advance_within(1);
      name += in_.string();
    } else {
      name += in_.suffix("a name behind '@'");
    }
  } while (in_.eat("::") && (name += "::", true));
  return name;
}

void AttributeReader::optional_type(Attribute& attribute) {
  colon_ = in_.position();
  if (in_.peek() == ':' && in_.peek(1) != ':' && in_.eat(':')) {
    attribute.type = type();
  }
}

Attribute AttributeReader::attribute() {
  const Nesting nesting(in_);
  count_one();
  Attribute result;
  result.location = in_.location();
  const char c = in_.peek();
  if (c == '"') {
    result.value = in_.string();
    optional_type(result);
  } else if (c == '@') {
    result.value = Symbol{symbol()};
  } else if (c == '[') {
    array(result);
  } else if (c == '{') {
    result.value = dictionary();
  } else if (c == '#') {
    dialect_attribute(result);
  } else if (c == '<') {
    result.value = structure("");
  } else if (is_digit(c) || c == '-') {
    number(result);
  } else if (c == '!' || c == '(') {
    result.value = type();
  } else if (is_letter(c)) {
    named_attribute(result);
  } else {
    in_.expected("an attribute");
  }
  return result;
}

void AttributeReader::array(Attribute& attribute) {
  std::vector<Attribute> items;
  in_.expect('[', "before a list");
  read_items(in_, ']', [&] { items.push_back(this->attribute()); });
  attribute.value = std::move(items);
}

Dictionary AttributeReader::dictionary() {
  Dictionary entries;
  in_.expect('{', "before attributes");
  const size_t start = in_.position();
  read_items(in_, '}', [&] {
    std::string name = in_.peek() == '"'
                           ? in_.string()
                           : std::string(in_.word("the name of an attribute"));
    Attribute value;
    value.location = in_.location();
    if (in_.eat('=')) value = attribute();
    entries.emplace_back(std::move(name), std::move(value));
  });
  check_once(entries, start);
  return entries;
}

void AttributeReader::check_once(const Dictionary& entries,
                                 size_t start) const {
  std::vector<std::string_view> names;
  for (const auto& entry : entries) names.push_back(entry.first);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end()) {
    in_.fail_at(start, "stablehlo.attribute",
                "the attribute '" + shortened(*twice) + "' is given twice");
  }
}

void AttributeReader::merge(Dictionary& into, Dictionary more) const {
  std::vector<std::string_view> names;
  for (const auto& entry : into) names.push_back(entry.first);
  std::ranges::sort(names);
  for (const auto& entry : more) {
    if (!std::ranges::binary_search(names, entry.first)) continue;
    in_.fail("stablehlo.attribute",
             "the attribute '" + entry.first + "' is given twice");
  }
  std::ranges::move(more, std::back_inserter(into));
}

void AttributeReader::named_attribute(Attribute& attribute) {
  const size_t start = in_.position();
  const std::string_view word = in_.peek_word();
  constexpr std::array<std::string_view, 7> kKept = {
      "loc",     "affine_map", "affine_set", "sparse",
      "strided", "opaque",     "distinct"};
  if (word == "true" || word == "false") {
    attribute.value = word == "true";
    in_.advance(word.size());
    optional_type(attribute);
  } else if (word == "dense" || word == "dense_resource") {
    attribute = dense();
  } else if (word == "array") {
    typed_array(attribute);
  } else if (std::ranges::find(kKept, word) != kKept.end()) {
    in_.advance(word.size());
    while (in_.peek() == '(' || in_.peek() == '<' || in_.peek() == '[') {
      in_.balanced();
    }
    attribute.value = rest_of(start, /*with_brackets=*/false);
  } else if (!in_.eat_word("unit")) {
    attribute.value = type();
  }
}

/// array<i64: 1, 2>
void AttributeReader::typed_array(Attribute& attribute) {
  in_.word("array");
  in_.expect('<', "behind 'array'");
  const size_t start = in_.position();
  const auto type = find_element_type(in_.word("the type of the elements"));
  if (!type)
    in_.fail_at(start, "stablehlo.type",
                "array<> is of another type: it must be of numbers");
  if (in_.peek() != '>') in_.expect(':', "behind the type of the elements");
  elements_until('>', *type, attribute);
}

void AttributeReader::elements_until(char close, ElementType type,
                                     Attribute& attribute) {
  std::vector<std::byte> bytes;
  const auto width = static_cast<size_t>(storage_bytes(type));
  read_items(in_, close, [&] {
    bytes.resize(bytes.size() + width);
    read_element(in_, type, bytes.data() + bytes.size() - width);
  });
  attribute.type =
      tensor_type(type, {static_cast<int64_t>(bytes.size() / width)});
  Literal literal = Literal::uninitialized(attribute.type.shape);
  std::ranges::copy(bytes, literal.mutable_bytes().begin());
  attribute.value = std::move(literal);
}

Attribute AttributeReader::dense() {
  const DenseBody body = dense_body();
  in_.expect(':', "before the type of the elements");
  return dense_value(body);
}

DenseBody AttributeReader::dense_body() {
  DenseBody body;
  body.location = in_.location();
  if (in_.eat_word("dense_resource")) return resource_body(body);
  if (!in_.eat_word("dense")) in_.expected("'dense<'");
  in_.expect('<', "behind 'dense'");
  body.start = in_.position();
  if (in_.peek() == '"') in_.raw_string();
  in_.advance(std::min(in_.rest().find('>'), in_.rest().size()));
  body.end = in_.position();
  in_.expect('>', "behind the elements");
  return body;
}

Attribute AttributeReader::dense_value(const DenseBody& body) {
  Attribute result;
  result.location = body.location;
  const size_t type_start = in_.position();
  result.type = type();
  const size_t next = in_.position();
  const bool is_whole =
      result.type.kind == Type::Kind::kTensor &&
      std::ranges::count(result.type.shape.dims, kUnbounded) == 0;
  if (!is_whole) {
    in_.fail_at(type_start, "stablehlo.type",
                "the elements are of another type: it must be a tensor type "
                "without '?'");
  }
  in_.seek(body.start);
  result.value = body.is_resource
                     ? read_resource(in_, result.type.shape)
                     : read_dense(in_, result.type.shape, body.end);
  if (in_.position() != body.end) in_.expected("'>' behind the elements");
  in_.seek(next);
  return result;
}

void AttributeReader::number(Attribute& attribute) {
  const std::string_view rest = in_.rest();
  size_t length = rest.find_first_not_of("-+.0123456789abcdefABCDEFx");
  length = std::min(length, rest.size());
  std::string_view text = rest.substr(0, length);
  const bool is_hexadecimal = text.starts_with("0x");
  if (!is_hexadecimal && text.find('.') != std::string_view::npos) {
    double value = 0;
    read_element(in_, ElementType::kF64, reinterpret_cast<std::byte*>(&value));
    length = static_cast<size_t>(in_.rest().data() - rest.data());
    text = rest.substr(0, length);
    text = text.substr(0, text.find_last_of("0123456789.") + 1);
    attribute.value = FloatNumber{std::string(text), value};
    return optional_type(attribute);
  }
  const size_t start = in_.position();
  int64_t value = 0;
  read_element(in_, is_hexadecimal ? ElementType::kU64 : ElementType::kS64,
               reinterpret_cast<std::byte*>(&value));
  attribute.value = value;
  optional_type(attribute);
  const ElementType type = attribute.type.shape.element_type;
  if (attribute.type.kind == Type::Kind::kElement && is_float(type)) {
    const size_t next = in_.position();
    in_.seek(start);
    uint64_t code = 0;
    read_element(in_, type, reinterpret_cast<std::byte*>(&code));
    in_.seek(next);
    attribute.value = FloatNumber{std::string(text),
                                  numeric::decode(code, numeric::format(type))};
  }
}

Attribute AttributeReader::integers(ElementType type) {
  Attribute result;
  result.location = in_.location();
  in_.expect('[', "before a list");
  elements_until(']', type, result);
  return result;
}

Attribute AttributeReader::float_number() {
  Attribute result;
  result.location = in_.location();
  if (!is_digit(in_.peek()) && in_.peek() != '-') in_.expected("a number");
  number(result);
  const bool has_type = result.type.kind == Type::Kind::kElement;
  if (result.type.kind != Type::Kind::kNone && !has_type) {
    in_.seek(colon_);
    result.type = {};
  }
  return result;
}

Attribute AttributeReader::list() {
  Attribute result;
  result.location = in_.location();
  array(result);
  return result;
}

}  // namespace hlo::stablehlo
