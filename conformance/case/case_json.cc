#include "conformance/case/case_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <utility>

#include "conformance/literals/describe_scalar.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/sets/sum_range.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {

void check_fields(const Json& object, std::initializer_list<const char*> known,
                  std::string_view rule) {
  for (const auto& item : object.items()) {
    const std::string& key = item.key();
    if (std::ranges::none_of(known, [&](const char* k) { return key == k; })) {
      throw WrongValue{
          .rule = std::string(rule),
          .message = "there is no field \"" + shortened(key) + "\"",
          .value = &item.value(),
          .at_key = true};
    }
  }
}

const Json& field(const Json& object, const char* key, std::string_view rule) {
  const auto found = object.find(key);
  if (found == object.end()) {
    fail(object, rule, "the field \"" + std::string(key) + "\" is missing");
  }
  return *found;
}

std::string text_field(const Json& object, const char* key,
                       std::string_view rule) {
  const Json& value = field(object, key, rule);
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
    fail(value, rule,
         "\"" + std::string(key) + "\" is empty or no string, but must be one");
  }
  return value.get<std::string>();
}

Literal literal_of(const Json& text) {
  try {
    return parse_bits(text.get_ref<const std::string&>());
  } catch (const Error& error) {
    throw WrongValue{.rule = error.rule(),
                     .message = error.message(),
                     .value = &text,
                     .character = error.location().column};
  }
}

namespace {

Literal literal_field(const Json& object, const char* key) {
  text_field(object, key, "vectors.case");
  return literal_of(object.at(key));
}

/// The literal `key`, which has the shape of the set's value.
Literal like(const Json& object, const char* key, const Literal& value) {
  Literal literal = literal_field(object, key);
  if (!compatible(literal.shape(), value.shape())) {
    fail_case(object.at(key),
              "\"" + std::string(key) + "\" has another shape than the value");
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
    fail_case(field_value,
              "\"" + std::string(key) + "\" is no string, but must be one");
  }
  std::string text = field_value.get<std::string>();
  if (static_cast<int64_t>(text.size()) != component_count(value) ||
      text.find_first_not_of(allowed) != std::string::npos) {
    fail_case(field_value, "\"" + std::string(key) + "\" is not one of \"" +
                               std::string(allowed) + "\" for each component");
  }
  return text;
}

ArraySet parse_bits_set(const Json& object) {
  check_fields(object, {"bits", "nan"}, "vectors.case");
  Literal value = literal_field(object, "bits");
  const std::string nan = object.contains("nan")
                              ? text_field(object, "nan", "vectors.case")
                              : "any";
  if (nan == "same") return ArraySet::moved(std::move(value));
  if (nan != "any")
    fail_case(object.at("nan"),
              R"("nan" is ")" + shortened(nan) + "\": it must be any or same");
  return ArraySet::computed(std::move(value));
}

/// The ends of the ranges, one for each element.
struct Ends {
  Literal low;
  Literal high;
  const Json* json = nullptr;  // what they were read from
};

Ends parse_ends(const Json& object, const Literal& value) {
  return {like(object, "low", value), like(object, "high", value),
          &object.at("low")};
}

std::vector<Ends> parse_ranges(const Json& object, const Literal& value) {
  std::vector<Ends> ranges = {parse_ends(object, value)};
  if (!object.contains("also")) return ranges;
  const Json& also = object.at("also");
  if (!also.is_array()) fail_case(also, "\"also\" is no list of ranges");
  if (also.empty() || also.size() >= ValueSet::kMost) {
    fail_case(also, "\"also\" has " + counted(std::ssize(also), "range") +
                        ", but must have 1 to " +
                        std::to_string(ValueSet::kMost - 1));
  }
  for (const Json& other : also) {
    if (!other.is_object()) fail_case(other, "\"also\" is no list of ranges");
    check_fields(other, {"low", "high"}, "vectors.case");
    ranges.push_back(parse_ends(other, value));
  }
  return ranges;
}

