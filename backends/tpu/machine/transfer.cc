#include "backends/tpu/machine/transfer.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "backends/tpu/machine/record_step.h"
#include "backends/tpu/machine/slots.h"
#include "backends/tpu/memory/trap.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kByte = 8;

int64_t lanes_of(const TiledArray& array, int64_t r) {
  return std::min(kLanes, array.order->lanes() - r * kLanes);
}

void count(Machine& machine, const TiledArray& array, int64_t lanes,
           int64_t elements) {
  machine.counters.bytes_moved += lanes * array.slot_bits() / kByte;
  machine.counters.padding_moved +=
      (lanes - elements) * array.slot_bits() / kByte;
}

void count_store(Machine& machine, const TiledArray& array, int64_t r,
                 const std::bitset<kLanes>& mask) {
  machine.counters.stores += 1;
  count(machine, array, lanes_of(array, r), static_cast<int64_t>(mask.count()));
}

/// Where a lane of the array lies, for messages.
std::string place_of(const TiledArray& array, int64_t lane) {
  const int64_t slot = array.order->slot_of(lane);
  const int64_t address = array.memory->address() + array.prefix_bytes() +
                          slot * array.slot_bits() / kByte;
  return "lane " + std::to_string(lane % kLanes) + " of register " +
         std::to_string(lane / kLanes) + " of " + to_string(array.shape) +
         ", at the address " + hexadecimal(address);
}

void require_register(const TiledArray& array, int64_t r) {
  if (r >= 0 && r < array.registers()) return;
  throw Trap("tpu.bounds", "moves register " + std::to_string(r) + " of " +
                               to_string(array.shape) +
                               ", but it must be one of " +
                               std::to_string(array.registers()));
}

/// Whether lanes are slots, and these what a literal stores: then runs of them
/// move as they are.
bool moves_as_it_is(const TiledArray& array, const Slots& slots) {
  return array.order->is_direct() && slots.are_plain();
}

/// What is taken for elements must have been stored.
void require_elements(const TiledArray& array, const Slots& slots,
                      int64_t first, int64_t count) {
  const TileOrder& order = *array.order;
  if (order.is_direct() && slots.are_written(first, count)) return;
  for (int64_t lane = first; lane < first + count; ++lane) {
    if (!slots.are_written(order.slot_of(lane), 1))
      read_of_padding(array, lane);
  }
}

/// The run with the lane behind it, which is valid then.
TileOrder::Run longer(TileOrder::Run run, int64_t lanes, Register& into) {
  if (run.first + run.count == lanes) return run;
  into.valid().set(static_cast<size_t>(run.first + run.count));
  return {run.first, run.count + 1};
}

/// The lanes that become elements must be what elements were computed from.
void require_valid(const Register& from, const TiledArray& array, int64_t r) {
  const std::bitset<kLanes> missing = array.order->mask(r) & ~from.valid();
  for (int64_t k = 0; missing.any() && k < kLanes; ++k) {
    if (!missing[static_cast<size_t>(k)]) continue;
    throw Trap("tpu.padding",
               "stores to " + place_of(array, r * kLanes + k) +
                   " what is no element, but padding must not become part of a "
                   "value");
  }
}

void store_run(const Register& from, const TiledArray& array,
               const Slots& slots, int64_t r, TileOrder::Run run) {
  const int64_t first = r * kLanes + run.first;
  if (moves_as_it_is(array, slots)) {
    slots.store_plain(first, run.count, from.lane(run.first));
    return;
  }
  for (int64_t k = 0; k < run.count; ++k) {
    slots.store(array.order->slot_of(first + k), from.lane(run.first + k));
  }
}

}  // namespace

void read_of_padding(const TiledArray& array, int64_t lane) {
  throw Trap("tpu.padding", "reads " + place_of(array, lane) +
                                ", which holds no element, but padding must "
                                "not become part of a value");
}

Register load_register(Machine& machine, const TiledArray& array, int64_t r) {
  require_register(array, r);
  Register into(machine.scratch, array.shape.element_type);
  const Slots slots(array, machine.fault);
  const TileOrder& order = *array.order;
  const int64_t first = r * kLanes;
  const int64_t lanes = lanes_of(array, r);
  if (moves_as_it_is(array, slots)) {
    std::memcpy(into.bytes(), slots.plain(first),
                static_cast<size_t>(lanes * into.width()));
  } else {
    for (int64_t k = 0; k < lanes; ++k) {
      slots.load(order.slot_of(first + k), into.lane(k));
    }
  }
  into.valid() = order.mask(r);
  for (TileOrder::Run run : order.runs(r)) {
    if (machine.has(Fault::kMaskTooLong)) run = longer(run, lanes, into);
    require_elements(array, slots, first + run.first, run.count);
  }
  record_step(machine, array, r, /*is_store=*/false);
  machine.counters.loads += 1;
  count(machine, array, lanes, static_cast<int64_t>(into.valid().count()));
  return into;
}

