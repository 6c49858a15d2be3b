#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/model/attribute.h"
#include "interpreter/text/scan/scanner.h"

namespace hlo::text {

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
/// The devices in `groups` groups of `size`, in order.
std::vector<Ints> split_devices(const Ints& devices, int64_t groups,
                                int64_t size);
/// A tile assignment; `kind` says what is meant in errors. Listed devices only
/// where `with_list`.
TileAssignment read_tile_assignment(Scanner& in, bool with_list,
                                    std::string_view kind);

}  // namespace hlo::text
