#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/cpu/arrays/array.h"
#include "backends/cpu/arrays/packing.h"
#include "backends/registry/make_backend.h"
#include "interpreter/verify/verify.h"

// Folds and updates by a region of another type than the operand, the result or
// the updates: what it joins are numbers of its own type.

namespace hlo::cpu {
namespace {

struct Types {
  const char* operand;
  const char* region;
  const char* result;
};

constexpr Types kTypes[] = {{"f16", "f16", "f8e8m0fnu"},
                            {"f32", "bf16", "f32"},
                            {"bf16", "bf16", "f6e3m2fn"},
                            {"f32", "f8e4m3fn", "f64"},
                            {"f32", "f16", "bf16"}};

constexpr const char* kBodies[] = {
    "ROOT e = {0}[] maximum(a, b)", "ROOT e = {0}[] minimum(a, b)",
    "d = {0}[] subtract(a, b)\nROOT e = {0}[] subtract(d, b)"};

std::string text_of(const Types& types, const std::string& body,
                    const char* fold) {
  return fmt::format(
      "HloModule m\nc {{\na = {0}[] parameter(0)\nb = {0}[] parameter(1)\n{1}\n"
      "}}\nENTRY e {{\nx = {2}[4] parameter(0)\nz = {2}[] constant(-0.2)\n"
      "ROOT r = {3}{4}, to_apply=c\n}}\n",
      types.region, body, types.operand, types.result, fold);
}

Bytes result_of(const char* backend, const std::string& text) {
  const Module module = verified_module(text);
  const Shape& shape = module.entry->parameters[0]->shape;
  const std::vector<float> numbers = {1.3F, 0, 2.71F, -0.41F};
  const Buffer argument = pack(store<float>(shape, numbers), shape);
  const Outcome outcome = make_backend(backend)->run(module, {&argument, 1});
  return std::get<std::vector<Buffer>>(outcome).at(0).bytes;
}

TEST(RegionTypes, AreThoseThatFoldsJoin) {
  for (const Types& types : kTypes) {
    for (const char* const body : kBodies) {
      for (const char* const fold :
           {"[] reduce(x, z), dimensions={0}",
            "[3] reduce-window(x, z), window={size=2}"}) {
        const std::string text =
            text_of(types, fmt::format(fmt::runtime(body), types.region), fold);
        EXPECT_EQ(result_of("cpu:", text), result_of("interpreter:", text))
            << text;
      }
    }
  }
}

constexpr const char* kUpdates[] = {
    "i = s32[3,1] constant({{{{0}},{{2}},{{0}}}})\n"
    "u = {0}[3] constant({{1.3, 2.7, 0.6}})\n"
    "ROOT r = {1}[4] scatter(x, i, u), update_window_dims={{}}, "
    "inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, "
    "index_vector_dim=1, to_apply=c\n",
    "z = {0}[] constant(0.4)\nu = {0}[2] constant({{1.3, 2.7}})\n"
    "ROOT r = {1}[4] select-and-scatter(x, u, z), window={{size=2 stride=2}}, "
    "select=s, scatter=c\n"};

// What has no update keeps the digits that the region's type lacks.
TEST(RegionTypes, AreThoseThatUpdatesJoin) {
  for (const Types& types : kTypes) {
    for (const char* const body : kBodies) {
      for (const char* const update : kUpdates) {
        const std::string text = fmt::format(
            "HloModule m\nc {{\na = {0}[] parameter(0)\nb = {0}[] "
            "parameter(1)\n{1}\n}}\ns {{\na = {2}[] parameter(0)\nb = {2}[] "
            "parameter(1)\nROOT p = pred[] compare(a, b), direction=GE\n}}\n"
            "ENTRY e {{\nx = {2}[4] parameter(0)\n{3}}}\n",
            types.region, fmt::format(fmt::runtime(body), types.region),
            types.operand,
            fmt::format(fmt::runtime(update), types.result, types.operand));
        EXPECT_EQ(result_of("cpu:", text), result_of("interpreter:", text))
            << text;
      }
    }
  }
}

// A region's parameters have the operands' elements, not those rounded to the
// result's type.
TEST(RegionTypes, AreThoseThatAMapTakes) {
  for (const char* const body :
       {"c = u32[] bitcast-convert(a)\nROOT d = bf16[] convert(c)",
        "c = s32[] bitcast(a)\nROOT d = f8e4m3fn[] convert(c)",
        "c = f64[] copy(a)\nROOT d = f64[] negate(c)"}) {
    const std::string type(std::string_view(body).substr(
        std::string_view(body).find("ROOT d = ") + 9));
    const std::string text = fmt::format(
        "HloModule m\nc {{\na = f32[] parameter(0)\n{0}\n}}\nENTRY e {{\nx = "
        "f32[4] parameter(0)\nROOT r = {1}[4] map(x), dimensions={{0}}, "
        "to_apply=c\n}}\n",
        body, type.substr(0, type.find('[')));
    EXPECT_EQ(result_of("cpu:", text), result_of("interpreter:", text)) << text;
  }
}

}  // namespace
}  // namespace hlo::cpu
