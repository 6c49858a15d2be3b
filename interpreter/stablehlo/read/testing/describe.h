#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "interpreter/stablehlo/read/attributes/tensor_type.h"
#include "interpreter/stablehlo/syntax.h"

/// For tests: what a program says, in a form that does not depend on how it
/// was written (names of values, order of attributes, places).
namespace hlo::stablehlo::testing {

class Description {
 public:
  std::string program(const Program& program) {
    std::string text =
        "module " + program.name + dictionary(program.attributes);
    for (const auto& function : program.functions) {
      text += "\nfunc " + function->name +
              (function->is_public ? " public" : " private") +
              dictionary(function->attributes) + " ->";
      for (const Type& type : function->result_types) text += " " + of(type);
      for (const auto& entry : function->argument_attributes) {
        text += dictionary(entry);
      }
      for (const auto& entry : function->result_attributes) {
        text += dictionary(entry);
      }
      text += function->is_declaration ? " declared" : block(function->body);
    }
    return text;
  }

 private:
  std::string name(const Value* value) {
    const auto next = numbers_.size();
    return "%" +
           std::to_string(numbers_.try_emplace(value, next).first->second);
  }

  static std::string of(const Type& type) {
    std::string text = to_string(type);
    for (const Type& member : type.members) text += " (" + of(member) + ")";
    for (const Type& result : type.results) text += " -> " + of(result);
    if (!type.quantization) return text;
    for (size_t i = 0; i < type.quantization->scales.size(); ++i) {
      text += " " + std::to_string(type.quantization->scales[i]) + ":" +
              std::to_string(type.quantization->zero_points[i]);
    }
    return text;
  }

  static std::string of(const Literal& literal) {
    std::string text = to_string(literal.shape(), false) + " ";
    for (const std::byte byte : literal.bytes()) {
      text += std::to_string(std::to_integer<int>(byte)) + ",";
    }
    return text;
  }

  static std::string list(const std::vector<Attribute>& items) {
    std::string text = "[";
    for (const Attribute& item : items) text += value(item) + ",";
    return text + "]";
  }

  static std::string value(const Attribute& attribute) {
    const auto& held = attribute.value;
    if (const auto* x = std::get_if<bool>(&held)) return *x ? "true" : "false";
    if (const auto* x = std::get_if<int64_t>(&held)) return std::to_string(*x);
    if (const auto* x = std::get_if<FloatNumber>(&held)) {
      return std::to_string(x->value);
    }
    if (const auto* x = std::get_if<std::string>(&held)) return '"' + *x + '"';
    if (const auto* x = std::get_if<Symbol>(&held)) return "@" + x->name;
    if (const auto* x = std::get_if<Type>(&held)) return of(*x);
    if (const auto* x = std::get_if<std::vector<Attribute>>(&held)) {
      return list(*x);
    }
    if (const auto* x = std::get_if<Dictionary>(&held)) return dictionary(*x);
    if (const auto* x = std::get_if<Literal>(&held)) return of(*x);
    if (const auto* x = std::get_if<EnumWord>(&held)) {
      return x->kind + " " + x->word;
    }
    if (const auto* x = std::get_if<Structure>(&held)) {
      return x->name + dictionary(x->fields);
    }
    if (const auto* x = std::get_if<Opaque>(&held)) return x->text;
    return "unit";
  }

  static std::string dictionary(const Dictionary& entries) {
    std::vector<std::string> lines;
    for (const auto& entry : entries) {
      lines.push_back(entry.first + "=" + value(entry.second) + ";");
    }
    std::ranges::sort(lines);
    std::string text = "{";
    for (const std::string& line : lines) text += line;
    return text + "}";
  }

  std::string block(const Block& block) {
    std::string text = " {";
    for (const auto& argument : block.arguments) {
      text += name(argument.get()) + ": " + of(argument->type) + " ";
    }
    for (const auto& operation : block.operations) {
      text += "\n" + operation->name;
      for (const Value* operand : operation->operands) {
        text += " " + name(operand);
      }
      text += dictionary(operation->attributes);
      for (const auto& region : operation->regions)
        text += this->block(*region);
      for (const auto& result : operation->results) {
        text += " " + name(result.get()) + ": " + of(result->type);
      }
    }
    return text + "}";
  }

  std::map<const Value*, size_t> numbers_;
};

inline std::string describe(const Program& program) {
  return Description().program(program);
}

}  // namespace hlo::stablehlo::testing