/// The ends mean something: the lower one is not above the other, and NaN
/// stands where the type has no infinity, or is all there is.
void check_range(const ComponentRange& range, ElementType type,
                 const Json& low) {
  const auto is_nan = [&](uint64_t code) {
    return is_float(type) && numeric::is_nan(code, numeric::format(type));
  };
  const auto words = [&](uint64_t code) {
    return describe(Scalar{.type = type, .bits = {code, 0}});
  };
  const int ends = int{is_nan(range.low)} + int{is_nan(range.high)};
  if (ends == 2 && is_nan(range.value)) return;
  if (ends > 0 && numeric::format(type).has_infinity()) {
    fail_case(low, "a range from " + words(range.low) + " to " +
                       words(range.high) + " has NaN as an end, but " +
                       std::string(name(type)) +
                       " has infinities, which must be");
  }
  if (ends == 0 && place_of(range.low, type) > place_of(range.high, type)) {
    fail_case(low, "\"low\" is " + words(range.low) + " and \"high\" " +
                       words(range.high) + ", but the first must not be above");
  }
}

/// Whether a range is one NaN that is admitted besides the value, where NaN is
/// not in the place of infinity.
bool is_another_nan(const ComponentRange& range, ElementType type) {
  return is_float(type) && numeric::format(type).has_infinity() &&
         numeric::is_nan(range.low, numeric::format(type)) &&
         range.low == range.high && range.low != range.value;
}

ValueSet parse_component(const Literal& value, std::span<const Ends> ranges,
                         bool nan, int64_t number) {
  const int parts = components(value.type());
  const auto code = [&](const Literal& literal) {
    return literal.at(number / parts).bits[static_cast<size_t>(number % parts)];
  };
  const ElementType type = component_type(value.type());
  ValueSet set;
  for (const Ends& ends : ranges) {
    const ComponentRange range{.value = code(value),
                               .low = code(ends.low),
                               .high = code(ends.high),
                               .nan = nan};
    if (&ends != ranges.data() && is_another_nan(range, type)) {
      set.add_nan_code(range.low, type);
      continue;
    }
    check_range(range, type, *ends.json);
    set.add(set_of(range, type));
  }
  return set;
}

/// The NaN that is the value of a component.
ValueSet parse_own_nan(const Literal& value, int64_t number, const Json& nans) {
  const int parts = components(value.type());
  const ValueSet set = ValueSet::of(
      value.at(number / parts).bits[static_cast<size_t>(number % parts)],
      component_type(value.type()));
  if (!set.only_nan()) {
    throw WrongValue{
        .rule = "vectors.case",
        .message = "\"nans\" has s for a number, but s is for a NaN",
        .value = &nans,
        .character = static_cast<int>(number) + 1};
  }
  return set;
}

bool has_nan(ElementType type) {
  return is_float(type) && numeric::format(type).has_nan();
}

/// Which components may be any quiet NaN too (1), or are the NaN that the value
/// is and no other (s); "" where none may.
std::string parse_nans(const Json& object, const Literal& value) {
  if (!object.contains("nans")) return "";
  std::string nans = marks(object, "nans", value, "01s");
  if (nans.find_first_of("1s") != std::string::npos &&
      !has_nan(component_type(value.type()))) {
    fail_case(object.at("nans"), "\"nans\" admits NaNs, but " +
                                     std::string(name(value.type())) +
                                     " has none");
  }
  return nans;
}

ArraySet parse_interval_set(const Json& object) {
  check_fields(object, {"interval", "low", "high", "also", "nans"},
               "vectors.case");
  ArraySet set = ArraySet::computed(literal_field(object, "interval"));
  const std::vector<Ends> ranges = parse_ranges(object, set.value);
  const std::string nans = parse_nans(object, set.value);
  for (int64_t n = 0; n < component_count(set.value); ++n) {
    const char mark = nans.empty() ? '0' : nans[static_cast<size_t>(n)];
    set.sets.push_back(
        mark == 's' ? parse_own_nan(set.value, n, object.at("nans"))
                    : parse_component(set.value, ranges, mark == '1', n));
  }
  return set;
}

Expectation parse_set(const Json& object) {
  if (!object.is_object())
    fail_case(object, "the set is no object, but must be one");
  if (object.contains("bits")) return parse_bits_set(object);
  if (object.contains("interval")) return parse_interval_set(object);
  check_fields(object, {"unspecified", "value"}, "vectors.case");
  UnspecifiedSet set{text_field(object, "unspecified", "vectors.case")};
  if (object.contains("value")) set.value = literal_field(object, "value");
  return set;
}

bool is_of(std::string_view text, std::string_view characters) {
  return !text.empty() &&
         text.find_first_not_of(characters) == std::string_view::npos;
}

