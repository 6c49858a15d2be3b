#include "backends/tpu/machine/transfer.h"

#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "backends/tpu/machine/lane_scatter.h"
#include "backends/tpu/memory/trap.h"
#include "interpreter/evaluate.h"

namespace hlo::tpu {
namespace {

/// The bytes of an array that begins like that; bits of padding are not in the
/// mask.
struct Stored {
  ElementType type;
  std::vector<int64_t> codes;
  Layout layout;
  std::vector<int> bytes;
  std::vector<int> mask;
};

Layout layout_of(const std::vector<int64_t>& tile, int64_t bits) {
  Layout layout = default_layout(1);
  if (!tile.empty()) layout.tiles.push_back({tile});
  layout.element_size_in_bits = bits;
  return layout;
}

// The buffers of spec/layout.md, "Tiles" and "Width of an element", and one
// with a second tile: T(2)(3) has the slots 0, 1, 3.
std::vector<Stored> stored_arrays() {
  Layout twice = layout_of({2}, 0);
  twice.tiles.push_back({{3}});
  using enum ElementType;
  return {
      {kU8, {1, 2, 3}, layout_of({2}, 0), {1, 2, 3, 0}, {255, 255, 255, 0}},
      {kS4, {1, -1, 7, -8}, layout_of({}, 4), {0xf1, 0x87}, {255, 255}},
      {kU2, {1, 2, 3, 0, 3}, layout_of({}, 2), {0x39, 0xa7}, {255, 3}},
      {kF6E3M2FN,
       {1, 0x3f, 0, 0x1f},
       layout_of({}, 6),
       {0xc1, 0x0f, 0x7c},
       {255, 255, 255}},
      {kS8,
       {-2, 3},
       layout_of({}, 16),
       {0xfe, 0xff, 3, 0},
       {255, 255, 255, 255}},
      {kU8, {1, 2, 3}, twice, {1, 2, 0, 3, 0, 0}, {255, 255, 0, 255, 0, 0}},
  };
}

void set_valid(Register& lanes, std::initializer_list<size_t> valid) {
  for (const size_t lane : valid) lanes.valid().set(lane);
}

class TransferTest : public ::testing::Test {
 protected:
  TiledArray array_of(const Stored& stored) {
    Shape shape = Shape::array(stored.type, {std::ssize(stored.codes)});
    shape.layout = stored.layout;
    return new_array(machine_.memory, shape);
  }

  TiledArray floats(const std::vector<int64_t>& dims) {
    Shape shape = Shape::array(ElementType::kF32, dims);
    shape.layout = default_layout(shape.rank());
    shape.layout->tiles = {{{8, 128}}};
    return new_array(machine_.memory, shape);
  }

  static std::string rule_of(const std::function<void()>& run) {
    try {
      run();
    } catch (const Trap& trap) {
      return trap.rule();
    }
    return "";
  }

