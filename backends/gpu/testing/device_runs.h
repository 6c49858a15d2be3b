#pragma once

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends/gpu/gpu_backend.h"
#include "interpreter/verify/verify.h"

namespace hlo::gpu {

/// The URI of each device that is here.
inline std::vector<std::string> uris_here() {
  std::vector<std::string> here;
  for (const std::string& uri : known_gpu_devices()) {
    if (!state_of_gpu_device(uri).starts_with("not here")) here.push_back(uri);
  }
  return here;
}

/// The backend of each device that is here: a device compiles its kernels once.
inline const std::vector<std::unique_ptr<Backend>>& backends_here() {
  static const std::vector<std::unique_ptr<Backend>> backends = [] {
    std::vector<std::unique_ptr<Backend>> here;
    for (const std::string& uri : uris_here()) {
      here.push_back(make_gpu_backend(uri));
    }
    return here;
  }();
  return backends;
}

/// What the program, which takes no arguments, returns.
inline std::vector<Buffer> buffers_of(Backend& backend,
                                      const std::string& text) {
  const Module module = verified_module(text);
  Outcome outcome = backend.run(module, {});
  if (const auto* failure = std::get_if<Failure>(&outcome)) {
    throw std::runtime_error(failure->message);
  }
  return std::get<std::vector<Buffer>>(outcome);
}

/// The bits of all elements of all results, one after the other; both parts of
/// complex numbers.
inline std::vector<uint64_t> bits_of(Backend& backend,
                                     const std::string& text) {
  std::vector<uint64_t> bits;
  for (const Buffer& buffer : buffers_of(backend, text)) {
    const ElementType type = component_type(buffer.shape.element_type);
    const auto width = static_cast<size_t>(storage_bytes(type));
    for (size_t at = 0; at < buffer.bytes.size(); at += width) {
      uint64_t word = 0;
      std::memcpy(&word, buffer.bytes.data() + at, width);
      bits.push_back(word);
    }
  }
  return bits;
}

using Bits = std::vector<uint64_t>;

}  // namespace hlo::gpu
