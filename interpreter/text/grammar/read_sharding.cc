#include "interpreter/text/grammar/read_sharding.h"

#include "interpreter/shortened.h"
#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/grammar/read_mesh.h"
#include "interpreter/text/grammar/read_verbatim.h"
#include "interpreter/text/grammar/tile_assignment.h"

namespace hlo::text {
namespace {

/// The parts of one sharding, in the order in which they are printed.
struct Parts {
  std::string kind;  // replicated, ..., or devices=...
  std::string device;
  std::string tile_dims;
  std::string group;
  std::string metadata;
  size_t rank = 0;
};

void set_once(Scanner& in, size_t start, std::string& part, std::string text) {
  if (!part.empty()) {
    in.fail_at(start, "text.sharding", "the sharding says that twice");
  }
  part = std::move(text);
}

bool is_kind(std::string_view word) {
  return word == "replicated" || word == "maximal" || word == "manual" ||
         word == "unknown" || word == "unreduced";
}

std::string read_kinds(Scanner& in, size_t rank) {
  const size_t start = in.position();
  std::string text = "last_tile_dims={";
  size_t count = 0;
  read_list(in, '{', '}', [&] {
    const size_t place = in.position();
    const std::string_view kind = in.word("a kind of sharding");
    if (!is_kind(kind) || kind == "maximal") {
      in.fail_at(place, "text.sharding", "a kind of sharding is unknown");
    }
    text.append(count++ > 0 ? ", " : "").append(kind);
  });
  if (count > rank) {
    in.fail_at(start, "text.sharding",
               "there are more kinds of dimensions than the tiles have");
  }
  return text + "}";
}

std::string read_sharding_metadata(Scanner& in) {
  if (in.peek_behind() != '{') return "metadata=" + read_metadata(in);
  std::string text = "metadata={";
  read_list(in, '{', '}', [&] {
    if (text.back() != '{') text += ", ";
    text += read_metadata(in);
  });
  return text + "}";
}

void read_assignment(Scanner& in, size_t start, std::string_view word,
                     Parts& parts) {
  in.expect('=', "behind a part of a sharding");
  if (word == "device") {
    set_once(in, start, parts.device,
             "device=" + std::to_string(in.natural("a device")));
  } else if (word == "devices") {
    const TileAssignment tiles =
        read_tile_assignment(in, /*with_list=*/true, "tiles");
    parts.rank = tiles.dims.size();
    set_once(in, start, parts.kind, "devices=" + tiles.text);
  } else if (word == "last_tile_dims") {
    set_once(in, start, parts.tile_dims, read_kinds(in, parts.rank));
  } else if (word == "metadata") {
    set_once(in, start, parts.metadata, read_sharding_metadata(in));
  } else {
    in.fail_at(start, "text.sharding",
               "a sharding has no '" + shortened(word) + "'");
  }
}

void read_part(Scanner& in, Parts& parts) {
  const size_t start = in.position();
  const std::string word{in.word("a part of a sharding")};
  if (is_kind(word)) {
    set_once(in, start, parts.kind, word);
  } else if (word == "last_tile_dim_replicate") {
    set_once(in, start, parts.tile_dims, word);
  } else if (word == "shard_as" || word == "shard_like") {
    set_once(in, start, parts.group,
             word + " " + std::to_string(in.natural("a shard group")));
  } else {
    read_assignment(in, start, word, parts);
  }
}

void check(const Scanner& in, size_t start, const Parts& parts) {
  const char* problem = nullptr;
  if (parts.kind.empty()) {
    problem = "the sharding says neither its kind nor its devices";
  } else if (!parts.tile_dims.empty() && parts.rank == 0) {
    problem =
        "the sharding has no tiles, but only a tiled one can have kinds of "
        "dimensions";
  } else if ((parts.kind == "maximal") != !parts.device.empty()) {
    problem = "a maximal sharding must name its device, and no other can";
  }
  if (problem != nullptr) in.fail_at(start, "text.sharding", problem);
}

std::string read_axes(Scanner& in, const Mesh& mesh) {
  std::string text = "{";
  read_list(in, '{', '}', [&] {
    if (text.back() != '{') text += ", ";
    text += in.eat('?') ? "?" : read_mesh_axis(in, mesh).text;
  });
  return text + "}";
}

bool is_axis_set(std::string_view word) {
  return word == "replicated" || word == "unreduced" || word == "manual";
}

/// mesh['x'=2,'y'=2], [{'x'}, {}], replicated={'y'}
std::string read_mesh_sharding(Scanner& in) {
  const Mesh mesh = read_mesh(in);
  std::string text = mesh.text;
  in.eat(',');
  if (in.peek() == '[') {
    text += ", [";
    read_list(in, '[', ']', [&] {
      if (text.back() != '[') text += ", ";
      text += read_axes(in, mesh);
    });
    text += "]";
  }
  while (in.eat(',')) {
    const size_t start = in.position();
    const std::string_view word = in.word("a set of axes");
    in.expect('=', "behind the name of a set of axes");
    if (word == "metadata") {
      text += ", " + read_sharding_metadata(in);
      continue;
    }
    if (!is_axis_set(word)) {
      in.fail_at(start, "text.sharding", "the set of axes is unknown");
    }
    text.append(", ").append(word).append("=").append(read_axes(in, mesh));
  }
  return text;
}

std::string read_parts(Scanner& in) {
  if (at_mesh(in)) return read_mesh_sharding(in);
  const size_t start = in.position();
  Parts parts;
  while (in.peek() != '}') read_part(in, parts);
  check(in, start, parts);
  std::string text = parts.kind;
  for (const std::string* part :
       {&parts.device, &parts.tile_dims, &parts.group, &parts.metadata}) {
    if (!part->empty()) text.append(" ").append(*part);
  }
  return text;
}

}  // namespace

std::string read_sharding(Scanner& in) {
  const Nesting nesting(in);
  std::string text = "{";
  if (in.peek() == '{' &&
      (in.peek_behind() == '{' || in.peek_behind() == '}')) {
    read_list(in, '{', '}', [&] {
      if (text.size() > 1) text += ", ";
      text += read_sharding(in);
    });
    return text + "}";
  }
  in.expect('{', "before a sharding");
  text += read_parts(in);
  in.expect('}', "behind a sharding");
  return text + "}";
}

std::string read_domain(Scanner& in) {
  in.expect('{', "before a domain");
  const auto field = [&](std::string_view name) {
    if (!in.eat_word(name)) in.expected("'" + shortened(name) + "'");
    in.expect('=', "behind the field's name");
  };
  field("kind");
  std::string text = "{kind=" + std::string(in.raw_string()) + ", entry=";
  in.expect(',', "behind a domain's kind");
  field("entry");
  text += read_sharding(in) + ", exit=";
  in.expect(',', "behind a domain's entry");
  field("exit");
  text += read_sharding(in) + "}";
  in.expect('}', "behind a domain");
  return text;
}

}  // namespace hlo::text
