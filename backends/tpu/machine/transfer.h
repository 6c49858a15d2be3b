#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/memory/tiled_array.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/storage.h"

namespace hlo::tpu {

// All of these stop at a Trap: "tpu.padding" where what shall be an element is
// padding, "tpu.bounds" where an array has no such register.

/// The Trap of who takes a lane of the array for an element that is padding.
[[noreturn]] void read_of_padding(const TiledArray& array, int64_t lane);

/// Register r of the array: the lanes from r * kLanes on, padding included,
/// which is not valid.
Register load_register(Machine& machine, const TiledArray& array, int64_t r);

/// Stores the lanes that hold elements, which must be valid, and leaves padding
/// as it is.
void store_register(Machine& machine, const Register& from,
                    const TiledArray& array, int64_t r);

/// Stores the valid lanes alone: for results that are written bit by bit.
void store_lanes(Machine& machine, const Register& from,
                 const TiledArray& array, int64_t r);

/// Whether all lanes that hold elements of the array are valid.
bool is_complete(const Register& from, const TiledArray& array, int64_t r);

/// The element at a row-major position, and the array's literal of all of
/// them: the slow path, which reads one element after the other.
ElementBits element_at(Machine& machine, const TiledArray& array,
                       int64_t element);
Literal read_elements(Machine& machine, const TiledArray& array);
void write_elements(Machine& machine, const Literal& from,
                    const TiledArray& array);

/// Fills the array's memory with the bytes of a buffer in its layout, padding
/// included.
void take_bytes(Machine& machine, std::span<const std::byte> from,
                const TiledArray& array);

}  // namespace hlo::tpu
