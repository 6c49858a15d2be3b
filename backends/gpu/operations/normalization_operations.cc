#include <algorithm>
#include <bit>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/number_room.h"
#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/kernel_codes.h"
#include "interpreter/rules/epsilon.h"

// Batch normalisation: kernels/normalize.inc.

namespace hlo::gpu {
namespace {

enum class Kind : uint8_t { kTraining, kInference, kGradient };

/// What a launch of both kernels has in common.
struct Normalization {
  int64_t elements = 1;  // of a feature
  int64_t features = 1;
  int64_t behind = 1;  // elements behind each feature
  int64_t slot = 0;    // bytes
  Kind kind;
  int64_t epsilon;  // its bits
  Ints arrays;

  Normalization(const Instruction& norm, const Values& operands, Kind of);

  Ints words(int64_t end, int64_t first, int64_t of_features, int64_t room,
             int64_t bytes) const;

  int64_t bytes_of_feature() const {
    constexpr int64_t kSlots = 4;
    return 16 + kSlots * slot;
  }

  int64_t bytes_of_item() const {
    constexpr int64_t kSlots = 9;
    return kSlots * slot;
  }
};

Normalization::Normalization(const Instruction& norm, const Values& operands,
                             Kind of)
    : kind(of), epsilon(std::bit_cast<int64_t>(epsilon_of(norm))) {
  const Ints& dims = operands[0]->shape.dims;
  const auto feature = norm.get<int64_t>("feature_index");
  int64_t range = range_in_bits(ElementType::kF32);  // of epsilon
  ElementType widest = ElementType::kF32;
  for (size_t d = 0; d < dims.size(); ++d) {
    const auto place = static_cast<int64_t>(d);
    (place == feature ? features : elements) *= dims[d];
    if (place > feature) behind *= dims[d];
  }
  for (const Value* operand : operands) {
    const ElementType type = operand->shape.element_type;
    range = std::max(range, range_in_bits(type));
    if (is_double(type)) widest = type;
    append(arrays, {operand->offset(), type_code(type)});
  }
  arrays.resize(10, 0);
  // The largest numbers are squares of what scale is multiplied by, and a
  // difference's times what a root is taken of.
  slot = slot_bytes(2 * bits_of_difference(range, widest) + 8 * range +
                    8 * bits_of_count(elements + 1));
}

Ints Normalization::words(int64_t end, int64_t first, int64_t of_features,
                          int64_t room, int64_t bytes) const {
  Ints words = {end,      first,       elements,
                features, behind,      static_cast<int64_t>(kind),
                epsilon,  of_features, bytes_of_feature(),
                room,     bytes,       slot};
  append(words, arrays);
  return words;
}

Value normalized(Memory& memory, const Instruction& norm,
                 const Values& operands, Kind kind) {
  Normalization launch(norm, operands, kind);
  std::vector<Value> results;
  for (const Shape* leaf : leaves(norm.shape)) {
    results.push_back(new_array(memory, *leaf));
    append(launch.arrays,
           {results.back().offset(), type_code(leaf->element_type)});
  }
  const Block features(
      memory, static_cast<uint64_t>(std::max(
                  launch.features * launch.bytes_of_feature(), int64_t{1})));
  const auto run = [&](Kernel kernel, int64_t count) {
    run_with_room(
        memory, count, launch.bytes_of_item(),
        [&](int64_t end, int64_t first, int64_t room) {
          memory.device().run(
              kernel,
              launch.words(end, first, static_cast<int64_t>(features.offset()),
                           room, launch.bytes_of_item()),
              end - first);
        });
  };
  if (kind != Kind::kInference) run(Kernel::kFeature, launch.features);
  run(Kernel::kNormalize, launch.elements * launch.features);
  if (!norm.shape.is_tuple()) return results.at(0);
  return {norm.shape, nullptr, std::move(results)};
}

template <Kind kind>
Value normalize(Memory& memory, const Instruction& norm,
                const Values& operands) {
  return normalized(memory, norm, operands, kind);
}

}  // namespace

Functions normalization_functions() {
  return {{"batch-norm-training", normalize<Kind::kTraining>},
          {"batch-norm-inference", normalize<Kind::kInference>},
          {"batch-norm-grad", normalize<Kind::kGradient>}};
}

}  // namespace hlo::gpu
