#include <fmt/format.h>

#include "contracts/fkc/schema.h"
#include "contracts/fkc/tokens.h"

namespace assay::fkc {

bool check_dtype_token(const std::string& token, Place place, const std::string& path,
                       Reporter& reporter) {
  if (dtype_from_token(token)) return true;
  if (token == "F8E6M2") {
    reporter.deviation(
        "FdxTokenNotInTable", place,
        fmt::format("dtype {} in `{}` is known to the first importer alone", token, path),
        "the specification has F8E4M3 and F8E8M0");
    return true;
  }
  if (is_dtype_without_traits(token)) {
    reporter.warning("UnsupportedDtype", place,
                     fmt::format("dtype {} is read, but cannot be audited by this version", token),
                     "the kernel is reported as not run");
    return true;
  }
  reporter.error("FdxTokenNotInTable", place,
                 fmt::format("unknown dtype \"{}\" in `{}`", token, path),
                 "dtypes are spelled F64, F32, F16, BF16, U8, U32, I8, I16, I32, I64");
  return false;
}

}  // namespace assay::fkc
