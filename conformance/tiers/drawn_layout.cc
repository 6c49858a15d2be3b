#include "conformance/tiers/drawn_layout.h"

#include <utility>
#include <vector>

#include "interpreter/model/buffer_layout.h"

namespace hlo::conformance {
namespace {

/// What a buffer may take, padding and all: tiles make small arrays large.
constexpr int64_t kMostPadding = 64;

/// One level or two, as in spec/layout.md; each fits arrays of any rank that is
/// not less than that of the first tile.
const std::vector<std::vector<Tile>>& tilings() {
  static const std::vector<std::vector<Tile>> all = {
      {{{8, 128}}},  {{{8, 128}}, {{2, 1}}},
      {{{4, 128}}},  {{{2, 128}}},
      {{{2, 4}}},    {{{3, 5}}, {{2}}},
      {{{128}}},     {{{4}}},
      {{{2, 2, 2}}}, {{{2, 3}}, {{2, 1}}},
      {{{1, 8}}},    {{{Tile::kCombine, 4}}},
  };
  return all;
}

}  // namespace

void draw_layout(Draw& draw, Shape& array) {
  const auto rank = array.rank();
  if (rank == 0 || draw.one_in(3)) return;
  Layout layout = default_layout(rank);
  if (draw.one_in(2)) layout.minor_to_major = draw.permutation(rank);
  const std::vector<Tile>& tiles = draw.of(tilings());
  const bool fits = std::ssize(tiles.front().dims) <= rank;
  if (fits && draw.one_in(2)) layout.tiles = tiles;
  Shape drawn = array;
  drawn.layout = layout;
  const int64_t most = 4096 + kMostPadding * array.element_count();
  if (buffer_elements(drawn) <= most) array = std::move(drawn);
}

}  // namespace hlo::conformance
