#include <cstring>

#include "backends/tpu/machine/transfer.h"
#include "backends/tpu/operations/lane_source.h"
#include "backends/tpu/operations/operations.h"
#include "interpreter/plans/region/region.h"

namespace hlo::tpu {
namespace {

/// The operand's lanes as the region takes them.
Register argument(Machine& machine, const LaneSource& source, int64_t r,
                  ElementType type) {
  Register lanes = source.at(r);
  if (source.is_splat()) {
    for (int64_t k = 1; k < kLanes; ++k) {
      std::memcpy(lanes.lane(k), lanes.lane(0),
                  static_cast<size_t>(lanes.width()));
    }
    lanes.valid().set();
  }
  return lanes.type() == type ? std::move(lanes)
                              : converted_lanes(machine, lanes, type);
}

/// The lanes that hold elements, moved together to the front; what comes of
/// them goes back.
class Packed {
 public:
  explicit Packed(const std::bitset<kLanes>& valid) {
    for (int64_t k = 0; k < kLanes; ++k) {
      if (valid[static_cast<size_t>(k)]) lanes_.push_back(k);
    }
  }

  int64_t count() const { return std::ssize(lanes_); }

  void pack(Register& lanes) const {
    for (int64_t i = 0; i < count(); ++i) move(lanes, lane(i), i);
  }

  void unpack(Register& lanes) const {
    for (int64_t i = count(); i-- > 0;) move(lanes, i, lane(i));
  }

 private:
  int64_t lane(int64_t i) const { return lanes_[static_cast<size_t>(i)]; }

  static void move(Register& lanes, int64_t from, int64_t to) {
    std::memmove(lanes.lane(to), lanes.lane(from),
                 static_cast<size_t>(lanes.width()));
  }

  std::vector<int64_t> lanes_;
};

}  // namespace

TiledArray map_lanes(Machine& machine, const Instruction& map,
                     const Values& operands, const Shape& shape) {
  TiledArray result = new_array(machine.memory, shape);
  const Region region(*map.get<Computation*>("to_apply"), machine.evaluator);
  Region::Scratch scratch(region, kLanes);
  std::vector<LaneSource> sources;
  for (const Value* operand : operands) {
    sources.emplace_back(machine, operand->array, result);
  }
  for (int64_t r = 0; r < result.registers(); ++r) {
    Register lanes(machine.scratch, region.outputs()[0]);
    lanes.valid().set();
    std::vector<Register> arguments;
    for (size_t i = 0; i < sources.size(); ++i) {
      arguments.push_back(argument(machine, sources[i], r, region.inputs()[i]));
      lanes.valid() &= arguments.back().valid();
    }
    // Padding holds anything: a region that loops might never end on it.
    const Packed packed(lanes.valid());
    std::vector<const std::byte*> inputs;
    for (Register& each : arguments) {
      packed.pack(each);
      inputs.push_back(each.bytes());
    }
    std::byte* const output = lanes.bytes();
    if (packed.count() > 0) {
      region.run(scratch, packed.count(), inputs.data(), &output);
    }
    if (!machine.has(Fault::kMapNotPutBack)) packed.unpack(lanes);
    machine.counters.vector_operations += 1;
    store_register(machine,
                   lanes.type() == shape.element_type
                       ? std::move(lanes)
                       : converted_lanes(machine, lanes, shape.element_type),
                   result, r);
  }
  return result;
}

}  // namespace hlo::tpu
