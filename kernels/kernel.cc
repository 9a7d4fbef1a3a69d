#include "kernels/kernel.h"

#include <array>

#include "kernels/abi/plugin.h"

namespace assay {

DLDataType to_dlpack(Dtype dtype) {
  const DtypeTraits& row = traits(dtype);
  std::uint8_t code = kDLFloat;
  if (row.kind == NumberKind::kUnsigned) code = kDLUInt;
  if (row.kind == NumberKind::kSigned) code = kDLInt;
  // bf16 is the one format that DLPack names; the others follow from kind and width.
  if (dtype == Dtype::kBF16) code = kDLBfloat;
  return {code, static_cast<std::uint8_t>(row.width), 1};
}

KernelStatus KernelVariant::operator()(KernelCall& call) const {
  return library.empty() ? function(call) : call_plugin(library, index, call);
}

std::string_view to_string(KernelStatus status) {
  constexpr std::array<std::string_view, 8> names = {"ok",        "bad arity",    "bad device",
                                                     "bad dtype", "bad layout",   "bad shape",
                                                     "failed",    "bad parameter"};
  // A kernel may return any number.
  const auto index = static_cast<std::size_t>(status);
  return index < names.size() ? names[index] : "unknown status";
}

}  // namespace assay
