#pragma once

#include <optional>
#include <string_view>

#include "interpreter/error.h"
#include "interpreter/verify/verify.h"

// What tests share; no program includes it.
namespace hlo::testing {

/// The error that a text is rejected with, or nothing.
inline std::optional<Error> rejection(std::string_view source) {
  try {
    verified_module(source);
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace hlo::testing
