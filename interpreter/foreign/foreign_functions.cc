// Functions for custom-calls as a user writes them: a shared library that knows
// nothing of Assay. The tests call them.
#include <cstdint>
#include <cstring>

// The example of spec/ops/custom_call.md.
extern "C" void myfunc(void* out, void** in) {
  float(&x)[2] = *static_cast<float(*)[2]>(in[0]);
  float(&y)[2][3] = *static_cast<float(*)[2][3]>(in[1]);
  float(&z)[3][3] = *static_cast<float(*)[3][3]>(out);
  z[0][0] = x[1] + y[1][0];
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) z[i + 1][j] = x[i] * y[i][j];
  }
}

// (f32[2], (s32[], token[])) -> (s32[], f32[2], token[])
extern "C" void swap_tuple(void* out, void** in) {
  void** operand = static_cast<void**>(in[0]);
  void** inner = static_cast<void**>(operand[1]);
  void** result = static_cast<void**>(out);
  std::memcpy(result[0], inner[0], sizeof(int32_t));
  std::memcpy(result[1], operand[0], 2 * sizeof(float));
  if (inner[1] != nullptr || result[2] != nullptr) {
    std::memset(result[0], 0, sizeof(int32_t));
  }
}

// The addresses of the first two operands and of the result, modulo 64; 64 in
// the place of null.
extern "C" void alignments(void* out, void** in) {
  const auto of = [](const void* p) {
    return p == nullptr ? 64 : reinterpret_cast<uintptr_t>(p) % 64;
  };
  const uint64_t found[] = {of(in[0]), of(in[1]), of(out)};
  std::memcpy(out, found, sizeof(found));
}

// Six numbers in the order of the memory.
extern "C" void copy6(void* out, void** in) {
  std::memcpy(out, in[0], 6 * sizeof(float));
}

// Counts a number up, in the place where it is.
extern "C" void count_up(void* /*out*/, void** in) {
  ++*static_cast<int32_t*>(in[0]);
}

// Four bytes with all bits set.
extern "C" void all_bits(void* out, void** /*in*/) {
  std::memset(out, 0xff, 4);
}

extern "C" void nothing(void* /*out*/, void** /*in*/) {}

extern "C" void twice(void* out, void** in) {
  *static_cast<float*>(out) = 2 * *static_cast<float*>(in[0]);
}

// The name of a target that the specification defines.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void Sharding(void* out, void** in) { all_bits(out, in); }

extern "C" {
int32_t not_a_function = 0;
}
