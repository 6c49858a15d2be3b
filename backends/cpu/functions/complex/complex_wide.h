#pragma once

#include <complex>

namespace hlo::cpu {

/// base^exponent of finite numbers, the base not 0, with as many bits as any
/// angle of them has turns.
std::complex<double> wide_power(std::complex<double> base,
                                std::complex<double> exponent);
/// The angle of the point (x, y) of finite complex coordinates: u + iv with
/// cos(u + iv) and sin(u + iv) x and y over the root of x^2 + y^2
/// (spec/ops/atan2.md).
std::complex<double> wide_angle(std::complex<double> y, std::complex<double> x);

}  // namespace hlo::cpu
