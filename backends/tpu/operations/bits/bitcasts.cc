#include "backends/tpu/operations/bits/bitcasts.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "backends/tpu/machine/lane_gather.h"
#include "backends/tpu/machine/scalar_read.h"
#include "backends/tpu/operations/bits/bit_row.h"
#include "backends/tpu/operations/fills/fill.h"
#include "backends/tpu/operations/sizes/rearranged.h"
#include "interpreter/error.h"
#include "interpreter/model/buffer.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/model/storage.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/work.h"

namespace hlo::tpu {
namespace {

constexpr int64_t kKeptRegisters = 32;
constexpr int64_t kByte = 8;

int64_t slot_bits(const Shape& shape) {
  const int64_t said = shape.layout ? shape.layout->element_size_in_bits : 0;
  return said != 0 ? said : kByte * storage_bytes(shape.element_type);
}

/// Elements of `to` from the bits of those of an array in the row `from`, and,
/// as slots that hold nothing are zeros, of those that others fill.
class Rereading {
 public:
  Rereading(Machine& machine, const TiledArray& array, const BitRow& from,
            const BitRow& to)
      : machine_(machine),
        type_(array.shape.element_type),
        gather_(machine, array, kKeptRegisters),
        from_(from),
        to_(to) {}

  void fill(const LaneElements& elements, Register& into) {
    std::vector<Bits> bits(kLanes, 0);
    if (before_ != nullptr) before_->add_all(elements, bits);
    add_all(elements, bits);
    for (int64_t k = 0; k < kLanes; ++k) {
      const auto at = static_cast<size_t>(k);
      if (elements[at] == TileOrder::kPadding) continue;
      const Bits slot = low_bits(bits[at], to_.slot_bits());
      const bool is_pred = into.type() == ElementType::kPred;
      store_from_slot(into.type(), is_pred ? Bits{slot != 0} : slot,
                      into.lane(k));
    }
  }

  /// What lies before the array in the same row.
  void set_before(Rereading* before) { before_ = before; }

 private:
  void add_all(const LaneElements& elements, std::vector<Bits>& bits) {
    // An element may begin anywhere in a slot and end in any of the next ones.
    const int64_t most = (to_.slot_bits() - 1) / from_.slot_bits() + 2;
    for (int64_t part = 0; part < most; ++part) add(elements, part, bits);
  }

  /// Adds the bits of slot `part` of those that an element of each lane takes.
  void add(const LaneElements& elements, int64_t part,
           std::vector<Bits>& bits) {
    LaneElements sources;
    sources.fill(TileOrder::kPadding);
    for (size_t k = 0; k < elements.size(); ++k) {
      if (elements[k] == TileOrder::kPadding) continue;
      const BitRow::Place place = from_.place_of(to_.bit_of(elements[k]));
      sources[k] = from_.element_in(place.slot + part);
    }
    Register lanes(machine_.scratch, type_);
    gather_.gather(sources, lanes);
    for (size_t k = 0; k < elements.size(); ++k) {
      if (sources[k] == TileOrder::kPadding) continue;
      const Bits slot = slot_of_element(
          type_, lanes.lane(static_cast<int64_t>(k)), from_.slot_bits());
      const int64_t before = part * from_.slot_bits() -
                             from_.place_of(to_.bit_of(elements[k])).bit;
      constexpr int64_t kAll = 128;
      if (before >= kAll) continue;
      bits[k] |= before >= 0 ? slot << before : slot >> -before;
    }
  }

