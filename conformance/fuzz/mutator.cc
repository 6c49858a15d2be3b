#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/fuzz/mutate_program.h"

// How libFuzzer makes new inputs of the targets that read HLO: most of them are
// programs again.

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t most, unsigned seed);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t most, unsigned seed) {
  constexpr unsigned kBytesEach = 8;
  if (seed % kBytesEach == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const std::optional<std::string> text =
      hlo::conformance::mutated_program(source, seed);
  if (!text || text->size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text->data(), text->size());
  return text->size();
}
