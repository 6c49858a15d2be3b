#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "backends/tpu/tpu_backend.h"
#include "interpreter/verify/verify.h"

namespace hlo::tpu {

/// Result `leaf`, of type f32 and in default layout, of a program without
/// parameters.
inline std::vector<float> run_program(const std::string& text,
                                      const std::string& uri = "tpu:",
                                      size_t leaf = 0) {
  const Module module = verified_module(text);
  Outcome outcome = make_tpu_backend(uri)->run(module, {});
  if (const auto* failure = std::get_if<Failure>(&outcome)) {
    throw std::runtime_error(failure->message);
  }
  const Buffer& buffer = std::get<std::vector<Buffer>>(outcome).at(leaf);
  std::vector<float> values(buffer.bytes.size() / sizeof(float));
  std::memcpy(values.data(), buffer.bytes.data(), buffer.bytes.size());
  return values;
}

}  // namespace hlo::tpu
