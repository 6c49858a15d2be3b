#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/gpu/device/shared_library.h"

namespace hlo::gpu {

// The parts of the CUDA driver's interface (version 12 and 13) and of NVRTC
// that are used here, by their own names and numbers (NVIDIA, "CUDA Driver API"
// and "NVRTC").
struct CudaDriver {
  using Handle = void*;
  using Pointer = unsigned long long;

  static constexpr int kMajor = 75;
  static constexpr int kMinor = 76;

  CudaDriver();

  Library library;
  int (*init)(unsigned);
  int (*device_get)(int*, int);
  int (*device_name)(char*, int, int);
  int (*device_attribute)(int*, int, int);
  int (*retain_context)(Handle*, int);
  int (*release_context)(int);
  int (*set_context)(Handle);
  int (*memory_info)(size_t*, size_t*);
  int (*load_module)(Handle*, const void*);
  int (*unload_module)(Handle);
  int (*get_function)(Handle*, Handle, const char*);
  int (*allocate)(Pointer*, size_t);
  int (*release)(Pointer);
  int (*write)(Pointer, const void*, size_t);
  int (*read)(void*, Pointer, size_t);
  int (*copy)(Pointer, Pointer, size_t);
  int (*run)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
             unsigned, Handle, void**, void**);
  int (*synchronize)();
};

struct Nvrtc {
  using Program = void*;

  Nvrtc();

  Library library;
  int (*create)(Program*, const char*, const char*, int, const char* const*,
                const char* const*);
  int (*compile)(Program, int, const char* const*);
  int (*log_size)(Program, size_t*);
  int (*log)(Program, char*);
  int (*ptx_size)(Program, size_t*);
  int (*ptx)(Program, char*);
  int (*destroy)(Program*);
};

}  // namespace hlo::gpu
