#include "interpreter/stablehlo/import/devices/import_mesh_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/stablehlo/import/devices/sdy_sharding.h"
#include "interpreter/stablehlo/import/importer/importer.h"
#include "interpreter/text/grammar/read_mesh.h"
#include "interpreter/text/scan/hlo_lexicon.h"
#include "interpreter/text/scan/scanner.h"

// Groups of devices along axes of a mesh become those that HLO's text says in
// the same way: mesh['x'=2,'y'=4] {'x'}.

namespace hlo::stablehlo {
namespace {

const Attribute& field(const Conversion& c, const Dictionary& fields,
                       std::string_view name) {
  const Attribute* found = find(fields, name);
  if (found == nullptr) {
    c.fail("stablehlo.sharding",
           "a field is missing: groups of a mesh must have mesh and axes, an "
           "axis a name and a size");
  }
  return *found;
}

template <typename T>
const T& value(const Conversion& c, const Attribute& attribute,
               std::string_view what) {
  const T* held = std::get_if<T>(&attribute.value);
  if (held == nullptr) c.fail("stablehlo.sharding", what);
  return *held;
}

const std::vector<Attribute>& list(const Conversion& c,
                                   const Dictionary& fields,
                                   std::string_view name) {
  return value<std::vector<Attribute>>(c, field(c, fields, name),
                                       "axes is no list, but must be one");
}

const Dictionary& structure(const Conversion& c, const Attribute& attribute) {
  return value<Structure>(c, attribute,
                          "a mesh or an axis has no fields, but must")
      .fields;
}

const std::string& name_of(const Conversion& c, const Dictionary& fields) {
  return value<std::string>(c, field(c, fields, "name"),
                            "a name is no string, but must be one");
}

/// #stablehlo.mesh<axes = [<name = "x", size = 2>], device_ids = dense<..>>
Mesh written_mesh(const Conversion& c, const Dictionary& fields) {
  Mesh mesh;
  for (const Attribute& item : list(c, fields, "axes")) {
    const Dictionary& axis = structure(c, item);
    const auto& size = value<int64_t>(c, field(c, axis, "size"),
                                      "a size is no integer, but must be one");
    mesh.axes.emplace_back(name_of(c, axis), size);
  }
  if (const Attribute* ids = find(fields, "device_ids")) {
    const std::optional<Ints> numbers = integers(*ids);
    c.require(numbers.has_value(), "stablehlo.sharding",
              {"device_ids is no list of integers"}, "it must be one");
    mesh.devices = *numbers;
  }
  return mesh;
}

/// The mesh of the module that `symbol` names.
Mesh named_mesh(const Conversion& c, const Symbol& symbol) {
  const Attribute* mesh =
      find(c.importer.program().attributes, "sdy.mesh @" + symbol.name);
  const auto* text =
      mesh == nullptr ? nullptr : std::get_if<Opaque>(&mesh->value);
  if (text == nullptr) {
    c.fail("stablehlo.sharding", "the module has no mesh @" + symbol.name);
  }
  Mesh result = read_mesh(text->text);
  // All ids from 0 on: in order they need not be said.
  if (std::ranges::is_sorted(result.devices)) result.devices.clear();
  return result;
}

std::string mesh_text(const Mesh& mesh) {
  std::vector<std::string> axes;
  for (const auto& [name, size] : mesh.axes) {
    axes.push_back(fmt::format("'{}'={}", name, size));
  }
  std::string text = fmt::format("mesh[{}]", fmt::join(axes, ","));
  if (mesh.devices.empty()) return text;
  return fmt::format("{}, device_ids=({})", text, fmt::join(mesh.devices, ","));
}

/// "x", or #stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>
std::string axis_text(const Conversion& c, const Attribute& axis) {
  if (const auto* name = std::get_if<std::string>(&axis.value)) {
    return "'" + *name + "'";
  }
  const Dictionary& fields = structure(c, axis);
  std::string name = "'" + name_of(c, fields) + "'";
  const Attribute* part = find(fields, "sub_axis_info");
  if (part == nullptr) return name;
  const std::optional<Ints> sizes = integers(*part);
  c.require(sizes && sizes->size() == 2, "stablehlo.sharding",
            {"sub_axis_info of ", name, " is not like (1)2"},
            "a part of an axis must be");
  return fmt::format("{}:({}){}", name, (*sizes)[0], (*sizes)[1]);
}

}  // namespace

ReplicaGroups make_groups(std::vector<Ints> groups) {
  std::string text;
  for (const Ints& group : groups) {
    text +=
        fmt::format("{}{{{}}}", text.empty() ? "" : ",", fmt::join(group, ","));
  }
  return {std::move(groups), "{" + text + "}"};
}

ReplicaGroups mesh_groups(const Conversion& c, const Structure& groups) {
  const Attribute& mesh = field(c, groups.fields, "mesh");
  const auto* symbol = std::get_if<Symbol>(&mesh.value);
  std::vector<std::string> axes;
  for (const Attribute& axis : list(c, groups.fields, "axes")) {
    axes.push_back(axis_text(c, axis));
  }
  try {
    const std::string text =
        mesh_text(symbol != nullptr ? named_mesh(c, *symbol)
                                    : written_mesh(c, structure(c, mesh))) +
        fmt::format(" {{{}}}", fmt::join(axes, ","));
    text::Scanner in(text, text::kHloLexicon);
    ReplicaGroups result = text::read_mesh_groups(in);
    if (!in.at_end()) in.expected("the end of the groups");
    return result;
  } catch (const Error& error) {
    c.fail("stablehlo.sharding", error.message());
  }
}

}  // namespace hlo::stablehlo