/// The label of a rule, as in "all-gather.C5".
std::string label_field(const Json& object, const char* key) {
  static constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
  static constexpr std::string_view kDigits = "0123456789-";
  static constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string label = text_field(object, key, "vectors.case");
  const size_t dot = std::min(label.find('.'), label.size());
  const std::string lower = std::string(kLower).append(kDigits);
  const bool is_label =
      kLower.find(label[0]) != std::string_view::npos &&
      is_of(label.substr(0, dot), lower) && dot < label.size() &&
      is_of(label.substr(dot + 1), lower + std::string(kUpper));
  if (!is_label) {
    fail_case(object.at(key),
              "\"" + std::string(key) + "\" is \"" + shortened(label) +
                  "\", but must be the label of a rule, as pad.C4");
  }
  return label;
}

/// The NaNs of a set that its mark in "nans" does not mean: those that are not
/// the value, where there are quiet ones beside them.
std::vector<uint64_t> other_nans(const ValueSet& set, uint64_t value) {
  std::vector<uint64_t> nans;
  if (!set.has_quiet_nans()) return nans;
  for (const ValueSet::Nan& nan : set.nan_codes()) {
    if (nan.code != value) nans.push_back(nan.code);
  }
  return nans;
}

/// The ends of the k-th range of each component; of its last where it has
/// fewer, and NaN of the value where it has none. Behind the ranges come NaNs.
Json print_ends(const ArraySet& set, size_t k) {
  Ends ends{.low = set.value, .high = set.value};
  const ElementType type = component_type(set.value.type());
  const int parts = components(set.value.type());
  for (int64_t n = 0; n < component_count(set.value); ++n) {
    const ValueSet& one = set.sets[static_cast<size_t>(n)];
    const auto part = static_cast<size_t>(n % parts);
    const auto write = [&](Literal& literal, uint64_t code) {
      Scalar element = literal.at(n / parts);
      element.bits.at(part) = code;
      literal.set(n / parts, element);
    };
    const auto ranges = one.ranges();
    const std::vector<uint64_t> nans =
        other_nans(one, set.value.at(n / parts).bits.at(part));
    const size_t first = std::max<size_t>(ranges.size(), 1);
    if (k >= first && k - first < nans.size()) {
      write(ends.low, nans[k - first]);
      write(ends.high, nans[k - first]);
    } else if (!ranges.empty()) {
      const Places& range = ranges[std::min(k, ranges.size() - 1)];
      write(ends.low, code_at(range.low, type));
      write(ends.high, code_at(range.high, type));
    }
  }
  return {{"low", print_bits(ends.low)}, {"high", print_bits(ends.high)}};
}

Json interval_to_json(const ArraySet& set) {
  size_t most = 1;
  std::string nans;
  const auto parts = static_cast<size_t>(components(set.value.type()));
  for (size_t n = 0; n < set.sets.size(); ++n) {
    const ValueSet& one = set.sets[n];
    const Scalar element = set.value.at(static_cast<int64_t>(n / parts));
    const size_t others = other_nans(one, element.bits.at(n % parts)).size();
    most = std::max(most, std::max<size_t>(one.ranges().size(), 1) + others);
    const bool is_own = one.only_nan() && !one.has_numbers();
    nans += is_own ? 's' : one.has_nan() ? '1' : '0';
  }
  Json json = {{"interval", print_bits(set.value)}};
  json.update(print_ends(set, 0));
  for (size_t k = 1; k < most; ++k) json["also"].push_back(print_ends(set, k));
  if (nans.find_first_of("1s") != std::string::npos) json["nans"] = nans;
  return json;
}

Json to_json(const ArraySet& set) {
  if (set.sets.empty()) {
    return {{"bits", print_bits(set.value)},
            {"nan", set.any_nan ? "any" : "same"}};
  }
  Json json = interval_to_json(set);
  try {
    if (parse_interval_set(json).sets == set.sets) return json;
  } catch (const WrongValue& wrong) {
    throw Error(Phase::kParse, wrong.rule, wrong.message);
  }
  throw std::logic_error("a set holds NaNs that no case can tell");
}

Json to_json(const RejectedSet& set) { return {{"rejected", set.rule}}; }

Json to_json(const UnspecifiedSet& set) {
  Json json = {{"unspecified", set.reason}};
  if (set.value) json["value"] = print_bits(*set.value);
  return json;
}

}  // namespace

std::vector<Expectation> parse_expect(const Json& expect) {
  std::vector<Expectation> sets;
  if (expect.is_object()) {
    check_fields(expect, {"rejected"}, "vectors.case");
    sets.emplace_back(RejectedSet{label_field(expect, "rejected")});
    return sets;
  }
  if (!expect.is_array()) {
    fail_case(
        expect,
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
