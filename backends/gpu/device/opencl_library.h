#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/gpu/device/shared_library.h"

namespace hlo::gpu {

// The part of OpenCL 1.2 that is used here, by its own names and numbers
// (Khronos, "The OpenCL Specification", version 1.2).
struct OpenCl {
  using Handle = void*;
  using Size = const size_t*;

  static constexpr uint64_t kAllDevices = 0xffffffff;
  static constexpr uint32_t kDeviceMaxAllocation = 0x1010;
  static constexpr uint32_t kDeviceName = 0x102b;
  static constexpr uint32_t kDeviceDoubleConfig = 0x1032;
  static constexpr uint32_t kBuildLog = 0x1183;
  static constexpr uint64_t kReadWrite = 1;

  OpenCl();

  Library library;
  int32_t (*get_platforms)(uint32_t, Handle*, uint32_t*);
  int32_t (*get_devices)(Handle, uint64_t, uint32_t, Handle*, uint32_t*);
  int32_t (*get_device_info)(Handle, uint32_t, size_t, void*, size_t*);
  Handle (*create_context)(const intptr_t*, uint32_t, const Handle*, void*,
                           void*, int32_t*);
  Handle (*create_queue)(Handle, Handle, uint64_t, int32_t*);
  Handle (*create_program)(Handle, uint32_t, const char**, Size, int32_t*);
  int32_t (*build_program)(Handle, uint32_t, const Handle*, const char*, void*,
                           void*);
  int32_t (*get_build_info)(Handle, Handle, uint32_t, size_t, void*, size_t*);
  Handle (*create_kernel)(Handle, const char*, int32_t*);
  int32_t (*set_argument)(Handle, uint32_t, size_t, const void*);
  Handle (*create_buffer)(Handle, uint64_t, size_t, void*, int32_t*);
  int32_t (*write)(Handle, Handle, uint32_t, size_t, size_t, const void*,
                   uint32_t, const Handle*, Handle*);
  int32_t (*read)(Handle, Handle, uint32_t, size_t, size_t, void*, uint32_t,
                  const Handle*, Handle*);
  int32_t (*copy)(Handle, Handle, Handle, size_t, size_t, size_t, uint32_t,
                  const Handle*, Handle*);
  int32_t (*run)(Handle, Handle, uint32_t, Size, Size, Size, uint32_t,
                 const Handle*, Handle*);
  int32_t (*finish)(Handle);
  int32_t (*release_buffer)(Handle);
  int32_t (*release_kernel)(Handle);
  int32_t (*release_program)(Handle);
  int32_t (*release_queue)(Handle);
  int32_t (*release_context)(Handle);
};

}  // namespace hlo::gpu
