#include "backends/gpu/device/cuda_library.h"

namespace hlo::gpu {
namespace {

template <typename F>
void find(const Library& library, F*& function, const char* name) {
  function = library.function<F>(name);
}

}  // namespace

CudaDriver::CudaDriver() : library({"libcuda.so.1"}) {
  find(library, init, "cuInit");
  find(library, device_get, "cuDeviceGet");
  find(library, device_name, "cuDeviceGetName");
  find(library, device_attribute, "cuDeviceGetAttribute");
  find(library, retain_context, "cuDevicePrimaryCtxRetain");
  find(library, release_context, "cuDevicePrimaryCtxRelease_v2");
  find(library, set_context, "cuCtxSetCurrent");
  find(library, memory_info, "cuMemGetInfo_v2");
  find(library, load_module, "cuModuleLoadData");
  find(library, unload_module, "cuModuleUnload");
  find(library, get_function, "cuModuleGetFunction");
  find(library, allocate, "cuMemAlloc_v2");
  find(library, release, "cuMemFree_v2");
  find(library, write, "cuMemcpyHtoD_v2");
  find(library, read, "cuMemcpyDtoH_v2");
  find(library, copy, "cuMemcpyDtoD_v2");
  find(library, run, "cuLaunchKernel");
  find(library, synchronize, "cuCtxSynchronize");
}

Nvrtc::Nvrtc()
    : library({"libnvrtc.so.13", "libnvrtc.so.12",
               "/usr/local/cuda/lib64/libnvrtc.so.13",
               "/usr/local/cuda/lib64/libnvrtc.so.12", "libnvrtc.so"}) {
  find(library, create, "nvrtcCreateProgram");
  find(library, compile, "nvrtcCompileProgram");
  find(library, log_size, "nvrtcGetProgramLogSize");
  find(library, log, "nvrtcGetProgramLog");
  find(library, ptx_size, "nvrtcGetPTXSize");
  find(library, ptx, "nvrtcGetPTX");
  find(library, destroy, "nvrtcDestroyProgram");
}

}  // namespace hlo::gpu