  static constexpr int64_t kScratchBytes = 64 * kLanes;
  Evaluator evaluator_{kReference};
  Scratch scratch_{kScratchBytes};
  Machine machine_{
      .memory = Hbm(512), .scratch = scratch_, .evaluator = evaluator_};
};

Register filled(Machine& machine, const Stored& stored,
                const TileOrder& order) {
  Register lanes(machine.scratch, stored.type);
  for (int64_t i = 0; i < order.elements(); ++i) {
    const auto code =
        static_cast<uint64_t>(stored.codes[static_cast<size_t>(i)]);
    const uint64_t kept = code & value_mask(stored.type);
    hlo::store(stored.type, {kept, 0}, lanes.lane(order.lane_of(i)));
    lanes.valid().set(static_cast<size_t>(order.lane_of(i)));
  }
  return lanes;
}

TEST_F(TransferTest, StoresTheBytesOfTheLayout) {
  for (const Stored& stored : stored_arrays()) {
    const TiledArray array = array_of(stored);
    store_register(machine_, filled(machine_, stored, *array.order), array, 0);
    for (size_t k = 0; k < stored.bytes.size(); ++k) {
      const auto mask = static_cast<std::byte>(stored.mask[k]);
      EXPECT_EQ(array.memory->bytes()[k] & mask,
                static_cast<std::byte>(stored.bytes[k]) & mask)
          << to_string(array.shape) << " byte " << k;
      EXPECT_EQ(array.memory->written()[k], mask)
          << to_string(array.shape) << " byte " << k;
    }
  }
}

TEST_F(TransferTest, LoadsTheElementsOfABuffer) {
  for (const Stored& stored : stored_arrays()) {
    const TiledArray array = array_of(stored);
    std::vector<std::byte> bytes;
    for (const int byte : stored.bytes) {
      bytes.push_back(static_cast<std::byte>(byte));
    }
    take_bytes(machine_, bytes, array);
    const Register lanes = load_register(machine_, array, 0);
    EXPECT_EQ(lanes.valid().count(), stored.codes.size());
    for (int64_t i = 0; i < array.order->elements(); ++i) {
      const int64_t code = stored.codes[static_cast<size_t>(i)];
      const auto kept = static_cast<uint64_t>(code) & value_mask(stored.type);
      const int64_t lane = array.order->lane_of(i);
      EXPECT_EQ(hlo::load(stored.type, lanes.lane(lane))[0], kept)
          << to_string(array.shape) << " element " << i;
      EXPECT_EQ(element_at(machine_, array, i)[0], kept)
          << to_string(array.shape) << " element " << i;
    }
  }
}

TEST_F(TransferTest, StopsAtRegistersThatAnArrayHasNot) {
  const TiledArray array = floats({9, 3});  // two tiles
  const Register lanes(machine_.scratch, ElementType::kF32);
  for (const int64_t r : {-1, 2}) {
    const auto bounds = "tpu.bounds";
    EXPECT_EQ(rule_of([&] { load_register(machine_, array, r); }), bounds);
    EXPECT_EQ(rule_of([&] { store_lanes(machine_, lanes, array, r); }), bounds);
    EXPECT_EQ(rule_of([&] { store_register(machine_, lanes, array, r); }),
              bounds);
  }
}

TEST_F(TransferTest, StopsAtElementsThatNobodyStored) {
  const TiledArray array = floats({2, 3});
  Register lanes(machine_.scratch, ElementType::kF32);
  set_valid(lanes, {0, 1, 2, 128, 130});
  store_lanes(machine_, lanes, array, 0);
  EXPECT_EQ(rule_of([&] { element_at(machine_, array, 3); }), "");
  EXPECT_EQ(rule_of([&] { read_elements(machine_, array); }), "tpu.padding");
  try {
    load_register(machine_, array, 0);
    FAIL() << "element 4 is lane 129, where nothing was stored";
  } catch (const Trap& trap) {
    EXPECT_EQ(trap.rule(), "tpu.padding");
    EXPECT_STREQ(trap.what(),
                 "reads lane 129 of register 0 of f32[2,3]{1,0:T(8,128)}, at "
                 "the address 0x204, which holds no element, but padding must "
                 "not become part of a value");
  }
}

TEST_F(TransferTest, StopsAtAResultOfPadding) {
  const TiledArray array = floats({2, 3});
  Register lanes(machine_.scratch, ElementType::kF32);
  set_valid(lanes, {0, 1, 2, 128, 129, 131});
  EXPECT_EQ(rule_of([&] { store_register(machine_, lanes, array, 0); }),
            "tpu.padding");
  lanes.valid().set(130);
  EXPECT_EQ(rule_of([&] { store_register(machine_, lanes, array, 0); }), "");
}

TEST_F(TransferTest, StopsWhereAScatterLeavesElementsOut) {
  const TiledArray array = floats({2, 3});
  Register lanes(machine_.scratch, ElementType::kF32);
  LaneElements elements;
  elements.fill(TileOrder::kPadding);
  for (int64_t k = 0; k < 5; ++k) elements[static_cast<size_t>(k)] = k;
  lanes.valid().set();
  LaneScatter scatter(machine_, array, 1);
  scatter.scatter(lanes, elements);
  EXPECT_EQ(rule_of([&] { scatter.finish(); }), "tpu.unwritten");
}

}  // namespace
}  // namespace hlo::tpu
