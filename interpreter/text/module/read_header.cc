#include "interpreter/text/module/read_header.h"

#include <algorithm>
#include <array>

#include "interpreter/rules/op.h"
#include "interpreter/shortened.h"
#include "interpreter/text/grammar/attribute_specs.h"
#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/grammar/read_shape.h"
#include "interpreter/text/grammar/read_value.h"
#include "interpreter/text/grammar/read_verbatim.h"

namespace hlo::text {
namespace {

using enum AttributeKind;

/// In the order of the printer.
constexpr AttributeSpec kHeaderAttributes[] = {
    {"is_scheduled", kBool},
    {"input_output_alias", kAliasing},
    {"buffer_donor", kBraces},
    {"alias_passthrough_params", kBool},
    {"entry_computation_layout", kBraces},
    {"allow_spmd_sharding_propagation_to_parameters", kWords, false,
     "true false"},
    {"allow_spmd_sharding_propagation_to_output", kWords, false, "true false"},
    {"replica_count", kInt},
    {"num_partitions", kInt},
    {"frontend_attributes", kDictionary},
    {"origin_recovery_table", kBraces},
    {"debug_attributes", kBraces},
};

EntryLayout read_entry_layout(Scanner& in) {
  EntryLayout layout;
  in.expect('{', "before the layout of the entry");
  read_list(in, '(', ')', [&] { layout.parameters.push_back(read_shape(in)); });
  in.expect("->", "before the shape of the result");
  layout.result = read_shape(in);
  in.expect('}', "behind the layout of the entry");
  return layout;
}

int64_t read_count(Scanner& in) {
  const size_t start = in.position();
  const int64_t count = in.natural("a count");
  constexpr int64_t kMaxCount = int64_t{1} << 20;
  if (count < 1 || count > kMaxCount) {
    in.fail_at(
        start, "text.range",
        "the count is " + std::to_string(count) + ", but it must be 1 to 2^20");
  }
  return count;
}

AttributeValue read_header_value(Scanner& in, const AttributeSpec& spec) {
  if (spec.name == "buffer_donor") return Verbatim{read_buffer_donor(in)};
  if (spec.kind == kWords && in.peek() != '{') {
    return Words{{in.boolean() ? "true" : "false"}};
  }
  return read_value(in, spec);
}

void read_header_attribute(Scanner& in, const AttributeSpec& spec,
                           Module& module) {
  if (spec.name == "entry_computation_layout") {
    module.entry_layout = read_entry_layout(in);
  } else if (spec.name == "replica_count") {
    module.replica_count = read_count(in);
  } else if (spec.name == "num_partitions") {
    module.num_partitions = read_count(in);
  } else {
    module.header.push_back(
        {std::string(spec.name), read_header_value(in, spec)});
  }
}

std::string read_frame_fields(Scanner& in) {
  std::string text = "{";
  in.expect('{', "before the fields of an entry");
  while (!in.eat('}')) {
    if (text.size() > 1) text += ' ';
    text += in.word("a field");
    in.expect('=', "behind the field's name");
    text += "=" + std::to_string(in.integer("a number"));
  }
  return text + "}";
}

}  // namespace

void read_header_attributes(Scanner& in, Module& module) {
  std::array<bool, std::size(kHeaderAttributes)> seen{};
  while (in.eat(',')) {
    const size_t start = in.position();
    const std::string_view name = in.word("an attribute of the module");
    const AttributeSpec* const spec = find_spec(kHeaderAttributes, name);
    if (spec == nullptr) {
      in.fail_at(start, "text.attribute-unknown",
                 "a module has no attribute '" + shortened(name) + "'");
    }
    bool& is_seen = seen.at(static_cast<size_t>(spec - kHeaderAttributes));
    if (is_seen) {
      in.fail_at(start, "text.attribute-duplicate",
                 "the attribute '" + shortened(name) + "' stands there twice");
    }
    is_seen = true;
    in.expect('=', "behind the name of an attribute");
    read_header_attribute(in, *spec, module);
  }
  std::ranges::stable_sort(module.header, {}, [](const auto& attribute) {
    return find_spec(kHeaderAttributes, attribute.name);
  });
}

std::string read_stack_frames(Scanner& in) {
  constexpr std::string_view kSections[] = {"FileNames", "FunctionNames",
                                            "FileLocations", "StackFrames"};
  std::string text;
  for (const std::string_view section : kSections) {
    if (!in.eat_word(section)) continue;
    if (!text.empty()) text += '\n';
    text.append(section).append("\n");
    while (is_digit(in.peek())) {
      text += std::to_string(in.natural("the number of an entry")) + " ";
      text += in.peek() == '{' ? read_frame_fields(in)
                               : std::string(in.raw_string());
      text += '\n';
    }
  }
  return text;
}

}  // namespace hlo::text
