#pragma once

#include "conformance/certify/set_array.h"
#include "conformance/sets/profile.h"
#include "interpreter/contraction.h"
#include "interpreter/fold.h"
#include "interpreter/op.h"

namespace hlo::conformance {

/// The values that an addition of floats in any order may give for each
/// element of `nominal`, each term being anything out of its set.
SetArray certify_sum(const Fold& fold, const SetArray& input,
                     const SetArray& init, const Literal& nominal,
                     const Profile& profile);
/// The same for the greatest, or the least, of the terms.
SetArray certify_extreme(const Fold& fold, const SetArray& input,
                         const SetArray& init, const Literal& nominal,
                         bool maximum, const Profile& profile);
/// Sums of products of floats.
SetArray certify_contraction(const Contraction& contraction,
                             const SetArray& lhs, const SetArray& rhs,
                             const Literal& nominal, const Profile& profile);

}  // namespace hlo::conformance
