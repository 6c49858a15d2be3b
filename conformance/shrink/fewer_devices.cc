#include <algorithm>
#include <memory>
#include <utility>

#include "conformance/shrink/candidates.h"
#include "conformance/shrink/resizing.h"
#include "interpreter/devices/devices.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

/// The devices that are left of a program, and which of its arrays go with
/// them.
struct Kept {
  int64_t replicas;
  int64_t partitions;
  int64_t before;    // how many devices there were
  int64_t first;     // of those whose inputs stay
  bool are_resized;  // dimensions of as many elements as devices, or several
                     // times as many
};

/// Groups and pairs name devices that are gone: without groups all devices are
/// in one, and pairs are those that are left.
void leave_out(Instruction& instruction, int64_t devices) {
  std::erase_if(instruction.attributes, [](const auto& attribute) {
    return std::holds_alternative<ReplicaGroups>(attribute.second);
  });
  for (auto& [name, value] : instruction.attributes) {
    auto* const pairs = std::get_if<IntPairs>(&value);
    if (pairs == nullptr) continue;
    std::erase_if(*pairs, [&](const std::pair<int64_t, int64_t>& pair) {
      return std::max(pair.first, pair.second) >= devices;
    });
    if (pairs->empty()) *pairs = {{0, devices - 1}};
  }
}

Program with_devices(const Program& program, const Kept& kept) {
  Edit edit(program);
  const int64_t count = kept.replicas * kept.partitions;
  edit.module().replica_count = kept.replicas;
  edit.module().num_partitions = kept.partitions;
  edit.keep_devices(kept.first, count);
  for (const auto& computation : edit.module().computations) {
    for (const auto& one : computation->instructions) leave_out(*one, count);
  }
  if (kept.are_resized) {
    resize_all(
        edit, {.from = kept.before, .to = count, .start = 0, .multiples = true},
        Said::kByArrays);
  }
  return edit.finish();
}

}  // namespace

Candidates fewer_devices(const Failing& failing) {
  Candidates candidates;
  const auto program = std::make_shared<const Program>(failing.program);
  const Module module = text::parse(failing.program.hlo);
  const int64_t before = device_count(module);
  for (const int64_t count : {int64_t{1}, int64_t{2}}) {
    if (count >= before) continue;
    for (const auto& [replicas, partitions] :
         {std::pair{count, int64_t{1}}, std::pair{int64_t{1}, count}}) {
      for (const int64_t first : {int64_t{0}, before - count}) {
        for (const bool are_resized : {false, true}) {
          candidates.emplace_back(
              [program,
               kept = Kept{replicas, partitions, before, first, are_resized}] {
                return with_devices(*program, kept);
              });
        }
      }
    }
  }
  return candidates;
}

}  // namespace hlo::conformance
