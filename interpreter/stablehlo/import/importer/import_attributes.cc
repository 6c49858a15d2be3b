#include "interpreter/stablehlo/import/importer/import_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "interpreter/rules/op.h"
#include "interpreter/stablehlo/import/importer/conversion.h"
#include "interpreter/stablehlo/import/importer/instruction_builder.h"
#include "interpreter/stablehlo/mlir_words.h"
#include "interpreter/text/grammar/attribute_specs.h"
#include "interpreter/text/grammar/read_sharding.h"
#include "interpreter/text/grammar/read_verbatim.h"
#include "interpreter/text/scan/hlo_lexicon.h"
#include "interpreter/text/scan/quote.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::stablehlo {
namespace {

std::string joined(const std::vector<std::string>& items) {
  return fmt::format("{}", fmt::join(items, ", "));
}

/// A float by its bits, which MLIR reads as well.
std::string number_text(const Literal& literal, int64_t i) {
  const Scalar number = literal.at(i);
  const auto part = [&](size_t k) {
    return fmt::format("{:#x}", number.bits[k]);
  };
  switch (type_class(literal.type())) {
    case TypeClass::kPred:
      return number.bits[0] != 0 ? "true" : "false";
    case TypeClass::kSigned:
      return std::to_string(literal.integer(i));
    case TypeClass::kUnsigned:
      return std::to_string(number.bits[0]);
    case TypeClass::kComplex:
      return "(" + part(0) + ", " + part(1) + ")";
    default:
      return part(0);
  }
}

/// The elements from `next` on, in brackets from dimension d on.
std::string elements_text(const Literal& literal, size_t d, int64_t& next) {
  const auto& dims = literal.shape().dims;
  if (d == dims.size()) return number_text(literal, next++);
  std::vector<std::string> items;
  for (int64_t i = 0; i < dims[d]; ++i) {
    items.push_back(elements_text(literal, d + 1, next));
  }
  return "[" + joined(items) + "]";
}

/// By its bytes: it may be a hundred million elements that a text writes in one
/// word.
bool is_splat(const Literal& literal) {
  const auto bytes = literal.bytes();
  if (bytes.empty()) return false;
  const auto width = static_cast<size_t>(storage_bytes(literal.type()));
  return std::memcmp(bytes.data(), bytes.data() + width,
                     bytes.size() - width) == 0;
}

std::string dense_text(const Literal& literal) {
  std::string type;
  for (const int64_t size : literal.shape().dims) {
    type += std::to_string(size) + "x";
  }
  int64_t next = 0;
  const std::string elements = literal.element_count() == 0 ? ""
                               : is_splat(literal)
                                   ? number_text(literal, 0)
                                   : elements_text(literal, 0, next);
  return "dense<" + elements + "> : tensor<" + type +
         element_word(literal.type()) + ">";
}

/// array<i64: 1, 2>, which a literal of one dimension mostly was.
std::string array_text(const Literal& literal) {
  std::vector<std::string> items;
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    items.push_back(number_text(literal, i));
  }
  return "array<" + element_word(literal.type()) +
         (items.empty() ? "" : ": " + joined(items)) + ">";
}

/// As an element of a list or a dictionary: a string has its quotes, and a
/// number the type that the text gives.
std::string element_text(const Attribute& attribute) {
  if (const auto* text = std::get_if<std::string>(&attribute.value)) {
    return string_text(*text);
  }
  const auto* literal = std::get_if<Literal>(&attribute.value);
  if (literal != nullptr && literal->shape().rank() == 1) {
    return array_text(*literal);
  }
  const bool is_typed = attribute.type.kind == Type::Kind::kElement;
  return printed(attribute) +
         (is_typed ? " : " + element_word(attribute.type.shape.element_type)
                   : "");
}

std::string fields_text(const Dictionary& fields) {
  std::vector<std::string> items;
  for (const auto& [name, value] : fields) {
    items.push_back(std::holds_alternative<std::monostate>(value.value)
                        ? name
                        : name + " = " + element_text(value));
  }
  return joined(items);
}

// The text of each kind of attribute.
std::string text_of(std::monostate) { return "true"; }

std::string text_of(bool flag) { return flag ? "true" : "false"; }

std::string text_of(int64_t integer) { return std::to_string(integer); }

std::string text_of(const FloatNumber& real) { return real.decimal; }

std::string text_of(const std::string& text) { return text; }

std::string text_of(const Symbol& symbol) { return "@" + symbol.name; }

std::string text_of(const EnumWord& word) { return word.word; }

std::string text_of(const Opaque& opaque) { return opaque.text; }

std::string text_of(const Dictionary& fields) {
  return "{" + fields_text(fields) + "}";
}

