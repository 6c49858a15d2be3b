#include <algorithm>

#include "interpreter/shortened.h"
#include "interpreter/stablehlo/dialect_words.h"
#include "interpreter/stablehlo/read/attributes/attribute_reader.h"
#include "interpreter/stablehlo/read/attributes/dimension_numbers.h"

namespace hlo::stablehlo {
namespace {

Attribute integer_attribute(int64_t value, Location location) {
  Attribute result;
  result.value = value;
  result.location = location;
  return result;
}

}  // namespace

/// (2)4: how many parts of an axis come before this one, and its size.
Attribute AttributeReader::part_of_axis() {
  Attribute result;
  result.location = in_.location();
  in_.expect('(', "before the size in front of a part");
  const int64_t before = in_.integer("a size");
  in_.expect(')', "behind the size in front of a part");
  const int64_t size = in_.integer("the size of a part");
  result.value =
      std::vector<Attribute>{integer_attribute(before, result.location),
                             integer_attribute(size, result.location)};
  return result;
}

Structure AttributeReader::structure(std::string name) {
  Structure result;
  result.name = std::move(name);
  const std::string_view kind =
      std::string_view(result.name).substr(result.name.find('.') + 1);
  in_.expect('<', "before the fields");
  const size_t start = in_.position();
  in_.eat_word("raw");
  read_items(in_, '>', [&] {
    const size_t position = in_.position();
    std::string field(in_.word("the name of a field"));
    if (!may_have_field(kind, field)) {
      in_.fail_at(
          position, "stablehlo.attribute",
          "#" + result.name + " has no field '" + shortened(field) + "'");
    }
    in_.expect('=', "behind the name of a field");
    Attribute value = field == "sub_axis_info" ? part_of_axis() : attribute();
    result.fields.emplace_back(std::move(field), std::move(value));
  });
  check_once(result.fields, start);
  return result;
}

/// #alias, #stablehlo<kind WORD>, #stablehlo.kind<WORD>,
/// #stablehlo.name<fields>, and those of other dialects, which are kept.
void AttributeReader::dialect_attribute(Attribute& attribute) {
  const size_t start = in_.position();
  const std::string name(in_.suffix("a name behind '#'"));
  const size_t dot = name.find('.');
  if (dot == std::string::npos && in_.peek() != '<') {
    in_.seek(start);
    const Location location = in_.location();
    attribute = resolve('#');
    attribute.location = location;
    return;
  }
  const std::string dialect = name.substr(0, dot);
  const bool is_read =
      dialect == "stablehlo" || dialect == "chlo" || dialect == "mhlo";
  const size_t body = in_.position();
  if (is_read && dot == std::string::npos) {
    in_.eat('<');
    const std::string kind(in_.word("the kind of an attribute"));
    if (!in_.peek_word().empty()) {
      EnumWord word{kind, std::string(in_.word("a word"))};
      in_.expect('>', "behind an attribute");
      attribute.value = std::move(word);
      return;
    }
    if (in_.peek() == '<') {
      in_.seek(in_.position());
      dialect_body(dialect, kind, attribute);
      in_.expect('>', "behind an attribute");
      return;
    }
  } else if (is_read && in_.peek() == '<') {
    return dialect_body(dialect, name.substr(dot + 1), attribute);
  }
  in_.seek(body);
  attribute.value = rest_of(start, /*with_brackets=*/true);
}

void AttributeReader::dialect_body(std::string dialect, std::string name,
                                   Attribute& attribute) {
  const size_t start = in_.position();
  in_.expect('<', "behind the name of an attribute");
  if (name == "conv" && in_.peek() == '[') {
    attribute.value = read_dimension_numbers(in_);
    in_.expect('>', "behind dimension numbers");
    return;
  }
  const std::string word(in_.peek_word());
  if (!word.empty()) in_.word("a word");
  if (!word.empty() && in_.eat('>')) {
    attribute.value = EnumWord{std::move(name), word};
    return;
  }
  const bool has_fields = in_.peek() == '=' || in_.peek() == '>' ||
                          (word == "raw" && is_letter(in_.peek()));
  in_.seek(start);
  if (has_fields) {
    attribute.value = structure(std::move(dialect) + "." + name);
  } else {
    const std::string_view text = in_.balanced();
    attribute.value = Opaque{"#" + dialect + "." + name + std::string(text)};
  }
}

}  // namespace hlo::stablehlo
