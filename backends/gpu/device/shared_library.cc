#include "backends/gpu/device/shared_library.h"

#include <dlfcn.h>

#include "backends/gpu/device/device.h"

namespace hlo::gpu {

Library::Library(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    name_ = name;
    if (handle_ != nullptr) return;
  }
  throw DeviceError("there is no library " + name_);
}

void* Library::symbol(const char* name) const {
  void* const found = dlsym(handle_, name);
  if (found == nullptr) {
    throw DeviceError("the library " + name_ + " has no " + name);
  }
  return found;
}

}  // namespace hlo::gpu
