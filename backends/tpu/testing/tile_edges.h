#pragma once

#include <cstdint>
#include <string>

namespace hlo::tpu {

/// Layouts of matrices: rows beside each other without tiles, columns in tiles,
/// and pairs of rows in tiles.
inline constexpr const char* kLayouts[] = {"", "{0,1:T(8,128)}",
                                           "{1,0:T(8,128)(2,1)}"};

/// "[rows,columns]".
inline std::string dims(int64_t rows, int64_t columns) {
  return "[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
}

}  // namespace hlo::tpu
