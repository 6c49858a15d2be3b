#pragma once

namespace hlo::conformance {

/// Whether sine (or else cosine) takes the value `extreme`, 1 or -1, at a
/// number strictly between two others; finite numbers, low <= high.
bool passes_extreme(double low, double high, bool sine, int extreme);
/// Whether tan has a pole between them.
bool passes_pole(double low, double high);

}  // namespace hlo::conformance
