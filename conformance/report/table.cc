#include "conformance/report/table.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace hlo::conformance {
namespace {

/// Columns of text are not made shorter than this.
constexpr size_t kLeastText = 8;

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80;
}

/// How many characters UTF-8 has.
size_t length(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, begins_character));
}

std::string first_characters(std::string_view text, size_t count) {
  size_t end = 0;
  while (end < text.size() && (count > 0 || !begins_character(text[end]))) {
    count -= begins_character(text[end]) ? 1 : 0;
    ++end;
  }
  return std::string(text.substr(0, end));
}

std::string cut(std::string_view text, size_t width) {
  constexpr std::string_view kMore = "...";
  if (length(text) <= width) return std::string(text);
  const size_t more = std::min(width, kMore.size());
  return first_characters(text, width - more) +
         std::string(kMore.substr(0, more));
}

std::string padded(const std::string& text, size_t width, bool on_the_left) {
  const std::string spaces(width - std::min(width, length(text)), ' ');
  return on_the_left ? text + spaces : spaces + text;
}

}  // namespace

std::string fitted(std::string_view line, std::optional<int> width) {
  return width ? cut(line, static_cast<size_t>(*width)) : std::string(line);
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> row) {
  rows_.push_back(std::move(row));
}

size_t Table::longest(size_t column) const {
  size_t most = length(columns_[column].title);
  for (const auto& row : rows_) most = std::max(most, length(row[column]));
  return most;
}

bool Table::is_empty(size_t column) const {
  return std::ranges::all_of(rows_, [&](const std::vector<std::string>& row) {
    return row[column] == "0" || row[column] == "-";
  });
}

bool Table::is_too_wide(const std::vector<Shown>& columns,
                        std::optional<int> width) {
  size_t all = columns.empty() ? 0 : columns.size() - 1;
  for (const Shown& one : columns) all += one.width;
  return width && all > static_cast<size_t>(*width);
}

void Table::drop_empty(std::vector<Shown>& columns, int width) const {
  for (size_t i = columns.size(); i-- > 0 && is_too_wide(columns, width);) {
    const auto at = columns.begin() + static_cast<std::ptrdiff_t>(i);
    const bool goes = columns_[at->column].rank > 0 && is_empty(at->column);
    if (goes) columns.erase(at);
  }
}

void Table::drop_by_rank(std::vector<Shown>& columns, int width) const {
  const auto order = [&](const Shown& one) {
    const int rank = columns_[one.column].rank;
    return rank == 0 ? std::numeric_limits<int>::max() : rank;
  };
  while (is_too_wide(columns, width)) {
    const auto first = std::ranges::min_element(columns, {}, order);
    if (columns_[first->column].rank == 0) return;
    columns.erase(first);
  }
}

void Table::shorten_texts(std::vector<Shown>& columns, int width) const {
  const auto size = [&](const Shown& one) {
    return columns_[one.column].is_text ? one.width : 0;
  };
  while (is_too_wide(columns, width)) {
    const auto widest = std::ranges::max_element(columns, {}, size);
    if (size(*widest) <= kLeastText) return;
    --widest->width;
  }
}

std::vector<Table::Shown> Table::shown(std::optional<int> width) const {
  std::vector<Shown> columns;
  for (size_t i = 0; i < columns_.size(); ++i) {
    columns.push_back({i, std::max(columns_[i].width, longest(i))});
  }
  if (!is_too_wide(columns, width)) return columns;
  for (Shown& one : columns) one.width = longest(one.column);
  drop_empty(columns, *width);
  drop_by_rank(columns, *width);
  shorten_texts(columns, *width);
  return columns;
}

std::string Table::line(const std::vector<std::string>& row,
                        const std::vector<Shown>& columns,
                        std::optional<int> width) const {
  std::string text;
  for (const Shown& one : columns) {
    const bool is_text = columns_[one.column].is_text;
    if (!text.empty()) text += ' ';
    text += padded(cut(row[one.column], one.width), one.width, is_text);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return fitted(text, width) + "\n";
}

std::string Table::text(std::optional<int> width) const {
  const std::vector<Shown> columns = shown(width);
  std::vector<std::string> titles;
  titles.reserve(columns_.size());
  for (const Column& column : columns_) titles.push_back(column.title);
  const bool named = std::ranges::any_of(
      titles, [](const std::string& title) { return !title.empty(); });
  std::string text;
  if (named) text += line(titles, columns, width);
  for (const auto& row : rows_) text += line(row, columns, width);
  return text;
}

}  // namespace hlo::conformance
