#include "conformance/layout/layout_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "interpreter/counted.h"

namespace hlo::conformance {
namespace {

constexpr size_t kColumns = 100;
constexpr int64_t kRows = 16;    // of a matrix
constexpr int64_t kPlanes = 4;   // matrices of an array of more dimensions
constexpr int64_t kLines = 32;   // of memory
constexpr int64_t kMost = 4096;  // slots that are looked at

std::string index_text(const Index& index) {
  return fmt::format("{}", fmt::join(index, ","));
}

/// The last two dimensions as a matrix; scalars and vectors are one row.
struct Matrix {
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t planes = 1;

  explicit Matrix(const std::vector<int64_t>& dims) {
    const size_t rank = dims.size();
    if (rank > 0) columns = dims[rank - 1];
    if (rank > 1) rows = dims[rank - 2];
    for (size_t d = 0; d + 2 < rank; ++d) planes *= dims[d];
  }
};

int decimal_width(int64_t largest) {
  return static_cast<int>(std::to_string(std::max<int64_t>(largest, 0)).size());
}

/// Draws the matrices of an array, cell by cell.
class ArrayDrawing {
 public:
  explicit ArrayDrawing(const Memory& memory)
      : memory_(memory),
        dims_(memory.shape().dims),
        matrix_(dims_),
        width_(std::max(decimal_width(memory.slots() - 1),
                        decimal_width(matrix_.columns - 1))),
        head_(decimal_width(matrix_.rows - 1) + 2),
        columns_(std::min(matrix_.columns, room())),
        rows_(std::min(matrix_.rows, kRows)) {}

  std::string text() const {
    const int64_t planes = std::min(matrix_.planes, kPlanes);
    std::string text;
    for (int64_t p = 0; p < planes; ++p) text += plane(p);
    if (planes < matrix_.planes) {
      text += fmt::format("  ... {}\n",
                          counted(matrix_.planes - planes, "more such matrix",
                                  "more such matrices"));
    }
    return text;
  }

 private:
  int64_t room() const {
    return (static_cast<int64_t>(kColumns) - head_ - 4) / (width_ + 1);
  }

  Index index_of(int64_t plane, int64_t row, int64_t column) const {
    const int64_t rows = plane * matrix_.rows + row;
    return delinearize(rows * matrix_.columns + column, dims_);
  }

  std::string heading(int64_t plane) const {
    if (dims_.size() < 3) return {};
    Index index = index_of(plane, 0, 0);
    index.resize(index.size() - 2);
    return fmt::format("  [{},:,:]\n", index_text(index));
  }

  std::string plane(int64_t p) const {
    std::string text =
        heading(p) + std::string(static_cast<size_t>(head_), ' ');
    for (int64_t c = 0; c < columns_; ++c) {
      text += fmt::format(" {:>{}}", c, width_);
    }
    text += columns_ < matrix_.columns ? " ...\n" : "\n";
    for (int64_t r = 0; r < rows_; ++r) text += row(p, r);
    if (rows_ < matrix_.rows) {
      text +=
          fmt::format("  ... {}\n", counted(matrix_.rows - rows_, "more row"));
    }
    return text;
  }

  std::string row(int64_t p, int64_t r) const {
    const std::string label = dims_.size() > 1 ? std::to_string(r) : "";
    std::string text = fmt::format("{:>{}}", label, head_);
    for (int64_t c = 0; c < columns_; ++c) {
      text += fmt::format(" {:>{}}", memory_.slot(index_of(p, r, c)), width_);
    }
    return text + (columns_ < matrix_.columns ? " ...\n" : "\n");
  }

