#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlo::conformance {

/// A column of a table: text stands on the left, numbers stand on the right.
struct Column {
  std::string title;
  size_t width = 0;  // at least, where lines have any length
  bool is_text = false;
  /// Where lines are short, the column with the lowest rank goes first; one
  /// with 0 stays.
  int rank = 0;
};

/// Rows under titles, as wide as a terminal.
class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// A cell for each column.
  void add(std::vector<std::string> row);

  int64_t count() const { return std::ssize(rows_); }  // of rows

  /// A line for each row, under one with the titles if there are any. Where
  /// that is wider than `width`, columns give up their spare room; those of
  /// them that have nothing but 0 and - go, from the right, then others by
  /// their rank; texts are shortened; and what is left over is cut off.
  std::string text(std::optional<int> width) const;

 private:
  struct Shown {
    size_t column;
    size_t width;
  };

  static bool is_too_wide(const std::vector<Shown>& columns,
                          std::optional<int> width);
  void drop_empty(std::vector<Shown>& columns, int width) const;
  void drop_by_rank(std::vector<Shown>& columns, int width) const;
  void shorten_texts(std::vector<Shown>& columns, int width) const;
  std::vector<Shown> shown(std::optional<int> width) const;
  size_t longest(size_t column) const;  // of its cells and its title
  bool is_empty(size_t column) const;
  std::string line(const std::vector<std::string>& row,
                   const std::vector<Shown>& columns,
                   std::optional<int> width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// As much of the line as fits into so many characters, with ... where it is
/// cut off.
std::string fitted(std::string_view line, std::optional<int> width);

}  // namespace hlo::conformance
