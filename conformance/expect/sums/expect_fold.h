#pragma once

#include <unordered_map>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/plans/updates/updates.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The set of an instruction that folds cells; see expect().
Expectation expect_fold(const Instruction& fold, Operands operands,
                        const Literal& reference, const Literal* observed,
                        const Profile& profile);

/// The set of what the members of a group combine, each with an array of the
/// result's shape, in any order; see expect().
Expectation expect_members(const Computation& combiner,
                           const std::vector<Literal>& arrays,
                           const Literal& reference, const Literal* observed,
                           const Profile& profile);

/// The set of an array to which updates are applied in any order; see
/// expect(). A region that is exact gives one value where no element has two
/// updates.
Expectation expect_updates(const Updating& updating, Operands operands,
                           bool region_is_exact, const Literal& reference,
                           const Literal* observed, const Profile& profile);

/// For each element of the result the positions of its updates.
using Sources = std::unordered_map<int64_t, std::vector<int64_t>>;
Sources group(const std::vector<Update>& updates);

}  // namespace hlo::conformance
