#include "backends/gpu/device/opencl_library.h"

namespace hlo::gpu {
namespace {

template <typename F>
void find(const Library& library, F*& function, const char* name) {
  function = library.function<F>(name);
}

}  // namespace

OpenCl::OpenCl() : library({"libOpenCL.so.1", "libOpenCL.so"}) {
  find(library, get_platforms, "clGetPlatformIDs");
  find(library, get_devices, "clGetDeviceIDs");
  find(library, get_device_info, "clGetDeviceInfo");
  find(library, create_context, "clCreateContext");
  find(library, create_queue, "clCreateCommandQueue");
  find(library, create_program, "clCreateProgramWithSource");
  find(library, build_program, "clBuildProgram");
  find(library, get_build_info, "clGetProgramBuildInfo");
  find(library, create_kernel, "clCreateKernel");
  find(library, set_argument, "clSetKernelArg");
  find(library, create_buffer, "clCreateBuffer");
  find(library, write, "clEnqueueWriteBuffer");
  find(library, read, "clEnqueueReadBuffer");
  find(library, copy, "clEnqueueCopyBuffer");
  find(library, run, "clEnqueueNDRangeKernel");
  find(library, finish, "clFinish");
  find(library, release_buffer, "clReleaseMemObject");
  find(library, release_kernel, "clReleaseKernel");
  find(library, release_program, "clReleaseProgram");
  find(library, release_queue, "clReleaseCommandQueue");
  find(library, release_context, "clReleaseContext");
}

}  // namespace hlo::gpu
