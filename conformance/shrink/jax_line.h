#pragma once

#include <string>

#include "conformance/shrink/edit.h"

namespace hlo::conformance {

/// A line of Python that computes the program with jax.lax, its inputs given by
/// their bits; empty where the program is not one element-wise instruction on
/// its parameters that jax.lax has, of types that NumPy has.
std::string jax_line(const Program& program);

}  // namespace hlo::conformance
