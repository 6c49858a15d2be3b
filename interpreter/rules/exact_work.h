#pragma once

#include <cstdint>
#include <initializer_list>

namespace hlo {

/// Evaluate error "evaluate.work" where exact elimination takes too long: the
/// product of these numbers, which is about what it costs, is above 2^42.
void require_work(std::initializer_list<int64_t> factors);

}  // namespace hlo
