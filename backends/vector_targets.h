#pragma once

// What a source that Highway compiles for each instruction set includes before
// hwy/foreach_target.h. Those left out have vectors as long as the next smaller
// one's, and nothing that kernels use: they would be compiled for no gain, and
// machines that have them run AVX-512, or SSE2.
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSE4 | HWY_SSSE3)
