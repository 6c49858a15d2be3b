#include "backends/devices/begun_work.h"

#include "interpreter/rules/devices/async_state.h"

namespace hlo::devices {

void require_begun(bool is_begun, const Instruction& done) {
  require_evaluable(
      is_begun, "async.pair",
      {"%", done.name, " ends what has been ended or never begun"},
      "a start must have one done");
}

void require_ended_shape(const Shape& ended, const Instruction& done) {
  require_evaluable(is_same_but_for_precision(ended, done.shape),
                    "async-done.C2",
                    {"what ran has another shape than ", done.shape},
                    "they must have the same shapes");
}

void require_member(bool is_member, const Device& device) {
  require_evaluable(is_member, "collective.member",
                    {"replica ", device.replica, ", partition ",
                     device.partition, " is in none of the groups"},
                    "it must be in one");
}

}  // namespace hlo::devices
