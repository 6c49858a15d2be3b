#include "conformance/case/case_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "conformance/literals/literal_bits.h"
#include "interpreter/error.h"

namespace hlo::conformance {

[[noreturn]] void fail(std::string_view rule, const std::string& message) {
  throw Error(Phase::kParse, rule, message);
}

[[noreturn]] void fail_case(const std::string& message) {
  fail("vectors.case", message);
}

void check_fields(const Json& object, std::initializer_list<const char*> known,
                  std::string_view rule) {
  for (const auto& item : object.items()) {
    const std::string& key = item.key();
    if (std::ranges::none_of(known, [&](const char* k) { return key == k; })) {
      fail(rule, "there is no field \"" + key + "\"");
    }
  }
}

const Json& field(const Json& object, const char* key, std::string_view rule) {
  const auto found = object.find(key);
  if (found == object.end()) {
    fail(rule, "the field \"" + std::string(key) + "\" is missing");
  }
  return *found;
}

std::string text_field(const Json& object, const char* key,
                       std::string_view rule) {
  const Json& value = field(object, key, rule);
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
    fail(rule,
         "\"" + std::string(key) + "\" is empty or no string, but must be one");
  }
  return value.get<std::string>();
}

namespace {

Literal literal_field(const Json& object, const char* key) {
  return parse_bits(text_field(object, key, "vectors.case"));
}

/// The literal `key`, which has the shape of the set's value.
Literal like(const Json& object, const char* key, const Literal& value) {
  Literal literal = literal_field(object, key);
  if (!compatible(literal.shape(), value.shape())) {
    fail_case("\"" + std::string(key) + "\" has another shape than the value");
  }
  return literal;
}

int64_t component_count(const Literal& value) {
  return value.element_count() * components(value.type());
}

/// The characters of the field, as many as the value has components.
std::string marks(const Json& object, const char* key, const Literal& value,
                  std::string_view allowed) {
  const Json& field_value = object.at(key);
  if (!field_value.is_string()) {
    fail_case("\"" + std::string(key) + "\" is no string, but must be one");
  }
  std::string text = field_value.get<std::string>();
  if (static_cast<int64_t>(text.size()) != component_count(value) ||
      text.find_first_not_of(allowed) != std::string::npos) {
    fail_case("\"" + std::string(key) + "\" is not one of \"" +
              std::string(allowed) + "\" for each component");
  }
  return text;
}

BitsSet parse_bits_set(const Json& object) {
  check_fields(object, {"bits", "nan"}, "vectors.case");
  BitsSet set;
  set.value = literal_field(object, "bits");
  if (!object.contains("nan")) return set;
  const std::string nan = text_field(object, "nan", "vectors.case");
  if (nan != "any" && nan != "same")
    fail_case("\"nan\" is unknown: it must be any or same");
  set.any_nan = nan == "any";
  return set;
}

std::optional<Scalar> bound_field(const Json& object, const char* key,
                                  const Literal& value) {
  if (!object.contains(key)) return std::nullopt;
  const Literal bound = literal_field(object, key);
  if (bound.type() != value.type() || bound.element_count() != 1) {
    fail_case("\"" + std::string(key) +
              "\" is of another type: it must be one element of the value's");
  }
  return bound.at(int64_t{0});
}

std::vector<int8_t> parse_sides(const Json& object, const Literal& value) {
  std::vector<int8_t> sides;
  if (!object.contains("sides")) return sides;
  for (const char c : marks(object, "sides", value, "+-0")) {
    sides.push_back(c == '0' ? int8_t{0} : c == '+' ? int8_t{1} : int8_t{-1});
  }
  return sides;
}

int64_t parse_steps(const Json& steps) {
  if (!steps.is_number_integer() || steps.get<int64_t>() < 0) {
    fail_case(R"("steps" is no number of codes, but must be one)");
  }
  return steps.get<int64_t>();
}

RoundedSet parse_rounded_set(const Json& object) {
  check_fields(object,
               {"rounded", "sides", "steps", "faithful", "least", "greatest"},
               "vectors.case");
  RoundedSet set;
  set.value = literal_field(object, "rounded");
  set.sides = parse_sides(object, set.value);
  set.faithful = object.contains("faithful");
  if (set.faithful == object.contains("steps")) {
    fail_case(
        R"(the rounded set has both or none: it must have either "steps" or "faithful")");
  }
  if (set.faithful && !object.contains("sides")) {
    fail_case(R"(the faithful set has no "sides", but must have them)");
  }
  if (!set.faithful) set.steps = parse_steps(object.at("steps"));
  set.least = bound_field(object, "least", set.value);
  set.greatest = bound_field(object, "greatest", set.value);
  return set;
}

std::vector<int64_t> parse_terms(const Json& list, const Literal& value) {
  std::vector<int64_t> terms;
  if (!list.is_array()) fail_case("\"terms\" is no list, but must be one");
  for (const Json& item : list) {
    if (!item.is_number_integer())
      fail_case("\"terms\" is no list of numbers, but must be one");
    terms.push_back(item.get<int64_t>());
  }
  if (static_cast<int64_t>(terms.size()) != value.element_count()) {
    fail_case(
        "\"terms\" has another length: it must have one number for each "
        "element");
  }
  return terms;
}

std::vector<double> parse_magnitude(const Json& object, const Literal& value) {
  const Literal magnitude = literal_field(object, "magnitude");
  if (magnitude.type() != ElementType::kF64 ||
      !same_dims(magnitude.shape(), value.shape())) {
    fail_case(
        "\"magnitude\" is something else: it must be a literal of f64 with the "
        "value's dimensions");
  }
  const auto data = magnitude.data<double>();
  return {data.begin(), data.end()};
}

IntervalSet parse_interval_set(const Json& object) {
  check_fields(object,
               {"interval", "low", "high", "terms", "magnitude", "nans"},
               "vectors.case");
  IntervalSet set;
  set.value = literal_field(object, "interval");
  set.low = like(object, "low", set.value);
  set.high = like(object, "high", set.value);
  if (object.contains("terms")) {
    set.terms = parse_terms(object.at("terms"), set.value);
  }
  if (object.contains("magnitude")) {
    set.magnitude = parse_magnitude(object, set.value);
  }
  if (object.contains("nans")) {
    for (const char c : marks(object, "nans", set.value, "01")) {
      set.nans.push_back(c == '1');
    }
  }
  return set;
}

Expectation parse_set(const Json& object) {
  if (!object.is_object()) fail_case("the set is no object, but must be one");
  if (object.contains("bits")) return parse_bits_set(object);
  if (object.contains("rounded")) return parse_rounded_set(object);
  if (object.contains("interval")) return parse_interval_set(object);
  check_fields(object, {"unspecified"}, "vectors.case");
  return UnspecifiedSet{text_field(object, "unspecified", "vectors.case")};
}

Json to_json(const BitsSet& set) {
  return {{"bits", print_bits(set.value)},
          {"nan", set.any_nan ? "any" : "same"}};
}

Json to_json(const AllowedSet&) {
  throw std::logic_error("sets of a chosen profile are not written down");
}

Json to_json(const RoundedSet& set) {
  Json json = {{"rounded", print_bits(set.value)}};
  if (!set.sides.empty()) {
    std::string sides;
    for (const int8_t side : set.sides) {
      sides += side == 0 ? '0' : side > 0 ? '+' : '-';
    }
    json["sides"] = sides;
  }
  if (set.faithful) {
    json["faithful"] = true;
  } else {
    json["steps"] = set.steps;
  }
  if (set.least) json["least"] = print_bits(Literal::of(*set.least));
  if (set.greatest) json["greatest"] = print_bits(Literal::of(*set.greatest));
  return json;
}

Json to_json(const IntervalSet& set) {
  Json json = {{"interval", print_bits(set.value)},
               {"low", print_bits(set.low)},
               {"high", print_bits(set.high)}};
  if (!set.terms.empty()) json["terms"] = set.terms;
  if (!set.magnitude.empty()) {
    Shape shape = set.value.shape();
    shape.element_type = ElementType::kF64;
    Literal magnitude(shape);
    std::ranges::copy(set.magnitude, magnitude.mutable_data<double>().begin());
    json["magnitude"] = print_bits(magnitude);
  }
  if (!set.nans.empty()) {
    std::string nans;
    for (const bool nan : set.nans) nans += nan ? '1' : '0';
    json["nans"] = nans;
  }
  return json;
}

Json to_json(const RejectedSet& set) { return {{"rejected", set.rule}}; }

Json to_json(const UnspecifiedSet& set) {
  return {{"unspecified", set.reason}};
}

}  // namespace

std::vector<Expectation> parse_expect(const Json& expect) {
  std::vector<Expectation> sets;
  if (expect.is_object()) {
    check_fields(expect, {"rejected"}, "vectors.case");
    sets.emplace_back(
        RejectedSet{text_field(expect, "rejected", "vectors.case")});
    return sets;
  }
  if (!expect.is_array()) {
    fail_case(
        R"("expect" is something else: it must be a list of sets, a rejection or "reference")");
  }
  for (const Json& set : expect) sets.push_back(parse_set(set));
  return sets;
}

Json expect_to_json(const std::vector<Expectation>& sets) {
  if (sets.size() == 1 && std::holds_alternative<RejectedSet>(sets[0])) {
    return to_json(std::get<RejectedSet>(sets[0]));
  }
  Json list = Json::array();
  for (const Expectation& set : sets) {
    list.push_back(std::visit([](const auto& s) { return to_json(s); }, set));
  }
  return list;
}

}  // namespace hlo::conformance
