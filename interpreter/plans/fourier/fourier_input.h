#pragma once

#include <cstdint>
#include <vector>

namespace hlo {

/// The numbers of a discrete Fourier transform, row-major.
struct FourierInput {
  std::vector<int64_t> lengths;  // of the one to three dimensions, all >= 1
  std::vector<double> real;
  std::vector<double> imaginary;
};

}  // namespace hlo
