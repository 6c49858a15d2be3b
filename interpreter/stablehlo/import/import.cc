#include "interpreter/stablehlo/import/import.h"

#include <map>

#include "interpreter/arithmetic_state.h"
#include "interpreter/counted.h"
#include "interpreter/stablehlo/import/calls/import_calls.h"
#include "interpreter/stablehlo/import/calls/import_checks.h"
#include "interpreter/stablehlo/import/devices/import_collectives.h"
#include "interpreter/stablehlo/import/devices/import_sharding.h"
#include "interpreter/stablehlo/import/importer/import_quantized.h"
#include "interpreter/stablehlo/import/importer/importer.h"
#include "interpreter/stablehlo/import/operations/import_broadcasting.h"
#include "interpreter/stablehlo/import/operations/import_chlo.h"
#include "interpreter/stablehlo/import/operations/import_contraction.h"
#include "interpreter/stablehlo/import/operations/import_control.h"
#include "interpreter/stablehlo/import/operations/import_einsum.h"
#include "interpreter/stablehlo/import/operations/import_elementwise.h"
#include "interpreter/stablehlo/import/operations/import_indexing.h"
#include "interpreter/stablehlo/import/operations/import_linear.h"
#include "interpreter/stablehlo/import/operations/import_regions.h"
#include "interpreter/stablehlo/import/operations/import_shapes.h"
#include "interpreter/stablehlo/import/operations/import_windows.h"
#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/verify/verify.h"

namespace hlo::stablehlo {
namespace {

const ConverterRow* find_converter(std::string_view name) {
  static const auto rows = [] {
    std::map<std::string_view, const ConverterRow*> all;
    for (const auto list :
         {elementwise_rows(), window_rows(), indexing_rows(), shape_rows(),
          einsum_rows(), contraction_rows(), linear_rows(), control_rows(),
          call_rows(), region_rows(), collective_rows(), chlo_rows(),
          broadcasting_rows(), quantized_rows(), check_rows(),
          sharding_rows()}) {
      for (const ConverterRow& row : list) all.emplace(row.name, &row);
    }
    return all;
  }();
  const auto found = rows.find(name);
  return found == rows.end() ? nullptr : found->second;
}

}  // namespace

Module import_program(const Program& program) {
  return import_program(program, {});
}

Module import_program(const Program& program, const ParameterSizes& sizes) {
  const ReferenceArithmetic arithmetic;
  return Importer(program, find_converter).import(sizes);
}

Module import_text(std::string_view source) {
  const std::vector<Program> programs = parse(source);
  if (programs.size() != 1) {
    throw Error(Phase::kVerify, "stablehlo.programs",
                "the text has " + counted(std::ssize(programs), "program") +
                    ", but must have one",
                programs.size() > 1 ? programs[1].location : Location{1, 1});
  }
  Module module = import_program(programs[0]);
  verify(module);
  return module;
}

}  // namespace hlo::stablehlo
