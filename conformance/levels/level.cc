#include "conformance/levels/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/levels/level_files.h"
#include "interpreter/error.h"
#include "interpreter/nearest.h"
#include "interpreter/shortened.h"

namespace hlo::conformance {
namespace {

using Json = nlohmann::ordered_json;

/// "-0x1.8p+1", whatever the decimal point of the locale is.
double hexadecimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  text.remove_prefix(negative ? 3 : 2);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value,
                  std::chars_format::hex);
  return negative ? -value : value;
}

/// Hexadecimal floats are strings, so that no digit is lost.
double real(const Json& json) {
  if (json.is_number()) return json.get<double>();
  return hexadecimal(json.get_ref<const std::string&>());
}

Bound read_bound(const Json& json) {
  Bound bound;
  bound.steps = json.value("steps", bound.steps);
  bound.faithful = json.value("faithful", false);
  bound.unlimited = json.value("unlimited", false);
  const std::array<std::pair<const char*, double*>, 7> numbers = {{
      {"ulps", &bound.ulps},
      {"ulps_per_x", &bound.ulps_per_x},
      {"eps", &bound.eps},
      {"absolute", &bound.absolute},
      {"absolute_eps", &bound.absolute_eps},
      {"from", &bound.from},
      {"to", &bound.to},
  }};
  for (const auto& [key, number] : numbers) {
    if (json.contains(key)) *number = real(json.at(key));
  }
  return bound;
}

std::vector<TypeBounds> read_rows(const Json& json) {
  std::vector<TypeBounds> rows;
  for (const auto& [types, value] : json.items()) {
    TypeBounds row{.types = types, .bounds = {}};
    if (value.is_array()) {
      for (const Json& bound : value) row.bounds.push_back(read_bound(bound));
    } else {
      row.bounds.push_back(read_bound(value));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Level read_level(std::string_view text) {
  const Json json = Json::parse(text);
  Level level;
  level.name = json.at("level");
  level.rank = json.at("rank");
  level.statement = json.at("statement");
  level.sums_rounded_once = json.contains("sums");
  level.profile.level = level.name;
  for (const auto& [axis, choice] : json.at("axes").items()) {
    set_axis(level.profile, axis, choice.get_ref<const std::string&>());
  }
  level.otherwise = read_rows(json.at("default"));
  for (const auto& [operation, rows] : json.at("functions").items()) {
    level.functions.push_back({operation, read_rows(rows)});
  }
  return level;
}

std::vector<Level> read_levels() {
  std::vector<Level> levels;
  for (const LevelFile& file : level_files()) {
    levels.push_back(read_level(file.text));
  }
  std::ranges::sort(levels, {}, &Level::rank);
  return levels;
}

/// The names under which rows stand for the type, the most special one first.
std::array<std::string_view, 4> groups(ElementType type) {
  const bool narrow = bits(type) < bits(ElementType::kF32);
  return {name(type), bits(type) <= 8 ? "f8" : "", narrow ? "narrow" : "",
          "any"};
}

std::span<const Bound> find_row(std::span<const TypeBounds> rows,
                                ElementType type) {
  for (const std::string_view group : groups(type)) {
    const auto found = std::ranges::find(rows, group, &TypeBounds::types);
    if (found != rows.end()) return found->bounds;
  }
  return {};
}

}  // namespace

std::span<const Level> all_levels() {
  static const std::vector<Level> levels = read_levels();
  return levels;
}

const Level& find_level(std::string_view name) {
  const std::span<const Level> levels = all_levels();
  const auto found = std::ranges::find(levels, name, &Level::name);
  if (found != levels.end()) return *found;
  std::vector<std::string> names;
  names.reserve(levels.size());
  for (const Level& level : levels) names.push_back(level.name);
  throw Error(
      Phase::kParse, "usage.profile",
      fmt::format("there is no level \"{}\"{}, but it must be one of {}",
                  shortened(name), suggestion(name, names),
                  fmt::join(names, ", ")));
}

std::span<const Bound> bounds(const Level& level, std::string_view operation,
                              ElementType type, bool is_real_function) {
  const auto found =
      std::ranges::find(level.functions, operation, &FunctionBounds::operation);
  if (found != level.functions.end()) {
    const std::span<const Bound> row = find_row(found->rows, type);
    if (!row.empty()) return row;
  }
  if (is_real_function) {
    const std::span<const Bound> row = find_row(level.otherwise, type);
    if (!row.empty()) return row;
  }
  return {&kCorrectlyRounded, 1};
}

const Bound& bound_at(std::span<const Bound> bounds, double x) {
  for (const Bound& bound : bounds) {
    if (bound.from <= x && x <= bound.to) return bound;
  }
  return bounds.back();
}

ComplexParts complex_parts(const Level& level, ElementType part) {
  if (level.rank >= find_level("tight").rank) return ComplexParts::kByModulus;
  const Bound& bound = bounds(level, "", part, /*is_real_function=*/true)[0];
  return bound.faithful ? ComplexParts::kFaithful : ComplexParts::kRoundedOnce;
}

}  // namespace hlo::conformance
