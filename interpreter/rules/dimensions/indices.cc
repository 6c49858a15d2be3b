#include "interpreter/rules/dimensions/indices.h"

namespace hlo {

Ints chosen(const Ints& values, const Ints& dims) {
  Ints result;
  for (const int64_t d : dims) result.push_back(values[static_cast<size_t>(d)]);
  return result;
}

void place(Index& index, const Ints& dims, const Ints& values) {
  for (size_t i = 0; i < dims.size(); ++i) {
    index[static_cast<size_t>(dims[i])] = values[i];
  }
}

}  // namespace hlo
