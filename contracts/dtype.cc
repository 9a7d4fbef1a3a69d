#include "contracts/dtype.h"

#include <fmt/format.h>

namespace assay {

namespace {
constexpr bool rows_match_enumerators() {
  for (std::size_t i = 0; i < kDtypes.size(); ++i) {
    if (kDtypes[i].dtype != static_cast<Dtype>(i)) return false;
  }
  return true;
}
static_assert(rows_match_enumerators());
}  // namespace

std::optional<Dtype> dtype_from_token(std::string_view token) {
  for (const DtypeTraits& row : kDtypes) {
    if (row.token == token) return row.dtype;
  }
  return std::nullopt;
}

std::string hex(Bits bits, Dtype dtype) {
  return fmt::format("0x{:0{}x}", bits & traits(dtype).all_mask(), traits(dtype).width / 4);
}

}  // namespace assay