std::string text_of(const Structure& structure) {
  return "#" + structure.name + "<" + fields_text(structure.fields) + ">";
}

std::string text_of(const Type& type) {
  return type.text.empty() ? to_string(type.shape, false) : type.text;
}

std::string text_of(const std::vector<Attribute>& list) {
  std::vector<std::string> items(list.size());
  std::ranges::transform(list, items.begin(), element_text);
  return "[" + joined(items) + "]";
}

std::string text_of(const Literal& literal) { return dense_text(literal); }

/// A name and a text that frontend_attributes keep.
using Kept = std::vector<std::pair<std::string, std::string>>;

/// The dictionary's new text, with `more` behind what it has.
std::string extended(std::string text, const Kept& more) {
  text.pop_back();
  for (const auto& [name, value] : more) {
    if (text.size() > 1) text += ',';
    text += hlo_name(name) + "=" + text::quote(value);
  }
  return text + "}";
}

void keep(Instruction& instruction, const Kept& kept) {
  if (kept.empty()) return;
  auto found = std::ranges::find(instruction.attributes, "frontend_attributes",
                                 &Attributes::value_type::first);
  if (found == instruction.attributes.end()) {
    instruction.attributes.emplace_back("frontend_attributes", Verbatim{"{}"});
    found = std::prev(instruction.attributes.end());
  }
  auto& text = std::get<Verbatim>(found->second).text;
  text = extended(std::move(text), kept);
  text::sort_attributes(*instruction.op, instruction.attributes);
}

/// The sharding in HLO's spelling; nothing where it is in no such spelling.
std::optional<std::string> sharding_text(const Attribute& attribute) {
  const auto* text = std::get_if<std::string>(&attribute.value);
  if (text == nullptr) return std::nullopt;
  try {
    text::Scanner in(*text, text::kHloLexicon);
    std::string sharding = text::read_sharding(in);
    if (in.at_end()) return sharding;
  } catch (const Error&) {
    return std::nullopt;  // kept as a frontend attribute
  }
  return std::nullopt;
}

/// Takes the attribute where HLO has it; false where it has not.
bool take_common(const std::string& name, const Attribute& value,
                 Instruction& instruction, Kept& kept) {
  if (name == "mhlo.sharding") {
    const auto text = sharding_text(value);
    if (!text || instruction.find("sharding") != nullptr) return false;
    instruction.attributes.emplace_back("sharding", Verbatim{*text});
    text::sort_attributes(*instruction.op, instruction.attributes);
    return true;
  }
  const auto* dictionary = std::get_if<Dictionary>(&value.value);
  if (name != "mhlo.frontend_attributes" || dictionary == nullptr) return false;
  for (const auto& [key, item] : *dictionary) {
    kept.emplace_back(key, printed(item));
  }
  return true;
}

/// Whether the instruction has it as its backend_config.
bool is_configuration(const std::string& name, const Attribute& value,
                      const Instruction& instruction) {
  const auto* config = instruction.find("backend_config");
  const auto* text =
      config == nullptr ? nullptr : std::get_if<std::string>(config);
  return name == "mhlo.backend_config" && text != nullptr &&
         *text == printed(value);
}

std::string accuracy_number(const Dictionary& fields, std::string_view name) {
  const Attribute* field = find(fields, name);
  return field == nullptr ? "0" : printed(*field);
}

/// result_accuracy={mode=highest} and the like.
void keep_accuracy(const Attribute& attribute, Instruction& instruction) {
  const auto* structure = std::get_if<Structure>(&attribute.value);
  if (structure == nullptr) {
    throw Error(Phase::kVerify, "stablehlo.needs",
                "result_accuracy is no structure, but must be "
                "#stablehlo.result_accuracy<...>",
                attribute.location);
  }
  if (!instruction.op->takes("result_accuracy")) return;
  const Attribute* mode = find(structure->fields, "mode");
  const auto* word =
      mode == nullptr ? nullptr : std::get_if<EnumWord>(&mode->value);
  if (word == nullptr || word->kind != "result_accuracy_mode" ||
      (word->word != "DEFAULT" && word->word != "HIGHEST" &&
       word->word != "TOLERANCE")) {
    throw Error(Phase::kVerify, "stablehlo.needs",
                "the mode of result_accuracy is missing or no such word, but "
                "must be DEFAULT, HIGHEST or TOLERANCE",
                attribute.location);
  }
  std::string text;
  if (word->word == "HIGHEST") {
    text = "{mode=highest}";
  } else if (word->word == "TOLERANCE") {
    text = fmt::format("{{tolerance={{atol={},rtol={},ulps={}}}}}",
                       accuracy_number(structure->fields, "atol"),
                       accuracy_number(structure->fields, "rtol"),
                       accuracy_number(structure->fields, "ulps"));
  }
  if (text.empty()) return;
  try {
    text::Scanner in(text, text::kHloLexicon);
    text = text::read_result_accuracy(in);
  } catch (const Error& error) {
    throw Error(Phase::kVerify, "stablehlo.needs", error.message(),
                attribute.location);
  }
  instruction.attributes.emplace_back("result_accuracy", Verbatim{text});
  text::sort_attributes(*instruction.op, instruction.attributes);
}

