#include "conformance/layout/layout_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "conformance/layout/layout_text.h"
#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

constexpr int64_t kCell = 44;    // width of a cell, in pixels
constexpr int64_t kHeight = 26;  // and its height
constexpr int64_t kMargin = 40;
constexpr int64_t kColumns = 32;  // cells of a row
constexpr int64_t kRows = 32;     // rows of a matrix, of memory
constexpr int64_t kMatrices = 4;  // of an array of more than two dimensions

constexpr std::array<std::string_view, 6> kColours = {
    "#cfe8fc", "#fde2c4", "#d8f0d3", "#f4d7e6", "#e3dcf5", "#fbf3c0"};

/// A picture that grows downward.
class Picture {
 public:
  void cell(int64_t column, std::string_view fill, std::string_view label) {
    const int64_t x = kMargin + column * kCell;
    widest_ = std::max(widest_, x + kCell);
    body_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
        "stroke=\"#555\"/>\n",
        x, y_, kCell, kHeight, fill);
    if (!label.empty()) text(x + kCell / 2, label, "middle");
  }

  void text(int64_t x, std::string_view words, std::string_view anchor) {
    constexpr int64_t kBaseline = 17;
    body_ +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x,
                    y_ + kBaseline, anchor, escaped(words));
  }

  void label(std::string_view words) { text(kMargin - 6, words, "end"); }

  void line(std::string_view words) {
    constexpr int64_t kCharacter = 8;
    widest_ = std::max(
        widest_, kMargin + kCharacter * static_cast<int64_t>(words.size()));
    text(kMargin, words, "start");
    next_row();
  }

  void next_row() { y_ += kHeight; }

  std::string svg() const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
        "font-family=\"monospace\" font-size=\"12\">\n"
        "<defs><pattern id=\"padding\" width=\"6\" height=\"6\" "
        "patternUnits=\"userSpaceOnUse\"><path d=\"M0 6L6 0\" "
        "stroke=\"#999\"/></pattern></defs>\n{}</svg>\n",
        widest_ + kMargin, y_ + kMargin, body_);
  }

 private:
  static std::string escaped(std::string_view words) {
    std::string text;
    for (const char c : words) {
      text += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    }
    return text;
  }

  std::string body_;
  int64_t y_ = 20;
  int64_t widest_ = 0;
};

std::string_view colour(const Memory& memory, int64_t slot) {
  const int64_t tile = memory.outer_tile_slots();
  if (tile <= 1) return kColours[0];
  return kColours[static_cast<size_t>(slot / tile) % kColours.size()];
}

std::string index_text(const Index& index) {
  return fmt::format("{}", fmt::join(index, ","));
}

/// Row `row` of all rows of the last dimension.
void draw_row(const Memory& memory, int64_t row, int64_t columns,
              Picture& picture) {
  const std::vector<int64_t>& dims = memory.shape().dims;
  Index index = delinearize(row * columns, dims);
  if (!index.empty()) index.pop_back();
  picture.label(index_text(index));
  for (int64_t c = 0; c < std::min(columns, kColumns); ++c) {
    const int64_t slot = memory.slot(delinearize(row * columns + c, dims));
    picture.cell(c, colour(memory, slot), std::to_string(slot));
  }
  picture.next_row();
}

void draw_array(const Memory& memory, Picture& picture) {
  const std::vector<int64_t>& dims = memory.shape().dims;
  const int64_t count = memory.shape().element_count();
  if (count == 0) return;
  const int64_t columns = dims.empty() ? 1 : dims.back();
  const int64_t rows = dims.size() < 2 ? 1 : dims[dims.size() - 2];
  const int64_t matrices = count / columns / rows;
  picture.line("array: the slot of each element");
  for (int64_t m = 0; m < std::min(matrices, kMatrices); ++m) {
    if (m > 0) picture.next_row();
    for (int64_t r = 0; r < std::min(rows, kRows); ++r) {
      draw_row(memory, m * rows + r, columns, picture);
    }
  }
  if (columns > kColumns || rows > kRows || matrices > kMatrices) {
    picture.line("... cut: the array is larger");
  }
  picture.next_row();
}

void draw_slots(const Memory& memory, Picture& picture) {
  const int64_t tile = memory.tile_slots();
  const int64_t line = tile > 1 && tile <= kColumns / 2
                           ? kColumns / 2 / tile * tile
                           : kColumns / 2;
  const int64_t shown = std::min(memory.slots(), line * kRows);
  if (shown == 0) return;
  picture.line("memory: the element in each slot; padding is hatched");
  for (int64_t s = 0; s < shown; ++s) {
    if (s % line == 0) picture.label(std::to_string(s));
    const auto element = memory.element(s);
    picture.cell(s % line, element ? colour(memory, s) : "url(#padding)",
                 element ? index_text(*element) : "");
    if (s % line == line - 1 || s + 1 == shown) picture.next_row();
  }
  if (shown < memory.slots()) {
    picture.line(
        fmt::format("... {}", counted(memory.slots() - shown, "more slot")));
  }
}

}  // namespace

std::string draw_svg(const Memory& memory) {
  Picture picture;
  picture.line(describe(memory));
  picture.next_row();
  draw_array(memory, picture);
  draw_slots(memory, picture);
  return picture.svg();
}

}  // namespace hlo::conformance
