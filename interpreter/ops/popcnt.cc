// spec/ops/popcnt.md
#include "interpreter/elementwise.h"

namespace hlo {

extern constinit const Op op_popcnt = declared<kIntegers>("popcnt");

}  // namespace hlo
