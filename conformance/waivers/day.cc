#include "conformance/waivers/day.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace hlo::conformance {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int number(std::string_view digits) {
  int value = 0;
  for (const char c : digits) value = 10 * value + (c - '0');
  return value;
}

}  // namespace

bool is_day(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  const bool has_form = std::ranges::equal(text, kForm, [](char c, char form) {
    return form == '-' ? c == '-' : is_digit(c);
  });
  if (!has_form) return false;
  const int year = number(text.substr(0, 4));
  const auto month = static_cast<unsigned>(number(text.substr(5, 2)));
  const auto day = static_cast<unsigned>(number(text.substr(8, 2)));
  return year > 0 && std::chrono::year_month_day(std::chrono::year(year),
                                                 std::chrono::month(month),
                                                 std::chrono::day(day))
                         .ok();
}

std::string today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

}  // namespace hlo::conformance