  Machine& machine_;
  ElementType type_;
  LaneGather gather_;
  const BitRow& from_;
  const BitRow& to_;
  Rereading* before_ = nullptr;
};

/// The shape with the order of its dimensions and the width of its slots alone.
Shape without_tiles(const Shape& shape) {
  Shape plain = shape;
  if (!shape.layout) return plain;
  plain.layout = Layout{};
  plain.layout->minor_to_major = shape.layout->minor_to_major;
  plain.layout->element_size_in_bits = shape.layout->element_size_in_bits;
  return plain;
}

/// The bits in front of the elements.
int64_t prefix_bits(const Shape& shape) {
  return shape.layout
             ? kByte * shape.layout->dynamic_shape_metadata_prefix_bytes
             : 0;
}

/// A number of 32 bits for each dimension, as buffers have them in front.
Shape sizes_shape(int64_t rank) {
  return Shape::array(ElementType::kU32, {rank});
}

BitRow row_of_sizes(int64_t rank) {
  return {sizes_shape(rank), bits(ElementType::kU32)};
}

/// The sizes of the array's bounds, in its memory.
TiledArray sizes_in_front(Machine& machine, const Shape& bounds) {
  return filled(
      machine, sizes_shape(bounds.rank()),
      [&](const LaneElements& elements, Register& into) {
        for (size_t k = 0; k < elements.size(); ++k) {
          if (elements[k] == TileOrder::kPadding) continue;
          const auto d = static_cast<size_t>(elements[k]);
          const auto size = static_cast<uint64_t>(bounds.dims[d]);
          store(into.type(), {size, 0}, into.lane(static_cast<int64_t>(k)));
        }
      });
}

/// The sizes that the array of numbers in front of one says.
std::vector<int64_t> sizes_said(Machine& machine, const TiledArray& numbers,
                                const Shape& bounds) {
  std::vector<int64_t> sizes;
  for (const int64_t bound : bounds.dims) {
    sizes.push_back(integer_at(machine, numbers, std::ssize(sizes)));
    require_evaluable(sizes.back() <= bound, "literal.prefix",
                      {"a buffer's prefix has the size ", sizes.back(),
                       " where the bound is ", bound},
                      "it must be within the bound");
  }
  return sizes;
}

/// By the layouts that the program gives both, whatever the machine has.
TiledArray cast(Machine& machine, const TiledArray& array, const Shape& given,
                const Shape& shape, const Shape& placed) {
  const bool same = buffer_bytes(given) == buffer_bytes(shape);
  const Shape source = same ? given : without_tiles(given);
  const Shape target = same ? shape : without_tiles(shape);
  const BitRow from(source, slot_bits(given), prefix_bits(source));
  const BitRow from_sizes = row_of_sizes(source.rank());
  std::optional<TiledArray> sizes;
  if (has_room_for_sizes(source)) sizes = sizes_in_front(machine, source);
  const auto reread = [&](const BitRow& to, const Shape& as) {
    Rereading rereading(machine, array, from, to);
    std::optional<Rereading> before;
    if (sizes) {
      before.emplace(machine, *sizes, from_sizes, to);
      rereading.set_before(&*before);
    }
    return filled(machine, as,
                  [&](const LaneElements& elements, Register& into) {
                    rereading.fill(elements, into);
                  });
  };
  TiledArray result =
      reread({target, slot_bits(shape), prefix_bits(target)}, placed);
  if (has_room_for_sizes(target)) {
    const int64_t rank = target.rank();
    const TiledArray said = reread(row_of_sizes(rank), sizes_shape(rank));
    set_sizes(result, sizes_said(machine, said, target));
  }
  return result;
}

/// Any part of a tuple: an array or a further tuple. `placed` has the layouts
/// of the result.
Value cast_part(Machine& machine, const Value& operand, const Shape& given,
                const Shape& shape, const Shape& placed) {
  if (!shape.is_tuple()) {
    require_evaluable(operand.array.sizes.empty(), "evaluate.sizes",
                      {"bitcast: an array of the tuple, ", operand.shape,
                       ", has fewer elements than its bounds say"},
                      "it must have as many");
    return Value{.shape = shape,
                 .array = cast(machine, operand.array, given, shape, placed)};
  }
  Value tuple{.shape = shape};
  for (size_t k = 0; k < shape.tuple_shapes.size(); ++k) {
    tuple.elements.push_back(
        cast_part(machine, operand.elements[k], given.tuple_shapes[k],
                  shape.tuple_shapes[k], placed.tuple_shapes[k]));
  }
  return tuple;
}

/// Row-major, with slots as wide as the elements are as parts of others.
BitRow dense_row(const Shape& shape) {
  const bool is_pred = shape.element_type == ElementType::kPred;
  return {Shape::array(shape.element_type, shape.dims),
          is_pred ? kByte : bits(shape.element_type)};
}

Value convert(Machine& machine, const Instruction& instruction,
              const Value& operand, const Shape& placed) {
  const BitRow from = dense_row(operand.shape);
  const BitRow to = dense_row(instruction.shape);
  Rereading rereading(machine, operand.array, from, to);
  return {.shape = instruction.shape,
          .array = filled(machine, placed,
                          [&](const LaneElements& elements, Register& into) {
                            rereading.fill(elements, into);
                          })};
}

}  // namespace

std::optional<Value> reread_bits(Machine& machine,
                                 const Instruction& instruction,
                                 const Value& operand, const Shape& placed) {
  if (instruction.op->form == Form::kBits) {
    machine.evaluator.budget().spend(work_of(instruction));
    return convert(machine, instruction, operand, placed);
  }
  if (instruction.op->name != "bitcast") return std::nullopt;
  machine.evaluator.budget().spend(work_of(instruction));
  return cast_part(machine, operand, instruction.operand_shape(0),
                   instruction.shape, placed);
}

}  // namespace hlo::tpu
