#include "backends/cpu/functions/families.h"

#include "backends/cpu/functions/fourier/fft_functions.h"
#include "backends/cpu/functions/linear/ragged_dot_functions.h"
#include "backends/cpu/functions/linear/scaled_dot_functions.h"
#include "backends/cpu/functions/linear/triangular_functions.h"
#include "backends/cpu/functions/normalization/batch_norm_functions.h"
#include "backends/cpu/functions/random/random_functions.h"
#include "backends/cpu/functions/sequences/scan_functions.h"

namespace hlo::cpu {

Functions functions_of_families() {
  Functions all;
  for (const Functions& some :
       {ragged_dot_functions(), scaled_dot_functions(), triangular_functions(),
        random_functions(), fft_functions(), batch_norm_functions()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

Callers callers_of_families() { return scan_functions(); }

}  // namespace hlo::cpu
