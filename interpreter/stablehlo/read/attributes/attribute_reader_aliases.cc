#include <algorithm>

#include "interpreter/shortened.h"
#include "interpreter/stablehlo/read/attributes/attribute_reader.h"

namespace hlo::stablehlo {

void AttributeReader::count_one() { ++weight_; }

void AttributeReader::find_aliases() {
  aliases_.clear();
  const size_t start = in_.position();
  while (!in_.at_end()) {
    if (in_.peek() == '#' || in_.peek() == '!') find_alias();
    if (in_.rest().starts_with("{-#")) file_metadata();
    const size_t line_end = in_.rest().find('\n');
    in_.advance(std::min(line_end, in_.rest().size()));
  }
  in_.seek(start);
}

void AttributeReader::find_alias() {
  const size_t position = in_.position();
  if (!is_letter(in_.peek(1))) return;
  const char sigil = in_.peek();
  const std::string name = sigil + std::string(in_.suffix("an alias"));
  if (!in_.eat('=')) return;
  Alias alias;
  alias.position = in_.position();
  if (!aliases_.try_emplace(name, std::move(alias)).second) {
    in_.fail_at(position, "stablehlo.alias", name + " is defined twice");
  }
}

void AttributeReader::file_metadata() {
  in_.expect("{-#", "before a section of resources");
  while (!in_.eat("#-}")) {
    if (in_.at_end()) {
      in_.fail("stablehlo.syntax", "the section is not closed with #-}");
    }
    metadata_entry("");
    in_.eat(',');
  }
}

/// name: {...} or name: "0x..."; `section` is what it stands in.
void AttributeReader::metadata_entry(const std::string& section) {
  const Nesting nesting(in_);
  std::string name = in_.peek() == '"'
                         ? in_.string()
                         : std::string(in_.word("the name of an entry"));
  in_.expect(':', "behind the name of an entry");
  if (in_.eat('{')) {
    return read_items(in_, '}', [&] { metadata_entry(section + name + "."); });
  }
  const size_t position = in_.position();
  if (in_.peek() != '"') {
    attribute();
  } else if (in_.raw_string(); section == "dialect_resources.builtin.") {
    resources_[std::move(name)] = position;
  }
}

/// <name> behind dense_resource.
DenseBody AttributeReader::resource_body(DenseBody body) {
  in_.expect('<', "behind 'dense_resource'");
  const size_t place = in_.position();
  const std::string name =
      in_.peek() == '"' ? in_.string()
                        : std::string(in_.word("the name of a resource"));
  in_.expect('>', "behind the name of a resource");
  const auto found = resources_.find(name);
  if (found == resources_.end()) {
    in_.fail_at(place, "stablehlo.resource",
                "the program has no resource " + name +
                    " in {-# dialect_resources #-}; print it without elision");
  }
  const size_t next = in_.position();
  body.start = found->second;
  body.is_resource = true;
  in_.seek(body.start);
  in_.raw_string();
  body.end = in_.position();
  in_.seek(next);
  return body;
}

AttributeReader::Alias& AttributeReader::read_alias(std::string_view name,
                                                    size_t place) {
  const auto found = aliases_.find(name);
  if (found == aliases_.end()) {
    in_.fail_at(place, "stablehlo.alias", shortened(name) + " is not defined");
  }
  Alias& alias = found->second;
  if (alias.is_open) {
    in_.fail_at(place, "stablehlo.alias",
                shortened(name) + " is defined by itself");
  }
  if (alias.value) return alias;
  const size_t back = in_.position();
  const int64_t before = weight_;
  alias.is_open = true;
  in_.seek(alias.position);
  if (name[0] == '!') {
    Attribute value;
    value.value = type();
    alias.value = std::move(value);
  } else {
    alias.value = attribute();
  }
  alias.is_open = false;
  alias.end = in_.position();
  alias.weight = weight_ - before;
  in_.seek(back);
  return alias;
}

void AttributeReader::alias_definition() {
  const size_t start = in_.position();
  const char sigil = in_.peek();
  const std::string name = sigil + std::string(in_.suffix("an alias"));
  in_.expect('=', "behind the name of an alias");
  const size_t position = in_.position();
  const Alias& alias = read_alias(name, start);
  if (alias.position != position) {
    in_.fail_at(
        start, "stablehlo.alias",
        "an alias stands inside a line, but must be defined at its beginning");
  }
  in_.seek(alias.end);
}

Attribute AttributeReader::resolve(char sigil) {
  const size_t start = in_.position();
  const std::string name = sigil + std::string(in_.suffix("an alias"));
  const Alias& alias = read_alias(name, start);
  // Aliases of aliases could double what they stand for again and again.
  in_.spend(alias.weight * static_cast<int64_t>(sizeof(Attribute)));
  weight_ += alias.weight;
  return *alias.value;
}

}  // namespace hlo::stablehlo
