#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interpreter/model/attribute.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"
#include "interpreter/model/shape.h"
#include "interpreter/text/lexer.h"

/// The rules of the grammar (spec/text.md) that need no names of a module. Each
/// reads what it is called after, or throws a parse Error.
namespace hlo::text {

/// Whether a shape starts here, as opposed to a name or an opcode.
bool at_shape(const Lexer& in);
Shape read_shape(Lexer& in);
/// Without the layout that may follow.
Shape read_shape_without_layout(Lexer& in);
/// Whether the brace at this place opens a layout.
bool at_layout(const Lexer& in);
/// Sets the layout of `shape`.
void read_layout(Lexer& in, Shape& shape);

/// Elements of a value of that shape; nothing for `{...}`.
std::optional<Literal> read_literal(Lexer& in, const Shape& shape);
/// A shape and its elements; `{...}` is an error.
Literal read_literal_with_shape(Lexer& in);
/// One number of an array type, stored at `target` as in a literal.
void read_element(Lexer& in, ElementType type, std::byte* target);

/// Comma-separated items between braces: calls `item` for each.
template <typename Item>
void read_list(Lexer& in, char open, char close, const Item& item) {
  in.expect(open, "before a list");
  if (in.eat(close)) return;
  do {
    item();
  } while (in.eat(','));
  in.expect(close, "behind a list");
}

Ints read_ints(Lexer& in, char open = '{', char close = '}');
Window read_window(Lexer& in);
PaddingConfig read_padding(Lexer& in);
SliceConfig read_slice(Lexer& in);
DimLabels read_dim_labels(Lexer& in);
ReplicaGroups read_replica_groups(Lexer& in);
Decimal read_decimal(Lexer& in);

/// A list of devices in `[2,4]<=[8]T(1,0)` or `[2,2]0,1,2,3` form.
struct TileAssignment {
  Ints dims;
  Ints reshape;  // of the iota form; empty where the devices are listed
  Ints transpose;
  Ints devices;
  std::string text;
  int64_t size() const;
};

/// The numbers from 0 as an array of dimensions `reshape`, transposed (unless
/// `transpose` is empty), in row-major order.
Ints iota_devices(const Ints& reshape, Ints transpose);
std::vector<Ints> split_devices(const Ints& devices, int64_t groups,
                                int64_t size);
/// `kind` says what is meant in errors. Listed devices only where `with_list`.
TileAssignment read_tile_assignment(Lexer& in, bool with_list,
                                    std::string_view kind);

/// mesh['x'=2,'y'=4]: the names and sizes of its axes and its spelling.
struct Mesh {
  std::vector<std::pair<std::string, int64_t>> axes;
  Ints devices;
  std::string text;
};

bool at_mesh(const Lexer& in);
Mesh read_mesh(Lexer& in);

/// An axis or a part of one, 'x' or 'x':(1)2, in its canonical spelling.
struct MeshAxis {
  size_t index = 0;
  int64_t before = 1;  // product of the parts before this one
  int64_t size = 1;
  std::string text;
};

MeshAxis read_mesh_axis(Lexer& in, const Mesh& mesh);
ReplicaGroups read_mesh_groups(Lexer& in);

/// Texts that are kept, in their canonical spelling.
std::string read_sharding(Lexer& in);
std::string read_metadata(Lexer& in);
std::string read_dictionary(Lexer& in);
std::string read_result_accuracy(Lexer& in);
std::string read_aliasing(Lexer& in);
std::string read_domain(Lexer& in);
std::string read_sparsity(Lexer& in);
std::string read_buffer_donor(Lexer& in);
/// The sections FileNames ... StackFrames; empty where there are none.
std::string read_stack_frames(Lexer& in);
/// The values of an attribute kind that refers to no names of the module.
AttributeValue read_value(Lexer& in, const AttributeSpec& spec);

/// The header's attributes behind the name of the module.
void read_header_attributes(Lexer& in, Module& module);

}  // namespace hlo::text