bool is_foreign(std::string_view name) {
  return name.find('.') != std::string_view::npos;
}

/// Which argument each result shares memory with, in HLO's spelling.
std::string aliases(const Function& entry) {
  std::vector<std::string> items;
  for (size_t i = 0; i < entry.argument_attributes.size(); ++i) {
    const Attribute* alias =
        find(entry.argument_attributes[i], "tf.aliasing_output");
    const auto* output =
        alias == nullptr ? nullptr : std::get_if<int64_t>(&alias->value);
    if (output == nullptr) continue;
    const bool is_only = entry.result_types.size() == 1 && *output == 0;
    items.push_back(fmt::format("{{{}}}: ({}, {{}}, may-alias)",
                                is_only ? "" : std::to_string(*output), i));
  }
  return "{" + joined(items) + "}";
}

std::string donors(const Function& entry) {
  std::vector<std::string> items;
  for (size_t i = 0; i < entry.argument_attributes.size(); ++i) {
    if (find(entry.argument_attributes[i], "jax.buffer_donor") == nullptr) {
      continue;
    }
    items.push_back(fmt::format("({}, {{}})", i));
  }
  return "{" + joined(items) + "}";
}

int64_t device_count(const Attribute& attribute) {
  constexpr int64_t kMost = int64_t{1} << 20;
  const auto* value = std::get_if<int64_t>(&attribute.value);
  if (value != nullptr && *value >= 1 && *value <= kMost) return *value;
  throw Error(
      Phase::kVerify, "text.range",
      (value == nullptr ? "the count of devices is no integer"
                        : "the count of devices is " + std::to_string(*value)) +
          ", but it must be 1 to 2^20",
      attribute.location);
}

}  // namespace

std::string printed(const Attribute& attribute) {
  return std::visit([](const auto& value) { return text_of(value); },
                    attribute.value);
}

void keep_attributes(const Dictionary& attributes, Instruction& instruction) {
  Kept kept;
  for (const auto& [name, value] : attributes) {
    if (!is_foreign(name) || name == "mhlo.attributes" ||
        name == "mhlo.version" || name == "tf.aliasing_output" ||
        name == "jax.buffer_donor") {
      continue;
    }
    if (take_common(name, value, instruction, kept)) continue;
    if (is_configuration(name, value, instruction)) continue;
    kept.emplace_back(name, printed(value));
  }
  keep(instruction, kept);
}

void keep_attributes(const Operation& operation, Instruction& instruction) {
  keep_attributes(operation.attributes, instruction);
  const Attribute* accuracy = operation.find("result_accuracy");
  if (accuracy != nullptr) keep_accuracy(*accuracy, instruction);
}

void keep_results(const std::vector<Dictionary>& attributes,
                  Instruction& root) {
  Kept kept;
  for (size_t i = 0; i < attributes.size(); ++i) {
    for (const auto& [name, value] : attributes[i]) {
      kept.emplace_back(fmt::format("result{}.{}", i, name), printed(value));
    }
  }
  keep(root, kept);
}

void keep_attributes(const Program& program, const Function& entry,
                     Module& module) {
  Kept kept;
  for (const auto& [name, value] : program.attributes) {
    if (name == "mhlo.num_partitions") {
      module.num_partitions = device_count(value);
    } else if (name == "mhlo.num_replicas") {
      module.replica_count = device_count(value);
    } else {
      kept.emplace_back(name, printed(value));
    }
  }
  if (const std::string text = aliases(entry); text != "{}") {
    text::Scanner in(text, text::kHloLexicon);
    module.header.push_back(
        {"input_output_alias", Verbatim{text::read_aliasing(in)}});
  }
  if (const std::string text = donors(entry); text != "{}") {
    text::Scanner in(text, text::kHloLexicon);
    module.header.push_back(
        {"buffer_donor", Verbatim{text::read_buffer_donor(in)}});
  }
  if (kept.empty()) return;
  module.header.push_back(
      {"frontend_attributes", Verbatim{extended("{}", kept)}});
}

}  // namespace hlo::stablehlo
