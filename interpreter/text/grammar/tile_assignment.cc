#include "interpreter/text/grammar/tile_assignment.h"

#include <algorithm>
#include <numeric>

#include "interpreter/counted.h"
#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/grammar/read_window.h"

namespace hlo::text {
namespace {

/// The most devices that a list written in a short form may stand for.
constexpr int64_t kMaxDevices = int64_t{1} << 20;

int64_t product(const Ints& sizes) {
  return Shape::array(ElementType::kPred, sizes).element_count();
}

std::string joined(const Ints& values) {
  std::string text;
  for (const int64_t value : values) {
    if (!text.empty()) text += ',';
    text += std::to_string(value);
  }
  return text;
}

Ints read_sizes(Scanner& in) {
  const size_t start = in.position();
  Ints sizes = read_ints(in, '[', ']');
  if (std::ranges::any_of(sizes, [](int64_t size) { return size < 1; }) ||
      product(sizes) > kMaxDevices) {
    in.fail_at(start, "text.devices",
               "a size or their product is out of range: sizes must be "
               "positive and their product at most 2^20");
  }
  return sizes;
}

bool is_permutation_of_rank(Ints order, size_t rank) {
  std::ranges::sort(order);
  for (size_t d = 0; d < order.size(); ++d) {
    if (order[d] != static_cast<int64_t>(d)) return false;
  }
  return order.size() == rank;
}

void read_iota(Scanner& in, TileAssignment& tiles) {
  tiles.reshape = read_sizes(in);
  const size_t start = in.position();
  if (!in.eat_word("T")) return;
  tiles.transpose = read_ints(in, '(', ')');
  if (!is_permutation_of_rank(tiles.transpose, tiles.reshape.size())) {
    in.fail_at(start, "text.devices",
               "T(...) is no permutation of the dimensions, but must be one");
  }
}

void read_devices(Scanner& in, TileAssignment& tiles) {
  do {
    tiles.devices.push_back(in.natural("a device"));
  } while (in.eat(','));
}

}  // namespace

Ints iota_devices(const Ints& reshape, Ints transpose) {
  if (transpose.empty()) {
    transpose.resize(reshape.size());
    std::iota(transpose.begin(), transpose.end(), 0);
  }
  const auto strides = row_major_strides(reshape);
  Ints sizes;
  for (const int64_t d : transpose) {
    sizes.push_back(reshape[static_cast<size_t>(d)]);
  }
  Ints devices(static_cast<size_t>(product(reshape)));
  Index index(sizes.size());
  int64_t device = 0;
  for (int64_t& slot : devices) {
    slot = device;
    for (size_t d = sizes.size(); d-- > 0;) {  // to the next index
      const int64_t stride = strides[static_cast<size_t>(transpose[d])];
      device += stride;
      if (++index[d] < sizes[d]) break;
      device -= stride * sizes[d];
      index[d] = 0;
    }
  }
  return devices;
}

std::vector<Ints> split_devices(const Ints& devices, int64_t groups,
                                int64_t size) {
  std::vector<Ints> result;
  for (int64_t g = 0; g < groups; ++g) {
    const auto begin = devices.begin() + g * size;
    result.emplace_back(begin, begin + size);
  }
  return result;
}

int64_t TileAssignment::size() const { return product(dims); }

TileAssignment read_tile_assignment(Scanner& in, bool with_list,
                                    std::string_view kind) {
  const size_t start = in.position();
  TileAssignment tiles;
  tiles.dims = read_sizes(in);
  tiles.text = "[" + joined(tiles.dims) + "]";
  int64_t size = 0;
  if (in.eat("<=")) {
    read_iota(in, tiles);
    size = product(tiles.reshape);
    tiles.text += "<=[" + joined(tiles.reshape) + "]";
    if (!tiles.transpose.empty()) {
      tiles.text += "T(" + joined(tiles.transpose) + ")";
    }
  } else if (with_list) {
    read_devices(in, tiles);
    size = static_cast<int64_t>(tiles.devices.size());
    tiles.text += joined(tiles.devices);
  } else {
    in.expected("'<='");
  }
  if (size != tiles.size()) {
    in.fail_at(start, "text.devices",
               "the " + std::string(kind) + " hold " +
                   counted(std::ssize(tiles), "device") + ", but " +
                   std::to_string(size) + (size == 1 ? " is" : " are") +
                   " given");
  }
  return tiles;
}

}  // namespace hlo::text
