#include "backends/tpu/memory/trap.h"

#include <fmt/format.h>

#include <utility>

namespace hlo::tpu {

Trap::Trap(std::string rule, const std::string& what)
    : std::logic_error(what), rule_(std::move(rule)) {}

std::string hexadecimal(int64_t number) { return fmt::format("{:#x}", number); }

}  // namespace hlo::tpu
