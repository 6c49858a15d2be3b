#pragma once

#include "interpreter/rules/surroundings.h"

// What the halves of an asynchronous operation demand of each other
// (spec/verify.md).

namespace hlo {

/// A start is used by one operation that ends it (Op::start), and what ends it
/// has such a start for an operand. Error "async.pair".
void check_started(const Surroundings& around);
void check_ended(const Surroundings& around);

/// The state that is continued began here, or where it comes from. Error
/// "async.start".
void check_continued(const Surroundings& around);
/// The state is used once, or leaves the computation. Errors "async.done",
/// "async.users".
void check_continues(const Surroundings& around);
/// What is started is one operation, or a group. Error "async.computation".
void check_wrapped(const Instruction& start);
/// What goes on or ends does so on the thread of its start. Error
/// "async.thread".
void check_thread(const Instruction& continued);

}  // namespace hlo