void store_register(Machine& machine, const Register& from,
                    const TiledArray& array, int64_t r) {
  require_register(array, r);
  require_valid(from, array, r);
  record_step(machine, array, r, /*is_store=*/true);
  const Slots slots(array, machine.fault);
  const int32_t left_out = machine.has(Fault::kMaskTooShort) ? 1 : 0;
  for (const TileOrder::Run& run : array.order->runs(r)) {
    store_run(from, array, slots, r, {run.first, run.count - left_out});
  }
  count_store(machine, array, r, array.order->mask(r));
}

void store_lanes(Machine& machine, const Register& from,
                 const TiledArray& array, int64_t r) {
  require_register(array, r);
  record_step(machine, array, r, /*is_store=*/true);
  const Slots slots(array, machine.fault);
  const std::bitset<kLanes> mask = from.valid() & array.order->mask(r);
  for (int32_t k = 0; k < kLanes; ++k) {
    if (!mask[static_cast<size_t>(k)]) continue;
    const int32_t begin = k;
    while (k + 1 < kLanes && mask[static_cast<size_t>(k) + 1]) ++k;
    store_run(from, array, slots, r, {begin, k + 1 - begin});
  }
  count_store(machine, array, r, mask);
}

bool is_complete(const Register& from, const TiledArray& array, int64_t r) {
  const std::bitset<kLanes>& mask = array.order->mask(r);
  return (from.valid() & mask) == mask;
}

ElementBits element_at(Machine& machine, const TiledArray& array,
                       int64_t element) {
  const ElementType type = array.shape.element_type;
  alignas(uint64_t) std::byte stored[sizeof(ElementBits)];
  const int64_t lane = array.order->lane_of(element);
  const Slots slots(array, machine.fault);
  require_elements(array, slots, lane, 1);
  slots.load(array.order->slot_of(lane), stored);
  machine.counters.elements_one_by_one += 1;
  return hlo::load(type, stored);
}

Literal read_elements(Machine& machine, const TiledArray& array) {
  record_step(machine, array, TileStep::kOneByOne, /*is_store=*/false);
  Literal literal = Literal::uninitialized(array.shape);
  const Slots slots(array, machine.fault);
  const int64_t width = storage_bytes(array.shape.element_type);
  std::byte* into = literal.mutable_bytes().data();
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const int64_t lane = array.order->lane_of(i);
    require_elements(array, slots, lane, 1);
    slots.load(array.order->slot_of(lane), into + i * width);
  }
  machine.counters.elements_one_by_one += literal.element_count();
  if (!array.sizes.empty()) literal.set_dynamic_sizes(array.sizes);
  return literal;
}

void write_elements(Machine& machine, const Literal& from,
                    const TiledArray& array) {
  record_step(machine, array, TileStep::kOneByOne, /*is_store=*/true);
  const Slots slots(array, machine.fault);
  const int64_t width = storage_bytes(array.shape.element_type);
  const std::byte* source = from.bytes().data();
  for (int64_t i = 0; i < from.element_count(); ++i) {
    slots.store(array.order->slot_of(array.order->lane_of(i)),
                source + i * width);
  }
  machine.counters.elements_one_by_one += from.element_count();
}

void take_bytes(Machine& machine, std::span<const std::byte> from,
                const TiledArray& array) {
  const Slots slots(array, machine.fault);
  std::byte* const into = array.memory->bytes().data();
  if (from.data() != into) std::ranges::copy(from, into);
  for (int64_t r = 0; r < array.registers(); ++r) {
    for (const TileOrder::Run& run : array.order->runs(r)) {
      const int64_t first = r * kLanes + run.first;
      if (array.order->is_direct()) {
        slots.mark(first, run.count);
        continue;
      }
      for (int64_t k = 0; k < run.count; ++k) {
        slots.mark(array.order->slot_of(first + k), 1);
      }
    }
  }
}

}  // namespace hlo::tpu
