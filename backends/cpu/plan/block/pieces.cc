#include "backends/cpu/plan/block/pieces.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace hlo::cpu {
namespace {

bool meet(const Piece& x, const Piece& y) {
  return x.first <= y.last && y.first <= x.last;
}

/// The begin of the first gap of so many bytes between parts of a block, which
/// are in order and may overlap.
size_t first_gap(const std::vector<std::pair<size_t, size_t>>& parts,
                 size_t bytes) {
  size_t end = 0;
  for (const auto& [begin, own] : parts) {
    if (begin >= end + bytes) break;
    end = std::max(end, begin + own);
  }
  return end;
}

}  // namespace

size_t least_bytes_of(std::span<const Piece> pieces) {
  std::map<size_t, size_t> taken;  // bytes, by the step that takes them
  std::map<size_t, size_t> given;  // by the step behind which they are free
  for (const Piece& piece : pieces) {
    taken[piece.first] += piece.bytes;
    given[piece.last] += piece.bytes;
  }
  size_t used = 0;
  size_t most = 0;
  auto next = given.begin();
  for (const auto& [step, bytes] : taken) {
    for (; next != given.end() && next->first < step; ++next) {
      used -= next->second;
    }
    used += bytes;
    most = std::max(most, used);
  }
  return most;
}

Packing packed(std::span<const Piece> pieces) {
  std::vector<size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t x, size_t y) {
    return pieces[x].bytes > pieces[y].bytes;
  });
  Packing packing{std::vector<size_t>(pieces.size()), 0};
  std::vector<std::pair<size_t, size_t>> parts;  // of pieces that it meets
  for (auto own = order.begin(); own != order.end(); ++own) {
    const Piece& piece = pieces[*own];
    parts.clear();
    for (auto other = order.begin(); other != own; ++other) {
      if (!meet(piece, pieces[*other])) continue;
      parts.emplace_back(packing.offsets[*other], pieces[*other].bytes);
    }
    std::ranges::sort(parts);
    const size_t offset = first_gap(parts, piece.bytes);
    packing.offsets[*own] = offset;
    packing.bytes = std::max(packing.bytes, offset + piece.bytes);
  }
  return packing;
}

}  // namespace hlo::cpu
