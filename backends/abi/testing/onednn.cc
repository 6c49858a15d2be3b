// A backend: sums of f32 by oneDNN, so that `assay fingerprint` can tell how it
// sums (spec/abi.md). One dot of two matrices, one convolution over a dimension
// in the order b0f_0io->b0f without strides and padding, one sum of the rows of
// a matrix.
//
//   g++ -std=c++20 -shared -fPIC -I backends/abi
//   backends/abi/testing/onednn.cc
//      -ldnnl -o onednn.so
//   assay fingerprint --backend abi:./onednn.so
#include <cstdio>
#include <cstring>
#include <exception>
#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "assay_backend.h"

namespace {

using dnnl::memory;
using Dims = memory::dims;

int say(const AssayCase& one, int status, const std::string& what) {
  std::snprintf(one.message->text, one.message->size, "%s", what.c_str());
  return status;
}

/// The dimensions of the f32 array that a text begins with; none of another.
Dims shape_at(const char* text) {
  Dims dims;
  if (std::strncmp(text, "f32[", 4) != 0) return dims;
  const char* at = text + 4;
  for (int read = 0; *at >= '0' && *at <= '9'; at += read) {
    long long size = 0;
    if (std::sscanf(at, "%lld%n", &size, &read) != 1) break;
    dims.push_back(size);
    if (at[read] == ',') ++read;
  }
  return dims;
}

/// What the root does, and the shapes of the parameters, in their order.
struct Program {
  std::string root;
  Dims result;
  std::vector<Dims> parameters;
};

Program program_of(const char* text) {
  Program program;
  const char* const entry = std::strstr(text, "ENTRY ");
  if (entry == nullptr) return program;
  for (const char* at = entry; (at = std::strstr(at, " = ")) != nullptr;) {
    at += 3;
    const char* const operation = std::strchr(at, ' ');
    if (operation == nullptr) break;
    if (std::strncmp(operation, " parameter(", 11) == 0) {
      program.parameters.push_back(shape_at(at));
    } else {
      program.root.assign(operation + 1, std::strcspn(operation + 1, "\n"));
      program.result = shape_at(at);
    }
  }
  return program;
}

/// Whether some array has no element: of such a product this release of the
/// library divides by zero.
bool has_empty(const Program& program) {
  for (const Dims& dims : program.parameters) {
    for (const memory::dim size : dims) {
      if (size == 0) return true;
    }
  }
  return false;
}

bool begins(const std::string& text, const char* with) {
  return text.rfind(with, 0) == 0;
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

memory::desc plain(const Dims& dims, const Dims& strides) {
  return {dims, memory::data_type::f32, strides};
}

/// oneDNN, on the bytes of a case.
class Call {
 public:
  explicit Call(const AssayCase& one)
      : one_(one), engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {}

  void matmul(const Dims& a, const Dims& b, const Dims& c) {
    const auto x = plain(a, {a[1], 1});
    const auto y = plain(b, {b[1], 1});
    const auto z = plain(c, {c[1], 1});
    const dnnl::matmul::desc what(x, y, z);
    run(dnnl::matmul(dnnl::matmul::primitive_desc(what, engine_)),
        {{DNNL_ARG_SRC, input(0, x)},
         {DNNL_ARG_WEIGHTS, input(1, y)},
         {DNNL_ARG_DST, output(z)}});
  }

  /// Arrays b0f, 0io and b0f, as oneDNN's batch, channels and width.
  void convolution(const Dims& a, const Dims& w, const Dims& c) {
    const auto x = plain({a[0], a[2], a[1]}, {a[1] * a[2], 1, a[2]});
    const auto y = plain({w[2], w[1], w[0]}, {1, w[2], w[1] * w[2]});
    const auto z = plain({c[0], c[2], c[1]}, {c[1] * c[2], 1, c[2]});
    const dnnl::convolution_forward::desc what(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
        x, y, z, {1}, {0}, {0});
    run(dnnl::convolution_forward(
            dnnl::convolution_forward::primitive_desc(what, engine_)),
        {{DNNL_ARG_SRC, input(0, x)},
         {DNNL_ARG_WEIGHTS, input(1, y)},
         {DNNL_ARG_DST, output(z)}});
  }

  void sum_of_rows(const Dims& a) {
    const auto x = plain(a, {a[1], 1});
    const auto z = plain({a[0], 1}, {1, 1});
    const dnnl::reduction::desc what(dnnl::algorithm::reduction_sum, x, z, 0,
                                     0);
    run(dnnl::reduction(dnnl::reduction::primitive_desc(what, engine_)),
        {{DNNL_ARG_SRC, input(0, x)}, {DNNL_ARG_DST, output(z)}});
  }

 private:
  memory input(size_t i, const memory::desc& what) const {
    memory array(what, engine_);
    std::memcpy(array.get_data_handle(), one_.inputs[i]->bytes,
                one_.inputs[i]->size);
    return array;
  }

  memory output(const memory::desc& what) {
    result_ = memory(what, engine_);
    return result_;
  }

  void run(const dnnl::primitive& primitive,
           const std::unordered_map<int, memory>& arguments) {
    primitive.execute(stream_, arguments);
    stream_.wait();
    std::memcpy(one_.results[0]->bytes, result_.get_data_handle(),
                one_.results[0]->size);
  }

  const AssayCase& one_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  memory result_;
};

bool has_ranks(const Program& program, size_t a, size_t b, size_t c) {
  return program.parameters.size() == 2 && program.parameters[0].size() == a &&
         program.parameters[1].size() == b && program.result.size() == c;
}

int run_program(const AssayCase& one, const Program& program) {
  const std::string& root = program.root;
  if (has_empty(program)) {
    return say(one, ASSAY_UNSUPPORTED, "an array without elements");
  }
  Call call(one);
  if (begins(root, "dot(") && has_ranks(program, 2, 2, 2) &&
      has(root, "lhs_contracting_dims={1}, rhs_contracting_dims={0}")) {
    call.matmul(program.parameters[0], program.parameters[1], program.result);
    return ASSAY_DONE;
  }
  if (begins(root, "convolution(") && has_ranks(program, 3, 3, 3) &&
      has(root, "dim_labels=b0f_0io->b0f") && !has(root, "pad=") &&
      !has(root, "stride=") && !has(root, "dilate=") && !has(root, "count=")) {
    call.convolution(program.parameters[0], program.parameters[1],
                     program.result);
    return ASSAY_DONE;
  }
  if (begins(root, "reduce(") && program.parameters.size() == 1 &&
      program.parameters[0].size() == 2 && program.result.size() == 1 &&
      has(root, "dimensions={1}") && has(std::string(one.program), " add(") &&
      has(std::string(one.program), " f32[] constant(0)")) {
    call.sum_of_rows(program.parameters[0]);
    return ASSAY_DONE;
  }
  return say(one, ASSAY_UNSUPPORTED, "only one sum of f32: " + root);
}

int run(void* /*state*/, const AssayCase* one) {
  try {
    return run_program(*one, program_of(one->program));
  } catch (const std::exception& error) {
    return say(*one, ASSAY_FAILED, error.what());
  }
}

}  // namespace

extern "C" const AssayBackend* assay_backend(const AssayHost* /*host*/) {
  static const std::string release =
      std::to_string(dnnl::version()->major) + "." +
      std::to_string(dnnl::version()->minor) + "." +
      std::to_string(dnnl::version()->patch);
  static AssayBackend backend = {};
  backend.struct_size = sizeof(AssayBackend);
  backend.version = ASSAY_BACKEND_VERSION;
  backend.program = ASSAY_PROGRAM_HLO;
  backend.layouts = ASSAY_LAYOUTS_DENSE;
  backend.name = "oneDNN";
  backend.release = release.c_str();
  backend.run = run;
  return &backend;
}
