#include "backends/tpu/generations/generation.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "backends/tpu/generations/generation_files.h"
#include "interpreter/text/parser.h"

namespace hlo::tpu {
namespace {

constexpr std::string_view kDefault = "v5e";
constexpr int64_t kBitsOfByte = 8;

[[noreturn]] void wrong(std::string_view name, const std::string& what) {
  throw std::logic_error("the generation " + std::string(name) + " " + what);
}

/// "T(8,128)(2,1)" as HLO text reads it.
Tiles parse_tiles(const std::string& text) {
  return text::parse_shape("u8[]{:" + text + "}").layout->tiles;
}

TilesOfWidth read_tiles(std::string_view name, std::istream& line) {
  TilesOfWidth read;
  std::string scalar;
  std::string row;
  line >> read.bits >> scalar >> row;
  if (!line) wrong(name, "has tiles without widths, of scalars or of rows");
  read.scalar = parse_tiles(scalar);
  read.row = parse_tiles(row);
  for (std::string matrix; line >> matrix;) {
    read.matrices.push_back(parse_tiles(matrix));
  }
  return read;
}

void read_line(const std::string& text, Generation& into) {
  std::istringstream line(text);
  std::string word;
  line >> word;
  if (word.empty() || word.starts_with('#')) return;
  if (word == "least") {
    line >> into.least_bytes;
  } else if (word == "matrix") {
    line >> into.matrix_size;
  } else if (word == "memory") {
    line >> into.bytes_of_cycle;
  } else if (word == "tiles") {
    into.tiles.push_back(read_tiles(into.name, line));
  } else {
    wrong(into.name, "has a line that begins with " + word);
  }
}

/// Whether the first tile has so many sizes, all of them positive.
bool has_sizes(const Tiles& tiles, size_t count) {
  return !tiles.empty() && tiles[0].dims.size() == count &&
         std::ranges::all_of(tiles, [](const Tile& tile) {
           return std::ranges::all_of(tile.dims,
                                      [](int64_t size) { return size > 0; });
         });
}

/// An array of no dimension takes one tile: its bytes are the least at most.
void check(const Generation& generation, const TilesOfWidth& tiles) {
  const std::string& name = generation.name;
  if (!has_sizes(tiles.scalar, 1) || !has_sizes(tiles.row, 1) ||
      tiles.matrices.empty() ||
      !std::ranges::all_of(tiles.matrices, [](const Tiles& matrix) {
        return has_sizes(matrix, 2);
      })) {
    wrong(name, "has tiles of the wrong number of sizes, or of size 0");
  }
  if (tiles.scalar[0].dims[0] * tiles.bits / kBitsOfByte >
      generation.least_bytes) {
    wrong(name, "has tiles of scalars that are larger than its least array");
  }
  if (!std::ranges::is_sorted(tiles.matrices, std::ranges::greater(),
                              [](const Tiles& t) { return t[0].dims[0]; })) {
    wrong(name, "has larger tiles behind smaller ones");
  }
}

std::vector<Generation> read_files() {
  std::vector<Generation> read;
  for (const GenerationFile& file : generation_files()) {
    read.push_back(parse_generation(file.name, file.text));
  }
  std::stable_partition(read.begin(), read.end(), [](const Generation& each) {
    return each.name == kDefault;
  });
  return read;
}

}  // namespace

const TilesOfWidth& Generation::tiles_of(ElementType type) const {
  // A truth value is stored as a byte.
  const int64_t wanted =
      type == ElementType::kPred ? kBitsOfByte : int64_t{bits(type)};
  const auto found = std::find_if(
      tiles.rbegin(), tiles.rend(),
      [&](const TilesOfWidth& each) { return each.bits >= wanted; });
  return found == tiles.rend() ? tiles.front() : *found;
}

Generation parse_generation(std::string_view name, std::string_view text) {
  Generation generation{.name = std::string(name), .tiles = {}};
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    read_line(line, generation);
  }
  if (generation.least_bytes <= 0 || generation.matrix_size <= 0 ||
      generation.bytes_of_cycle <= 0 || generation.tiles.empty()) {
    wrong(name, "has no least size, matrix unit, memory or tiles");
  }
  // Rows of a block lie in sublanes of registers.
  constexpr int64_t kLanesOfRow = 128;
  constexpr int64_t kMostMatrix = 1024;
  if (generation.matrix_size % kLanesOfRow != 0 ||
      generation.matrix_size > kMostMatrix) {
    wrong(name, "has a matrix unit of no multiple of 128 rows up to 1024");
  }
  if (!std::ranges::is_sorted(generation.tiles, std::ranges::greater(),
                              &TilesOfWidth::bits)) {
    wrong(name, "has wide slots behind narrow ones");
  }
  for (const TilesOfWidth& tiles : generation.tiles) check(generation, tiles);
  return generation;
}

const std::vector<Generation>& generations() {
  static const std::vector<Generation> all = read_files();
  return all;
}

}  // namespace hlo::tpu