  const Memory& memory_;
  std::vector<int64_t> dims_;
  Matrix matrix_;
  int width_;
  int head_;
  int64_t columns_;
  int64_t rows_;
};

std::string slot_text(const Memory& memory, int64_t slot) {
  const auto element = memory.element(slot);
  if (!element) return "--";
  return element->empty() ? "[]" : index_text(*element);
}

/// Slots on one line: whole tiles, or else as many as fit.
int64_t slots_per_line(const Memory& memory, int64_t room) {
  const int64_t tile = memory.tile_slots();
  if (tile > 1 && tile <= room) return room / tile * tile;
  return std::clamp<int64_t>(room, 1, 16);
}

std::string draw_memory(const Memory& memory) {
  const int64_t looked = std::min(memory.slots(), kMost);
  std::vector<std::string> cells;
  size_t width = 2;
  for (int64_t s = 0; s < looked; ++s) {
    cells.push_back(slot_text(memory, s));
    width = std::max(width, cells.back().size());
  }
  const int head = decimal_width(memory.slots() - 1) + 2;
  const int64_t tile = memory.tile_slots();
  const int64_t cell = static_cast<int64_t>(width) + 1;
  // A line of k tiles has a bar before each of them.
  const int64_t space = static_cast<int64_t>(kColumns) - head;
  const int64_t bars = tile > 1 ? 2 * (space / (cell * tile + 2)) : 0;
  const int64_t line = slots_per_line(memory, (space - bars) / cell);
  const int64_t shown = std::min(looked, line * kLines);
  std::string text;
  for (int64_t s = 0; s < shown; ++s) {
    if (s % line == 0) text += fmt::format("{:>{}}", s, head);
    if (tile > 1 && tile <= line && s % tile == 0) text += " |";
    text += fmt::format(" {:>{}}", cells[static_cast<size_t>(s)], width);
    if (s % line == line - 1 || s + 1 == shown) text += '\n';
  }
  if (shown < memory.slots()) {
    text +=
        fmt::format("  ... {}\n", counted(memory.slots() - shown, "more slot"));
  }
  return text;
}

/// "bytes 68 to 71", "byte 3", "bits 4 to 7".
std::string place_text(const Memory& memory, int64_t slot) {
  const int64_t width = memory.slot_bits();
  if (width < 8) {
    const int64_t first = memory.prefix_bytes() * 8 + slot * width;
    return width == 1 ? fmt::format("bit {}", first)
                      : fmt::format("bits {} to {}", first, first + width - 1);
  }
  const int64_t size = width / 8;
  const int64_t first = memory.prefix_bytes() + slot * size;
  return size == 1 ? fmt::format("byte {}", first)
                   : fmt::format("bytes {} to {}", first, first + size - 1);
}

/// What place_text() counts: "96", "2 bytes" for places in bits.
std::string size_text(const Memory& memory) {
  return memory.slot_bits() < 8 ? counted(memory.bytes(), "byte")
                                : std::to_string(memory.bytes());
}

}  // namespace

std::string describe(const Memory& memory) {
  const int64_t elements = memory.shape().element_count();
  std::string text = fmt::format(
      "{}: {} in {} of {}, {}", to_string(memory.shape()),
      counted(elements, "element"), counted(memory.slots(), "slot"),
      counted(memory.slot_bits(), "bit"), counted(memory.bytes(), "byte"));
  const int64_t padding = memory.slots() - elements;
  if (padding > 0) text += fmt::format("; {} of padding", padding);
  const int64_t rest = (memory.bytes() - memory.prefix_bytes()) * 8 -
                       memory.slots() * memory.slot_bits();
  if (rest > 0)
    text += fmt::format("; {} of padding behind them", counted(rest, "bit"));
  if (memory.prefix_bytes() > 0) {
    text +=
        fmt::format("; {} in front", counted(memory.prefix_bytes(), "byte"));
  }
  return text;
}

std::string describe_element(const Memory& memory, const Index& index) {
  const int64_t slot = memory.slot(index);
  return fmt::format("[{}] is in slot {}: {} of {}", index_text(index), slot,
                     place_text(memory, slot), size_text(memory));
}

std::string describe_slot(const Memory& memory, int64_t slot) {
  const auto element = memory.element(slot);
  const std::string place = place_text(memory, slot);
  if (!element) return fmt::format("slot {} is padding: {}", slot, place);
  return fmt::format("slot {} holds [{}]: {} of {}", slot, index_text(*element),
                     place, size_text(memory));
}

std::string draw_text(const Memory& memory) {
  std::string text = describe(memory) + "\n";
  if (memory.shape().element_count() > 0) {
    text += "\narray: the slot of each element\n" + ArrayDrawing(memory).text();
  }
  if (memory.slots() > 0) {
    text += "\nmemory: the element in each slot, -- for padding\n" +
            draw_memory(memory);
  }
  return text;
}

}  // namespace hlo::conformance
