#pragma once

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"

// Reading of the programs that XLA's tests execute, with the values that the
// tests state and those that XLA's evaluator computes: one JSON object a line
// in xla/eval.jsonl. For tests only.

namespace hlo::conformance {

using Json = nlohmann::json;

inline std::string eval_corpus_path() {
  const char* folder = std::getenv("ASSAY_DATA");
  return std::string(folder == nullptr ? "../shared/data" : folder) +
         "/xla/eval.jsonl";
}

/// A number, or the word for one that JSON cannot spell.
inline double real_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const auto& word = value.get_ref<const std::string&>();
  if (word == "inf" || word == "-inf") {
    return (word[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
  }
  return std::numeric_limits<double>::quiet_NaN();
}

inline uint64_t component_of(const Json& value, ElementType type) {
  if (is_float(type)) {
    return numeric::encode(real_of(value), numeric::format(type));
  }
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  return value.is_number_unsigned()
             ? value.get<uint64_t>()
             : static_cast<uint64_t>(value.get<int64_t>());
}

inline Scalar element_of(const Json& value, ElementType type) {
  if (!is_complex(type)) return {type, {component_of(value, type), 0}};
  const ElementType part = component_type(type);
  return {type,
          {component_of(value.at(0), part), component_of(value.at(1), part)}};
}

/// The elements of nested lists `depth` deep, in order.
inline void flatten(const Json& data, int64_t depth,
                    std::vector<const Json*>& elements) {
  if (depth == 0) {
    elements.push_back(&data);
    return;
  }
  for (const Json& part : data) flatten(part, depth - 1, elements);
}

/// Hex digits of each element; an imaginary part stands before the real one.
inline std::vector<Scalar> elements_of_bits(const std::string& bits,
                                            ElementType type) {
  std::vector<Scalar> elements;
  std::istringstream words(bits);
  for (std::string word; words >> word;) {
    const size_t half = is_complex(type) ? word.size() / 2 : 0;
    Scalar scalar{type, {std::stoull(word.substr(half), nullptr, 16), 0}};
    if (half > 0)
      scalar.bits[1] = std::stoull(word.substr(0, half), nullptr, 16);
    elements.push_back(scalar);
  }
  return elements;
}

inline Literal array_of(const Json& json, const Shape& shape) {
  std::vector<Scalar> scalars;
  if (json.contains("bits")) {
    scalars = elements_of_bits(json["bits"], shape.element_type);
  } else {
    std::vector<const Json*> elements;
    flatten(json["data"], shape.rank(), elements);
    for (const Json* element : elements) {
      scalars.push_back(element_of(*element, shape.element_type));
    }
  }
  Literal literal(shape);
  Index sizes = shape.dims;
  if (json.contains("dynamic_sizes")) {
    sizes = json["dynamic_sizes"].get<Index>();
    literal.set_dynamic_sizes(sizes);
  }
  for (size_t i = 0; i < scalars.size(); ++i) {
    const Index index = delinearize(static_cast<int64_t>(i), sizes);
    literal.set(linearize(index, shape.dims), scalars[i]);
  }
  return literal;
}

inline Literal literal_of(const Json& json) {
  if (json.contains("tuple")) {
    std::vector<Literal> elements;
    for (const Json& element : json["tuple"]) {
      elements.push_back(literal_of(element));
    }
    return Literal::tuple(std::move(elements));
  }
  const Shape shape = text::parse_shape(json["shape"].get<std::string>());
  return shape.is_array() ? array_of(json, shape) : Literal(shape);
}

/// The operations of a module, and those among them that cannot be evaluated.
struct Operations {
  std::set<std::string_view> all;
  std::set<std::string_view> missing;
};

inline Operations operations(const Module& module) {
  Operations found;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      found.all.insert(instruction->op->name);
      if (!instruction->op->is_defined()) {
        found.missing.insert(instruction->op->name);
      }
    }
  }
  return found;
}

}  // namespace hlo::conformance
