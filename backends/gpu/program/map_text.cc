#include "backends/gpu/program/map_text.h"

#include <string>

#include "backends/gpu/program/index_text.h"
#include "backends/gpu/program/tape_text.h"

namespace hlo::gpu {
namespace {

/// Where the view's element of the index is.
std::string place_of(const Map& map, const View& view) {
  return place_text(map.sizes, view.strides, "i", "i");
}

}  // namespace

KernelText text_of(const Map& map) {
  std::string body = "const i64 i = GLOBAL_ID;\nif (i >= p[0]) return;\n" +
                     index_text(map.sizes, "i", "i");
  int64_t parameter = 1;
  for (size_t k = 0; k < map.inputs.size(); ++k) {
    const View& view = map.inputs[k];
    body += definition("r" + std::to_string(k),
                       "load(" + array_text(view.type, parameter++) + ", " +
                           place_of(map, view) + ")");
  }
  body += statements_of(map.tape, "r");
  for (const Result& result : map.results) {
    body += "store(" + array_text(result.view.type, parameter++) + ", " +
            place_of(map, result.view) + ", r" + std::to_string(result.reg) +
            ");\n";
  }
  return {base_of(map.tape), "{\n" + body + "}\n"};
}

}  // namespace hlo::gpu
